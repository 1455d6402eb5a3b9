import SCIMCore
import SCIMSQL
import SCIMSQLite
import Synchronization
import Testing

/// What follows from the documents is written anew; nothing else is touched.
struct StoreRepairTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sql: String
    /// What the check says of it before, among others.
    var kind: StoreCheck.Problem.Kind
  }

  static let damages: [Damage] = [
    Damage(testDescription: "keys lost", sql: "DELETE FROM key WHERE key = 'one'", kind: .keys),
    Damage(testDescription: "all keys lost", sql: "DELETE FROM key", kind: .keys),
    Damage(testDescription: "keys of no attribute", sql: "UPDATE key SET attr = attr + 5000", kind: .name),
    Damage(
      testDescription: "keys of another type's attribute",
      sql: """
        UPDATE OR REPLACE key SET attr = (SELECT a.id FROM attribute a JOIN type t ON t.id = a.type
          WHERE t.name = 'Group' LIMIT 1) WHERE key = 'one'
        """, kind: .name),
    Damage(
      testDescription: "keys of another attribute of the type",
      sql: """
        UPDATE OR REPLACE key SET attr = (SELECT a.id FROM attribute a JOIN type t ON t.id = a.type
          WHERE t.name = 'User' AND a.path = 'userName') WHERE key = 'one'
        """, kind: .keys),
    Damage(
      testDescription: "unique values of no attribute", sql: "UPDATE unique_key SET attr = attr + 5000", kind: .name),
    Damage(
      testDescription: "keys of no resource",
      sql: "INSERT INTO key SELECT org, attr, key, 999999, element, sort FROM key LIMIT 1", kind: .orphan),
    Damage(
      testDescription: "keys of no organisation",
      sql: "INSERT INTO key SELECT 99, attr, key, resource, element, sort FROM key LIMIT 1", kind: .orphan),
    Damage(testDescription: "signatures lost", sql: "DELETE FROM signature", kind: .signature),
    Damage(testDescription: "signatures of no type", sql: "UPDATE signature SET type = type + 500", kind: .name),
    Damage(
      testDescription: "displays", sql: "UPDATE resource SET display = 'x', display_key = 'y'", kind: .display),
    Damage(testDescription: "counts", sql: "UPDATE resource_count SET count = count + 3", kind: .count),
    Damage(testDescription: "counts of no type", sql: "UPDATE resource_count SET type = type + 500", kind: .name),
    Damage(testDescription: "links of no attribute", sql: "UPDATE link SET attr = 5000", kind: .name),
    Damage(
      testDescription: "links of an attribute that is none",
      sql: """
        UPDATE link SET attr = (SELECT a.id FROM attribute a JOIN type t ON t.id = a.type
          WHERE t.name = 'User' AND a.path = 'userName')
        """, kind: .name),
  ]

  private struct World {
    let temporary: TemporaryStore
    let org: OrganizationID
    let before: [String]

    init() throws {
      temporary = try TemporaryStore()
      org = try temporary.organization()
      let user = try temporary.create(
        "User", ["userName": "ada", "title": "One", "externalId": "e1", "displayName": "Ada"], in: org)
      let group = try temporary.create("Group", ["displayName": "g"], in: org)
      let role = try temporary.create("Role", ["displayName": "r"], in: org)
      try temporary.link(group, "members", to: user, in: org)
      var extra = JSONObject()
      extra["primary"] = true
      try temporary.link(user, "roles", to: role, extra: extra, in: org)
      before = try Self.seen(temporary, org)
    }

    func damage(_ sql: String) throws {
      let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
      defer { connection.close() }
      try connection.execute("PRAGMA foreign_keys = OFF")
      try connection.execute(sql)
    }

    /// What readers see: resources with their links, and what filters find.
    static func seen(_ temporary: TemporaryStore, _ org: OrganizationID) throws -> [String] {
      let reader = try temporary.store.makeReader()
      defer { reader.release() }
      var seen: [String] = []
      let filters = [
        "User": [
          "userName eq \"ada\"", "title sw \"one\"", "title co \"on\"", "externalId eq \"e1\"",
          "groups.display eq \"g\"", "roles.display eq \"r\"", "roles[primary eq true]",
        ],
        "Group": ["displayName eq \"g\"", "members.display eq \"ada\""], "Role": ["displayName eq \"r\""],
      ]
      for (name, texts) in filters.sorted(by: { $0.key < $1.key }) {
        let type = try temporary.type(name)
        for text in texts {
          let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
          let page = try reader.tenant(org).search(
            SearchQuery(
              parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 9), links: .all))
          seen.append("\(text): \(page.total)")
          for found in page.resources {
            seen.append(
              "\(found.id) \(found.version) \(Fixture.text(found)) "
                + found.links.map { "\($0.attribute) \($0.id) \($0.extra)" }.joined(separator: ", "))
          }
        }
      }
      return seen
    }
  }

  @Test(arguments: damages) func isMendedFromTheDocuments(_ damage: Damage) throws {
    let world = try World()
    try world.damage(damage.sql)
    let problems = try world.temporary.store.makeCheck().run()
    #expect(problems.contains { $0.kind == damage.kind }, "\(problems)")
    #expect(try world.temporary.store.repair() == 3)
    #expect(try world.temporary.store.makeCheck().run() == [])
    #expect(try World.seen(world.temporary, world.org) == world.before)
    // The next write finds all as it should be.
    try world.temporary.create("User", ["userName": "bob", "title": "Two"], in: world.org)
    #expect(throws: SCIMError.self) { try world.temporary.create("User", ["userName": "ADA"], in: world.org) }
    #expect(try world.temporary.store.makeCheck().run() == [])
  }

  @Test func whatDocumentsDoNotTellIsLeftAndTold() throws {
    let world = try World()
    try world.damage("UPDATE resource SET doc = 'broken' WHERE display_key = 'g'")
    _ = try world.temporary.store.repair()
    #expect(try world.temporary.store.makeCheck().run().map(\.kind).contains(.document))
  }

  /// Of two that have a value which must be unique, the first keeps it.
  @Test func aValueThatTwoHaveIsTold() throws {
    let world = try World()
    try world.temporary.create("User", ["userName": "eve"], in: world.org)
    try world.damage("UPDATE resource SET doc = replace(doc, '\"eve\"', '\"ada\"')")
    _ = try world.temporary.store.repair()
    #expect(try world.temporary.store.makeCheck().run().map(\.kind) == [.uniqueKeys])
  }

  @Test func progressIsTold() throws {
    let world = try World()
    let seen = Mutex(0)
    _ = try world.temporary.store.repair { done in seen.withLock { $0 = done } }
    #expect(seen.withLock { $0 } == 3)
  }
}
