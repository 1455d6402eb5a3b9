import Foundation
import SCIMCore
import SCIMSQL
import Testing

@testable import SCIMSQLite

/// The database stays mapped from one snapshot to the next, and is read rightly whatever becomes of the file.
struct MappingTests {
  private final class Database {
    let directory: URL
    let path: String
    let writer: any SQLConnection
    let reader: any SQLConnection

    init() throws {
      directory = FileManager.default.temporaryDirectory.appendingPathComponent("roster-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      path = directory.appendingPathComponent("map.db").path
      let driver = SQLiteDriver(path: path, options: SQLiteOptions(synchronous: .off))
      writer = try driver.connect(.writer)
      try writer.execute("CREATE TABLE migration (number INTEGER PRIMARY KEY, text TEXT)")
      reader = try driver.connect(.reader)
    }

    deinit {
      reader.close()
      writer.close()
      try? FileManager.default.removeItem(at: directory)
    }

    func fill(_ rows: Int, from first: Int = 0) throws {
      try writer.execute(
        """
        INSERT INTO migration WITH RECURSIVE n (i) AS (
          SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(first + rows - 1)
        ) SELECT i, hex(zeroblob(1000)) FROM n
        """)
      try writer.checkpoint(.truncate)
    }

    /// How many rows the reader sees, each of which it looks at.
    func count(_ connection: (any SQLConnection)? = nil) throws -> Int64 {
      let statement = try (connection ?? reader).prepare("SELECT sum(length(text) = 2000) FROM migration")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }

    var size: Int { (try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? 0 }

    /// The beginnings and ends of the mappings of the file in this process.
    var mappings: Set<String> {
      // Read to its end, however long: the kernel does not say how long it is.
      let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
      let maps = String(decoding: bytes.flatMap { $0 } ?? Data(), as: UTF8.self)
      return Set(
        maps.split(separator: "\n").filter { $0.hasSuffix("/map.db") && $0.contains(directory.lastPathComponent) }
          .compactMap { $0.split(separator: " ").first.map(String.init) })
    }
  }

  @Test func aCommitOfAnotherConnectionLeavesTheMappingAsItIs() throws {
    let database = try Database()
    try database.fill(500)
    #expect(try database.count() == 500)
    let mapped = database.mappings
    #expect(!mapped.isEmpty)
    for number in 0..<20 {
      try database.writer.execute("UPDATE migration SET text = hex(zeroblob(999)) WHERE number = \(number)")
      if number % 2 == 0 { try database.writer.checkpoint(.truncate) }
      #expect(try database.count() == Int64(499 - number))
    }
    #expect(mapped.isSubset(of: database.mappings))
  }

  @Test func aFileThatHasGrownIsMappedAnew() throws {
    let database = try Database()
    try database.fill(100)
    #expect(try database.count() == 100)
    let mapped = database.mappings
    for step in 1...20 {
      try database.fill(100, from: step * 100)
      #expect(try database.count() == Int64(100 * (step + 1)))
    }
    #expect(database.mappings != mapped)
  }

  /// What lies behind the end of a file that has become shorter must not be touched: that ends the process.
  @Test func aFileThatHasBecomeShorterIsReadRightly() throws {
    let database = try Database()
    try database.fill(2000)
    #expect(try database.count() == 2000)
    let before = database.size
    for left in [1000, 10, 0] {
      try database.writer.execute("DELETE FROM migration WHERE number >= \(left)")
      try database.writer.execute("VACUUM")
      try database.writer.checkpoint(.truncate)
      #expect(try database.count() == Int64(left))
    }
    #expect(database.size < before / 10)
    try database.fill(3000)
    #expect(try database.count() == 3000)
  }

  /// A snapshot that is held keeps the file from being cut under it.
  @Test func aHeldSnapshotOutlivesAVacuum() throws {
    let database = try Database()
    try database.fill(2000)
    try database.reader.execute("BEGIN")
    #expect(try database.count() == 2000)
    try database.writer.execute("DELETE FROM migration WHERE number >= 10")
    try database.writer.execute("VACUUM")
    #expect(throws: SQLError.self) { try database.writer.checkpoint(.truncate) }
    #expect(try database.count() == 2000)
    try database.reader.execute("COMMIT")
    try database.writer.checkpoint(.truncate)
    #expect(try database.count() == 10)
  }

  /// The other process is SQLite's own shell where there is one, else one more connection.
  @Test func anotherProcessWritesAndCuts() throws {
    let database = try Database()
    try database.fill(1500)
    #expect(try database.count() == 1500)
    let other = try SQLiteConnection(path: database.path, flags: 2)
    defer { other.close() }
    for left in [700, 5] {
      let script = "DELETE FROM migration WHERE number >= \(left); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"
      if try !Self.shell(database.path, script) {
        for part in script.split(separator: ";") { try other.execute(String(part)) }
      }
      #expect(try database.count() == Int64(left))
      #expect(try database.count(database.writer) == Int64(left))
    }
  }

  /// False where there is no such program.
  private static func shell(_ path: String, _ script: String) throws -> Bool {
    let program = "/usr/bin/sqlite3"
    guard FileManager.default.isExecutableFile(atPath: program) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [path, script]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return true
  }
}
