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

  @Test func aFailingMigrationChangesNothing() throws {
    let temporary = try TemporaryStore()
    temporary.close()
    let connection = try connection(temporary)
    let broken = Migration(number: 2, name: "broken", sql: "CREATE TABLE extra (a INTEGER); NO SUCH STATEMENT")
    #expect(throws: SCIMError.self) {
      try Migrator(migrations: Migration.all + [broken]).migrate(
        connection, dialect: SQLiteDriver(path: "").dialect, now: Timestamp(milliseconds: 1))
    }
    #expect(throws: SQLError.self) { try connection.execute("SELECT a FROM extra") }
    connection.close()
    try SQLiteStore.open(path: temporary.path, registry: temporary.registry).close()
  }

  @Test func aFileThatIsNoDatabaseIsRefused() throws {
    let temporary = try TemporaryStore()
    let path = temporary.directory.appendingPathComponent("other.db").path
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path))
    #expect(throws: SCIMError.self) { try SQLiteStore.open(path: path, registry: temporary.registry) }
  }
}
