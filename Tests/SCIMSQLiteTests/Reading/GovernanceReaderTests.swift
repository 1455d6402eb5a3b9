import SCIMCore
import SCIMSQL
import Testing

struct GovernanceReaderTests {
  private let temporary: TemporaryStore
  private let org: OrganizationID

  init() throws {
    temporary = try TemporaryStore()
    org = try temporary.organization()
  }

  private func user(_ name: String, _ attributes: [(String, JSON)] = []) throws -> StoredResource {
    var body = JSONObject()
    body["userName"] = .string(name)
    for (name, value) in attributes { body[name] = value }
    return try temporary.create("User", .object(body), in: org)
  }

  private func values(_ reader: any GovernanceReader) throws -> [UnmatchedValue] {
    var found: [UnmatchedValue] = []
    try reader.reports(of: org).forEachUnmatchedValue() { (value) throws(SCIMError) in
      found.append(value)
      return true
    }
    return found
  }

  @Test func aWalkIsOfOneMomentAndInPages() throws {
    let role = try temporary.create("Role", ["displayName": "r"], in: org)
    for number in 0..<7 {
      let user = try user("u\(number)")
      if number != 3 { try temporary.link(user, "roles", to: role, in: org) }
    }
    let type = try temporary.type("User")
    let reader = try temporary.store.makeGovernanceReader()
    #expect(try reader.reports(of: org).holderTypes().map(\.name) == ["User"])
    try reader.snapshot {
      var names: [String] = []
      var seen = 0
      var after: Int64?
      repeat {
        let page = try reader.reports(of: org).holders(of: type, after: after, limit: 2)
        names += page.holders.compactMap { $0.document["userName"]?.stringValue }
        #expect(page.holders.allSatisfy { $0.linked == [role.handle] && $0.unmatched.isEmpty })
        seen += page.seen
        after = page.next
        // Others write; none of it is seen.
        let late = try user("late\(seen)")
        try temporary.link(late, "roles", to: role, in: org)
      } while after != nil
      #expect(names == ["u0", "u1", "u2", "u4", "u5", "u6"])
      #expect(seen == 7)
      #expect(try reader.reports(of: org).count(of: type) == 7)
    }
    #expect(try reader.reports(of: org).count(of: type) > 7)
  }

  @Test func entriesKnowTheirSettingsAndWhetherTheyAreHeld() throws {
    let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"
    var body = JSONObject()
    body["displayName"] = "Held"
    body[draft] = ["value": "word", "supported": false, "contains": ["x"], "containedBy": ["y"]]
    let held = try temporary.create("Role", .object(body), in: org)
    try temporary.create("Characteristic", ["displayName": "Free"], id: "free", in: org)
    try temporary.link(try user("u"), "roles", to: held, in: org)
    let reader = try temporary.store.makeGovernanceReader()
    let entries = try reader.reports(of: org).catalogEntries()
    #expect(entries.map(\.display).sorted() == ["Free", "Held"])
    let role = try #require(entries.first { $0.kind == "role" })
    #expect(role.isAssigned && !role.isSupported && role.contains == ["x"] && role.containedBy == ["y"])
    #expect(role.value == "word" && role.id == held.id && role.type == "Role")
    let other = try #require(entries.first { $0.kind == "entitlement" })
    #expect(!other.isAssigned && other.isSupported && other.id == "free" && other.value == nil)
    #expect(try reader.reports(of: temporary.organization("other")).catalogEntries().isEmpty)
  }

  @Test func unmatchedValuesAreGroupedByValueAndType() throws {
    _ = try user("a", [("roles", [["value": "Lost", "display": "L"]])])
    _ = try user(
      "b",
      [
        ("roles", [["value": "lost"], ["value": "LOST", "display": "again"], ["display": "Only a name"]]),
        (
          "entitlements",
          [["value": "x", "type": "Seat"], ["value": "x", "type": "Car"], ["value": "x", "type": "seat"]]
        ),
      ])
    let other = try temporary.organization("other")
    try temporary.create("User", ["userName": "c", "roles": [["value": "lost"]]], in: other)
    let found = try values(temporary.store.makeGovernanceReader())
    #expect(found.map(\.value) == ["Lost", "", "x", "x"])
    #expect(found.map(\.type) == ["", "", "Car", "Seat"])
    #expect(found.map(\.display) == ["L", "Only a name", "", ""])
    #expect(found.map(\.holders) == [2, 1, 1, 1])
    #expect(found.map(\.example) == ["a", "b", "b", "b"])
    #expect(found.map { CatalogEntry.kind(ofSchema: $0.schema) } == ["role", "role", "entitlement", "entitlement"])
  }

  @Test func aWalkOverValuesEndsWhereItIsTold() throws {
    _ = try user("a", [("roles", [["value": "p"], ["value": "q"]])])
    let reader = try temporary.store.makeGovernanceReader()
    var count = 0
    try reader.reports(of: org).forEachUnmatchedValue() { (_) throws(SCIMError) in
      count += 1
      return false
    }
    #expect(count == 1)
    // Nothing is left open that would hold the snapshot.
    #expect(try values(reader).count == 2)
  }
}
