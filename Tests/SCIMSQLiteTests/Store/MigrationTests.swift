import Foundation
import SCIMCore
import SCIMSQLite
import Testing

@testable import SCIMSQL

struct MigrationTests {
  private func connection(_ temporary: TemporaryStore) throws -> any SQLConnection {
    try SQLiteDriver(path: temporary.path).connect(.writer)
  }

  @Test func migrationsAreNumberedInOrder() {
    #expect(Migration.all.map(\.number) == Array(1...Int64(Migration.all.count)))
    #expect(Migration.all.allSatisfy { $0.sql.contains("CREATE TABLE") || $0.sql.contains("ALTER TABLE") })
  }

  @Test func aDatabaseOfAnotherProgramIsRefusedAndLeftAsItIs() throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory.appendingPathComponent("other.db").path
    let file = try SQLiteDriver(path: path).connect(.writer)
    try file.execute("CREATE TABLE bookmark (url TEXT)")
    file.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let refused = #expect(throws: SCIMError.self) {
      try SQLiteStore.open(path: path, registry: temporary.registry)
    }
    #expect(refused?.detail.contains("another program") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aNewDatabaseIsForItsOwnerAlone() throws {
    let temporary = try TemporaryStore()
    _ = try temporary.organization()
    for suffix in ["", "-wal", "-shm"] {
      let mode = try FileManager.default.attributesOfItem(atPath: temporary.path + suffix)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(suffix)")
    }
  }

  @Test func aDatabaseThatLacksNothingIsOpenedWhileAnotherProcessWrites() throws {
    let temporary = try TemporaryStore()
    temporary.close()
    let other = try connection(temporary)
    defer { other.close() }
    try other.execute("BEGIN IMMEDIATE")
    let store = try SQLiteStore.open(
      path: temporary.path, options: SQLiteOptions(busyTimeoutMilliseconds: 0), registry: temporary.registry)
    store.close()
    try other.execute("ROLLBACK")
  }

  @Test func aNewerDatabaseIsRefused() throws {
    let temporary = try TemporaryStore()
    temporary.close()
    let connection = try connection(temporary)
    try connection.execute("INSERT INTO migration VALUES (99, 'later', 0)")
    connection.close()
    let refused = #expect(throws: SCIMError.self) {
      try SQLiteStore.open(path: temporary.path, registry: temporary.registry)
    }
    #expect(refused?.detail.contains("newer version") == true)
    #expect(refused?.detail.contains("99") == true)
  }

  @Test func aDatabaseWithOtherTablesUnderTheSameNumberIsRefused() throws {
    let temporary = try TemporaryStore()
    temporary.close()
    let connection = try connection(temporary)
    try connection.execute("UPDATE migration SET name = 'initial'")
    connection.close()
    let refused = #expect(throws: SCIMError.self) {
      try SQLiteStore.open(path: temporary.path, registry: temporary.registry)
    }
    #expect(refused?.detail.contains("another build") == true)
  }

  @Test func commentsAndBlanksMakeNoOtherTables() {
    func label(_ sql: String) -> String { Migration(number: 1, name: "a", sql: sql).label }
    #expect(label("-- one\nCREATE TABLE a (\n  b TEXT -- two\n)") == label("CREATE TABLE a (b TEXT)"))
    #expect(label("CREATE TABLE a (b TEXT)") != label("CREATE TABLE a (b INTEGER)"))
    #expect(label("").hasPrefix("a "))
  }

  @Test func anOlderDatabaseIsMigratedAndKeepsWhatItHas() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization("kept")
    temporary.close()
    let connection = try connection(temporary)
    let next = Migration(
      number: Int64(Migration.all.count) + 1, name: "next", sql: "ALTER TABLE organization ADD COLUMN note TEXT")
    let migrator = Migrator(migrations: Migration.all + [next])
    try migrator.migrate(connection, dialect: SQLiteDriver(path: "").dialect, now: Timestamp(milliseconds: 1))
    // A second run finds nothing to do.
    try migrator.migrate(connection, dialect: SQLiteDriver(path: "").dialect, now: Timestamp(milliseconds: 2))
    let statement = try connection.prepare("SELECT id, note FROM organization WHERE name = 'kept'")
    #expect(try statement.step())
    #expect(statement.integer(0) == org.rawValue)
    connection.close()
  }

  @Test func assignmentsOfAnOlderDatabaseAreCounted() throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory.appendingPathComponent("old.db").path
    let connection = try SQLiteDriver(path: path).connect(.writer)
    func migrate(_ migrations: [Migration]) throws {
      try Migrator(migrations: migrations).migrate(
        connection, dialect: SQLiteDriver(path: "").dialect, now: Timestamp(milliseconds: 1))
    }
    try migrate(Array(Migration.all.prefix(1)))
    try connection.execute(
      """
      INSERT INTO organization (id, name, name_key, catalog, created) VALUES (1, 'a', 'a', 'open', 0);
      INSERT INTO type (id, name) VALUES (1, 'User'), (2, 'Role');
      INSERT INTO attribute (id, type, path) VALUES (1, 1, 'roles'), (2, 1, 'members');
      INSERT INTO resource (pk, org, type, id, version, created, modified, doc)
      VALUES (1, 1, 1, 'u', 1, 0, 0, '{}'), (2, 1, 1, 'v', 1, 0, 0, '{}'), (3, 1, 2, 'r', 1, 0, 0, '{}');
      INSERT INTO link (org, owner, attr, seq, target) VALUES (1, 1, 1, 1, 3), (1, 2, 1, 1, 3), (1, 1, 2, 1, 3);
      """)
    try migrate(Migration.all)
    func counts() throws -> [[Int64]] {
      let statement = try connection.prepare("SELECT resource, attr, count FROM assignment_count")
      defer { statement.reset() }
      var rows: [[Int64]] = []
      while try statement.step() { rows.append([statement.integer(0), statement.integer(1), statement.integer(2)]) }
      return rows
    }
    #expect(try counts() == [[3, 1, 2]])
    try connection.execute("DELETE FROM link WHERE owner = 1")
    #expect(try counts() == [[3, 1, 1]])
    try connection.execute("INSERT INTO link (org, owner, attr, seq, target) VALUES (1, 1, 1, 1, 3), (1, 3, 1, 1, 2)")
    #expect(try counts() == [[2, 1, 1], [3, 1, 2]])
    try connection.execute("DELETE FROM link")
    #expect(try counts() == [])
    connection.close()
  }

  @Test func idsThatAnOlderDatabaseHasDeletedAreKnown() throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory.appendingPathComponent("old.db").path
    let connection = try SQLiteDriver(path: path).connect(.writer)
    func migrate(_ migrations: [Migration]) throws {
      try Migrator(migrations: migrations).migrate(
        connection, dialect: SQLiteDriver(path: "").dialect, now: Timestamp(milliseconds: 1))
    }
    try migrate(Array(Migration.all.prefix(4)))
    try connection.execute(
      """
      INSERT INTO organization (id, name, name_key, catalog, created) VALUES (1, 'a', 'a', 'open', 0);
      INSERT INTO type (id, name) VALUES (1, 'User');
      INSERT INTO resource (pk, org, type, id, version, created, modified, doc)
      VALUES (1, 1, 1, 'again', 1, 0, 0, '{}'), (2, 1, 1, 'there', 1, 0, 0, '{}');
      INSERT INTO outbox (org, type, id, version, kind, at)
      VALUES (1, 1, 'gone', 1, 'created', 0), (1, 1, 'gone', 1, 'deleted', 0), (1, 1, 'again', 1, 'deleted', 0),
        (1, 1, 'gone', 2, 'deleted', 0), (1, 1, 'there', 1, 'created', 0), (7, 1, 'elsewhere', 1, 'deleted', 0);
      """)
    try migrate(Migration.all)
    func deleted() throws -> [String] {
      let statement = try connection.prepare("SELECT id FROM deleted_id ORDER BY id")
      defer { statement.reset() }
      var ids: [String] = []
      while try statement.step() { ids.append(statement.text(0)) }
      return ids
    }
    #expect(try deleted() == ["gone"])
    try connection.execute("DELETE FROM resource WHERE id = 'there'")
    #expect(try deleted() == ["gone", "there"])
    connection.close()
  }

  @Test func aFailingMigrationChangesNothing() throws {
    let temporary = try TemporaryStore()
    temporary.close()
    let connection = try connection(temporary)
    let broken = Migration(
      number: Int64(Migration.all.count) + 1, name: "broken", sql: "CREATE TABLE extra (a INTEGER); NO SUCH STATEMENT")
    #expect(throws: SCIMError.self) {
      try Migrator(migrations: Migration.all + [broken]).migrate(
        connection, dialect: SQLiteDriver(path: "").dialect, now: Timestamp(milliseconds: 1))
    }
    #expect(throws: SQLError.self) { try connection.execute("SELECT a FROM extra") }
    connection.close()
    try SQLiteStore.open(path: temporary.path, registry: temporary.registry).close()
  }

  @Test func organisationsOfBeforeHaveTheStandardSettingsAndFreeExternalIds() throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory.appendingPathComponent("old.db").path
    let driver = SQLiteDriver(path: path)
    let old = try driver.connect(.writer)
    try Migrator(migrations: [Migration.all[0]]).migrate(old, dialect: driver.dialect, now: Timestamp(milliseconds: 1))
    for statement in [
      "INSERT INTO organization (name, name_key, catalog, grants, created) VALUES ('old', 'old', 'closed', 1, 5)",
      "INSERT INTO type (id, name) VALUES (1, 'User')",
      "INSERT INTO attribute (id, type, path) VALUES (1, 1, 'externalId'), (2, 1, 'userName')",
      "INSERT INTO unique_key (org, attr, key, resource) VALUES (1, 1, 'X', 1), (1, 2, 'ada', 1)",
    ] { try old.execute(statement) }
    old.close()
    let store = try SQLiteStore.open(path: path, registry: temporary.registry)
    let organization = try #require(try store.makeReader().organization(named: "old"))
    store.close()
    #expect(organization.catalog == .closed && organization.grants)
    #expect(organization.groupNames == .unique && organization.externalIDs == .free)
    #expect(organization.announced == [.pagination])
    let now = try driver.connect(.writer)
    defer { now.close() }
    let left = try now.prepare("SELECT attr FROM unique_key")
    defer { left.reset() }
    #expect(try left.step() && left.integer(0) == 2)
    #expect(try !left.step())
  }

  @Test func aFileThatIsNoDatabaseIsRefused() throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory.appendingPathComponent("other.db").path
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path))
    #expect(throws: SCIMError.self) { try SQLiteStore.open(path: path, registry: temporary.registry) }
  }
}
