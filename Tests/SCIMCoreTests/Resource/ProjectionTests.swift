import Testing

@testable import SCIMCore

struct ProjectionTests {
  static let resource: JSON = [
    "schemas": [.string(Fixture.userURN), .string(e), .string(own)], "id": "7", "externalId": "x", "userName": "ada",
    "name": ["familyName": "Berg", "givenName": "Ada"], "title": "Lead",
    "emails": [["value": "a", "type": "work"], ["type": "home"]],
    e: ["department": "Ops", "manager": ["value": "26", "$ref": "r"]],
    own: [
      "tags": ["t"], "notes": "n", "pin": "1", "staffCode": "s",
      "desks": [["room": "1", "code": "c", "plan": "p"], ["plan": "q"]],
    ],
    "groups": [["value": "g", "$ref": "u", "display": "Team", "type": "direct"]],
    "meta": ["resourceType": "User", "created": "c", "version": "v"],
  ]

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    var attributes: [String] = []
    var excluded: [String] = []
    var sent: Set<String> = []
    /// Members that are shown beside `schemas`, `id` and the extension's `staffCode`.
    let shown: JSON
    var testDescription: String { name }
  }

  /// What every answer shows of `own` here.
  static let always: JSON = ["staffCode": "s"]
  static let others: JSON = [
    "externalId": "x", "userName": "ada", "name": ["familyName": "Berg", "givenName": "Ada"], "title": "Lead",
    "emails": [["value": "a", "type": "work"], ["type": "home"]],
    e: ["department": "Ops", "manager": ["value": "26", "$ref": "r"]],
    own: ["tags": ["t"], "staffCode": "s", "desks": [["room": "1"]]],
    "groups": [["value": "g", "$ref": "u", "display": "Team", "type": "direct"]],
    "meta": ["resourceType": "User", "created": "c", "version": "v"],
  ]

  static let rows: [Row] = [
    Row(name: "by default", shown: others),
    Row(name: "blank names are none", attributes: ["", " , "], shown: others),
    Row(name: "attributes", attributes: ["userName,title"], shown: ["userName": "ada", "title": "Lead", own: always]),
    Row(
      name: "attributes in any case, with blanks", attributes: [" USERNAME , Title"],
      shown: ["userName": "ada", "title": "Lead", own: always]),
    Row(name: "one unknown attribute", attributes: ["shoeSize"], shown: [own: always]),
    Row(name: "unknown beside known", attributes: ["title", "shoeSize"], shown: ["title": "Lead", own: always]),
    Row(
      name: "sub-attribute", attributes: ["name.givenName"], shown: ["name": ["givenName": "Ada"], own: always]),
    Row(
      name: "sub-attribute of a list drops what is empty", attributes: ["emails.value"],
      shown: ["emails": [["value": "a"]], own: always]),
    Row(
      name: "value path stands for its attribute", attributes: ["emails[type eq \"a,b\"],title"],
      shown: ["title": "Lead", "emails": [["value": "a", "type": "work"], ["type": "home"]], own: always]),
    Row(
      name: "sub-attribute behind a value path", attributes: ["emails[type eq \"work\"].value"],
      shown: ["emails": [["value": "a"]], own: always]),
    Row(name: "meta.created", attributes: ["meta.created"], shown: [own: always, "meta": ["created": "c"]]),
    Row(
      name: "with the base URN", attributes: ["\(Fixture.userURN):userName"], shown: ["userName": "ada", own: always]),
    Row(
      name: "with an extension's URN", attributes: ["\(e):department"],
      shown: [e: ["department": "Ops"], own: always]),
    Row(
      name: "sub-attribute in an extension", attributes: ["\(e):manager.value"],
      shown: [e: ["manager": ["value": "26"]], own: always]),
    Row(
      name: "an extension as a whole", attributes: [e.uppercased()],
      shown: [e: ["department": "Ops", "manager": ["value": "26", "$ref": "r"]], own: always]),
    Row(
      name: "an extension as a whole has nothing on request", attributes: [own],
      shown: [own: ["tags": ["t"], "staffCode": "s", "desks": [["room": "1"]]]]),
    Row(
      name: "the base schema as a whole", attributes: [Fixture.userURN],
      shown: [
        "userName": "ada", "name": ["familyName": "Berg", "givenName": "Ada"], "title": "Lead",
        "emails": [["value": "a", "type": "work"], ["type": "home"]], own: always,
        "groups": [["value": "g", "$ref": "u", "display": "Team", "type": "direct"]],
      ]),
    Row(name: "on request", attributes: ["\(own):notes"], shown: [own: ["notes": "n", "staffCode": "s"]]),
    Row(
      name: "sub-attribute on request", attributes: ["\(own):desks.plan"],
      shown: [own: ["staffCode": "s", "desks": [["plan": "p"], ["plan": "q"]]]]),
    Row(
      name: "attribute beside its sub-attribute on request", attributes: ["\(own):desks", "\(own):desks.plan"],
      shown: [own: ["staffCode": "s", "desks": [["room": "1", "plan": "p"], ["plan": "q"]]]]),
    Row(name: "never", attributes: ["\(own):pin", "\(own):desks.code", "password"], shown: [own: always]),
    Row(
      name: "what a write sent", sent: ["\(own):notes"],
      shown: others.replaced(by: [own: ["tags": ["t"], "notes": "n", "staffCode": "s", "desks": [["room": "1"]]]])),
    Row(
      name: "what a write sent is not named", attributes: ["title"], sent: ["\(own):notes"],
      shown: ["title": "Lead", own: always]),
    Row(
      name: "excluded", excluded: ["title,emails", "groups", "meta", "externalId", e, "\(own):tags", "\(own):desks"],
      shown: ["userName": "ada", "name": ["familyName": "Berg", "givenName": "Ada"], own: always]),
    Row(
      name: "excluded sub-attributes",
      excluded: ["name.familyName", "groups.$ref", "groups.display", "groups.type", "\(e):manager", "emails.type"],
      shown: others.replaced(by: [
        "name": ["givenName": "Ada"], "emails": [["value": "a"]], e: ["department": "Ops"], "groups": [["value": "g"]],
      ])),
    Row(
      name: "what is always returned cannot be excluded", excluded: ["id", "schemas", "\(own):staffCode"], shown: others
    ),
    Row(
      name: "the base schema excluded", excluded: [Fixture.userURN, own],
      shown: [
        "externalId": "x", e: ["department": "Ops", "manager": ["value": "26", "$ref": "r"]], own: always,
        "meta": ["resourceType": "User", "created": "c", "version": "v"],
      ]),
    Row(name: "excluded and unknown", excluded: ["shoeSize"], shown: others),
  ]

  @Test(arguments: rows) func shows(_ row: Row) throws {
    var projection = try Projection(
      attributes: row.attributes, excluded: row.excluded, type: Fixture.user, profile: .interop)
    projection.sent = row.sent
    let stored = try #require(Self.resource.objectValue)
    let got = Projector(projection: projection, type: Fixture.user).apply(to: stored)
    let expected = try #require(row.shown.objectValue)
    #expect(Set(got.members.map(\.key)) == Set(["schemas", "id"] + expected.members.map(\.key)))
    for member in expected.members { #expect(got[member.key] == member.value) }
  }

  @Test("A plain name of an extension is its own when lenient, unknown when strict")
  func bareNames() throws {
    let stored = try #require(Self.resource.objectValue)
    for profile in Profile.allCases {
      let projection = try Projection(attributes: ["department"], excluded: [], type: Fixture.user, profile: profile)
      let got = Projector(projection: projection, type: Fixture.user).apply(to: stored)
      #expect(got[e] == (profile.isLenient ? ["department": "Ops"] : nil))
    }
  }

  @Test func bothAreRefused() {
    #expect(throws: SCIMError(.invalidValue, "'attributes' and 'excludedAttributes' exclude each other.")) {
      try Projection(attributes: ["userName"], excluded: ["title"], type: Fixture.user, profile: .interop)
    }
  }

  static let selections: [(name: String, attributes: [String], excluded: [String], links: LinkSelection)] = [
    ("default", [], [], .all),
    ("one named", ["userName", "groups"], [], .only(["groups"])),
    ("a sub-attribute named", ["groups.value"], [], .only(["groups"])),
    ("none named", ["userName"], [], .none),
    ("one excluded", [], ["groups"], .only(["entitlements"])),
    ("a sub-attribute excluded", [], ["groups.value"], .all),
    ("all excluded", [], ["groups", "entitlements"], .none),
    ("the base schema", [Fixture.userURN], [], .all),
    ("an extension", [e], [], .none),
  ]

  @Test(arguments: selections)
  func links(_ row: (name: String, attributes: [String], excluded: [String], links: LinkSelection)) throws {
    let projection = try Projection(
      attributes: row.attributes, excluded: row.excluded, type: Fixture.user, profile: .interop)
    #expect(projection.links(for: Fixture.user) == row.links)
  }

  @Test func isDefault() throws {
    #expect(Projection.none.isDefault(for: Fixture.plainUser))
    #expect(!Projection.none.isDefault(for: Fixture.user))
    let named = try Projection(attributes: ["title"], excluded: [], type: Fixture.plainUser, profile: .interop)
    #expect(!named.isDefault(for: Fixture.plainUser))
    #expect(named.isExplicit && !Projection.none.isExplicit)
    #expect(Projection.none.links(for: Fixture.license) == .none)
  }

  @Test func requestPaths() throws {
    let document = try #require(Self.resource.objectValue)
    #expect(
      Projection.requestPaths(in: document, type: Fixture.user) == ["\(own):notes", "\(own):desks.plan"])
    #expect(Projection.requestPaths(in: document, type: Fixture.plainUser).isEmpty)
  }
}

private let e = Fixture.enterpriseURN
private let own = Fixture.ownURN

extension JSON {
  /// The object with these members in place of its own.
  fileprivate func replaced(by other: JSON) -> JSON {
    guard var object = objectValue, let rest = other.objectValue else { return self }
    for member in rest.members { object[member.key] = member.value }
    return .object(object)
  }
}
