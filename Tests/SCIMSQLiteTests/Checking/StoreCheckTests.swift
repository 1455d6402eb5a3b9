import SCIMCore
import SCIMSQL
import SCIMSQLite
import Testing

struct StoreCheckTests {
  static let damages: [(kind: StoreCheck.Problem.Kind, sql: String)] = [
    (.keys, "DELETE FROM key WHERE key = 'one'"),
    (.keys, "UPDATE key SET key = 'other' WHERE key = 'one'"),
    (.keys, "UPDATE key SET sort = 0 WHERE key = 'one'"),
    (.uniqueKeys, "DELETE FROM unique_key WHERE key = 'ada'"),
    (.keys, "INSERT INTO key SELECT org, attr, 'more', resource, element, sort FROM key WHERE key = 'one'"),
    (.uniqueKeys, "INSERT INTO unique_key SELECT org, attr, 'more', resource FROM unique_key LIMIT 1"),
    (.signature, "DELETE FROM signature"),
    (.signature, "UPDATE signature SET entries = zeroblob(length(entries))"),
    (
      .signature,
      "INSERT INTO signature (org, type, block, entries) SELECT org, type, block + 1, entries FROM signature"
    ),
    (.display, "UPDATE resource SET display = 'other' WHERE display = 'ada'"),
    (.document, "UPDATE resource SET doc = 'broken' WHERE display = 'ada'"),
    (.document, "UPDATE resource SET id = 'other' WHERE display = 'ada'"),
    (.id, "UPDATE resource SET id = (SELECT id FROM resource WHERE display = 'g') WHERE display = 'ada'"),
    (.id, "UPDATE resource SET id = 'a-BULKID-b' WHERE display = 'ada'"),
    (.id, "INSERT INTO deleted_id (org, id) SELECT org, id FROM resource LIMIT 1"),
    (.count, "UPDATE resource_count SET count = count + 1"),
    (.count, "UPDATE assignment_count SET count = count + 1"), (.count, "DELETE FROM assignment_count"),
    (.orphan, "INSERT INTO key SELECT org, attr, key, 999999, element, sort FROM key LIMIT 1"),
    (.orphan, "INSERT INTO deletion (org, resource) VALUES (1, 999999)"),
    (.crossing, "UPDATE link SET target = 999999"),
    (.foreignKey, "UPDATE link SET owner = 999999"),
  ]

  @Test func aSoundDatabaseHasNoProblems() throws {
    let temporary = try TemporaryStore()
    var tenant = RandomTenant(seed: 5)
    _ = try tenant.fill(temporary, users: 20, groups: 4, roles: 3, in: temporary.organization())
    var seen = 0
    #expect(try temporary.store.makeCheck().run(progress: { seen = $0 }) == [])
    #expect(seen == 27)
  }

  @Test(arguments: damages) func plantedDamageIsFound(_ damage: (kind: StoreCheck.Problem.Kind, sql: String)) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let user = try temporary.create("User", ["userName": "ada", "title": "One"], in: org)
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    try temporary.link(group, "members", to: user, in: org)
    try temporary.link(user, "roles", to: temporary.create("Role", ["displayName": "r"], in: org), in: org)
    let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute(damage.sql)
    connection.close()
    let problems = try temporary.store.makeCheck().run()
    #expect(problems.contains { $0.kind == damage.kind }, "\(problems)")
    #expect(!problems.contains { $0.text.contains("ada") || $0.text.contains("one") })
  }
}
