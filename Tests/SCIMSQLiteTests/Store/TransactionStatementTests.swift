import SCIMSQL
import Testing

@testable import SCIMSQLite

@Suite("Statements that begin and end transactions, which a connection keeps prepared")
struct TransactionStatementTests {
  private let connection: SQLiteConnection

  /// In memory, with a table of one number.
  init() throws {
    // SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    connection = try SQLiteConnection(path: ":memory:", flags: 6)
    try connection.execute("CREATE TABLE t (n INTEGER)")
  }

  private func numbers() throws -> [Int64] {
    let statement = try connection.prepare("SELECT n FROM t ORDER BY n")
    var found: [Int64] = []
    while try statement.step() { found.append(statement.integer(0)) }
    return found
  }

  @Test("They do the same each time, whatever the tables became meanwhile")
  func again() throws {
    for round in 1...3 {
      try connection.execute("BEGIN")
      try connection.execute("INSERT INTO t VALUES (\(round))")
      try connection.execute("SAVEPOINT part")
      try connection.execute("INSERT INTO t VALUES (\(round + 100))")
      try connection.execute("ROLLBACK TO part")
      try connection.execute("RELEASE part")
      try connection.execute("ALTER TABLE t ADD COLUMN c\(round)")
      try connection.execute("COMMIT")
      #expect(!connection.isInTransaction)
      try connection.execute("BEGIN")
      try connection.execute("DELETE FROM t")
      try connection.execute("ROLLBACK")
      try connection.execute("CREATE TABLE u\(round) (n INTEGER)")
      // The columns differ now.
      try connection.execute("DELETE FROM t")
      try connection.execute("ALTER TABLE t DROP COLUMN c\(round)")
    }
    #expect(try numbers() == [])
  }

  @Test("One that fails says so, and works the next time")
  func failure() throws {
    try connection.execute("BEGIN")
    #expect(throws: SQLError.self) { try connection.execute("BEGIN") }
    #expect(throws: SQLError.self) { try connection.execute("RELEASE nothing") }
    try connection.execute("INSERT INTO t VALUES (7)")
    try connection.execute("COMMIT")
    #expect(throws: SQLError.self) { try connection.execute("COMMIT") }
    try connection.execute("BEGIN")
    try connection.execute("ROLLBACK")
    #expect(try numbers() == [7])
  }

  @Test("Several in one text all run")
  func several() throws {
    try connection.execute("BEGIN; INSERT INTO t VALUES (1); COMMIT")
    #expect(!connection.isInTransaction)
    #expect(try numbers() == [1])
  }

  @Test("More names than are kept work as well")
  func many() throws {
    try connection.execute("BEGIN")
    for number in 0..<40 { try connection.execute("SAVEPOINT s\(number)") }
    for number in (0..<40).reversed() { try connection.execute("RELEASE s\(number)") }
    try connection.execute("COMMIT")
    #expect(!connection.isInTransaction)
  }
}
