import SCIMCore
import Testing

struct DocumentIndexTests {
  /// Each row as `path=key@element`, with a star behind the sort key.
  private func rows(_ document: JSON, _ type: ResourceType = Fixture.user) throws -> [String] {
    DocumentIndex.keys(of: try #require(document.objectValue), type: type)
      .map { "\($0.path)=\($0.key)@\($0.element)\($0.isSortKey ? "*" : "")" }
  }

  @Test("The rows of what differs between two documents differ as all their rows do")
  func changedRows() throws {
    let documents = Self.table.filter { $0.type === Fixture.user }.map(\.document) + [[:]]
    for old in documents {
      for new in documents {
        let (before, after) = (try #require(old.objectValue), try #require(new.objectValue))
        let changed = DocumentIndex.changedRows(from: before, to: after, type: Fixture.user)
        let (removed, added) = DocumentIndex.difference(old: changed.before, new: changed.after)
        let (all, others) = (
          DocumentIndex.rows(of: before, type: Fixture.user), DocumentIndex.rows(of: after, type: Fixture.user)
        )
        let expected = DocumentIndex.difference(old: all, new: others)
        #expect(Set(removed) == Set(expected.removed), "\(old) \(new)")
        #expect(Set(added) == Set(expected.added), "\(old) \(new)")
        if TextSignature(rows: all, type: Fixture.user) != TextSignature(rows: others, type: Fixture.user) {
          #expect(changed.changesTexts, "\(old) \(new)")
        }
        if before == after { #expect(changed.before.isEmpty && changed.after.isEmpty && !changed.changesTexts) }
      }
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    var type = Fixture.user
    let document: JSON
    let rows: [String]
    var testDescription: String { name }
  }

  static let table: [Row] = [
    Row(
      name: "text is folded, or exact", document: ["externalId": "AbC", "userName": "Straße"],
      rows: ["externalId=AbC@0*", "userName=strasse@0*"].map { $0.replacing("strasse", with: Folding.fold("Straße")) }),
    Row(
      name: "exact text is in one normal form", document: ["externalId": "Zoe\u{308}"],
      rows: ["externalId=\(Folding.normalize("Zoë"))@0*"]),
    Row(name: "an empty text is there", document: ["title": ""], rows: ["title=@0*"]),
    Row(name: "booleans", document: ["active": true], rows: ["active=true@0*"]),
    Row(
      name: "not indexed: schemas' base, id, meta, what is never returned",
      document: [
        "schemas": [.string(Fixture.userURN)], "id": "7", "meta": ["version": "1"], "password": "hush",
        own: ["pin": "1234"],
      ], rows: ["schemas=\(own)@0*"]),
    Row(
      name: "extensions in schemas", document: [e: ["department": "Ops"], own: ["tags": ["x"]]],
      rows: ["schemas=\(e)@0*", "schemas=\(own)@1", "\(e):department=ops@0*", "\(own):tags=x@0*"]),
    Row(
      name: "elements have numbers; the primary one sorts",
      document: ["emails": [["value": "B", "type": "work"], ["value": "A", "primary": true], ["type": "home"]]],
      rows: [
        "emails.value=b@0", "emails.value=a@1*", "emails.type=work@0*", "emails.type=home@2",
        "emails.primary=true@1*",
      ]),
    Row(
      name: "without a primary the first sorts", document: ["emails": [["type": "x"], ["value": "B"], ["value": "A"]]],
      rows: ["emails.value=b@1*", "emails.value=a@2", "emails.type=x@0*"]),
    Row(
      name: "a simple list", document: [own: ["tags": ["B", "a", "b"]]],
      rows: ["schemas=\(own)@0*", "\(own):tags=b@0*", "\(own):tags=a@1", "\(own):tags=b@2"]),
    Row(
      name: "a list within an element has the element's number",
      document: [own: ["desks": [["phones": ["1", "2"], "code": "c"], ["phones": ["3", "X", "x"]]]]],
      rows: [
        "schemas=\(own)@0*", "\(own):desks.phones=1@0*", "\(own):desks.phones=2@0", "\(own):desks.phones=3@1",
        "\(own):desks.phones=x@1",
      ]),
    Row(
      name: "a single complex", document: [e: ["manager": ["value": "AbC"]]],
      rows: ["schemas=\(e)@0*", "\(e):manager.value=AbC@0*"]),
    Row(
      name: "numbers sort as such", document: [own: ["level": -7, "score": 1.5]],
      rows: [
        "schemas=\(own)@0*", "\(own):level=\(SortableKey.integer(-7).text)@0*",
        "\(own):score=\(SortableKey.double(1.5).text)@0*",
      ]),
    Row(
      name: "instants in UTC", document: [own: ["joined": "2026-01-31T09:30:00+02:00"]],
      rows: ["schemas=\(own)@0*", "\(own):joined=2026-01-31T07:30:00.000Z@0*"]),
    Row(
      name: "the type of an entitlement", type: Fixture.license, document: ["displayName": "Seat", "type": "License"],
      rows: ["displayName=seat@0*", "type=license@0*"]),
    Row(
      name: "elements that match no catalogue resource", document: ["entitlements": [["value": "X", "type": "t"]]],
      rows: ["entitlements.value=x@0*", "entitlements.type=t@0*"]),
  ]

  @Test(arguments: table) func keys(_ row: Row) throws {
    #expect(try rows(row.document, row.type) == row.rows)
  }

  @Test("Rows are the same each time, distinct, and one of a path sorts", arguments: 0..<200)
  func deterministic(_ seed: Int) throws {
    var random = ResourceRandom(seed: UInt64(seed))
    let body = JSON.object(random.user())
    let document = try ResourceNormalizer.normalize(body, type: Fixture.user, profile: .interop).document
    let keys = DocumentIndex.keys(of: document, type: Fixture.user)
    #expect(keys == DocumentIndex.keys(of: document, type: Fixture.user))
    #expect(Set(keys).count == keys.count)
    #expect(Set(keys.map(\.path)).count == keys.filter(\.isSortKey).count)
    #expect(Set(keys.filter(\.isSortKey).map(\.path)) == Set(keys.map(\.path)))
  }

  @Test func difference() throws {
    let old = DocumentIndex.keys(of: object(["userName": "ada", "title": "Lead", "active": true]), type: Fixture.user)
    let new = DocumentIndex.keys(of: object(["userName": "ADA", "title": "Chief"]), type: Fixture.user)
    let change = DocumentIndex.difference(old: old, new: new)
    #expect(change.removed.map { $0.path + "=" + $0.key } == ["title=lead", "active=true"])
    #expect(change.added.map { $0.path + "=" + $0.key } == ["title=chief"])
    let none = DocumentIndex.difference(old: old, new: old)
    #expect(none.removed.isEmpty && none.added.isEmpty)
  }

  @Test func uniqueKeys() {
    let document = object(["externalId": "Ext", "userName": "Ada", "title": "x", own: ["badge": "B7", "tags": ["t"]]])
    let keys = DocumentIndex.uniqueKeys(of: document, type: Fixture.user)
    #expect(
      keys == [
        UniqueKey(path: "userName", key: "ada"), UniqueKey(path: "\(own):badge", key: "B7"),
      ])
    let settings = SchemaSettings(externalIDs: .unique)
    #expect(
      DocumentIndex.uniqueKeys(of: document, type: Fixture.user, settings: settings)
        == [UniqueKey(path: "externalId", key: "Ext")] + keys)
    #expect(
      DocumentIndex.uniqueKeys(of: object(["externalId": ""]), type: Fixture.user, settings: settings).isEmpty)
    #expect(DocumentIndex.uniqueKeys(of: object(["externalId": "", "title": "x"]), type: Fixture.user).isEmpty)
    #expect(DocumentIndex.uniqueKeys(of: object(["id": "l1", "displayName": "x"]), type: Fixture.license).isEmpty)
  }

  static let displays: [(JSON, String?)] = [
    (["displayName": "Ada B", "userName": "ada"], "Ada B"),
    (["displayName": "", "name": ["formatted": "A. B."], "userName": "ada"], "A. B."),
    (["userName": "ada", "name": ["givenName": "A"]], "ada"),
    (["title": "x"], nil),
  ]

  @Test(arguments: displays)
  func display(_ document: JSON, _ expected: String?) {
    #expect(DocumentIndex.display(of: object(document), type: Fixture.user) == expected)
  }

  private func object(_ value: JSON) -> JSONObject { value.objectValue ?? JSONObject() }
}

private let e = Fixture.enterpriseURN
private let own = Fixture.ownURN
