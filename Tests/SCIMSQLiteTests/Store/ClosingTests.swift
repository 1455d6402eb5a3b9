import Foundation
import SCIMCore
@testable import SCIMSQL
import SCIMSQLite
import Synchronization
import Testing

/// A command that ends while a server runs on the same file must not hold up the server's writes.
@Suite("Closing a store")
struct ClosingTests {
  /// Records how the log is copied.
  private final class Copies: Sendable {
    let modes = Mutex<[CheckpointMode]>([])
  }

  private struct RecordingDriver: SQLDriver {
    let engine: SQLiteDriver
    let copies: Copies
    var dialect: Dialect { engine.dialect }

    func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection {
      let connection = try engine.connect(role)
      return role == .checkpointer ? RecordingConnection(connection, copies) : connection
    }
  }

  private final class RecordingConnection: SQLConnection {
    private let connection: any SQLConnection
    private let copies: Copies

    init(_ connection: any SQLConnection, _ copies: Copies) {
      self.connection = connection
      self.copies = copies
    }

    func checkpoint(_ mode: CheckpointMode) throws(SQLError) -> CheckpointResult {
      copies.modes.withLock { $0.append(mode) }
      return try connection.checkpoint(mode)
    }

    func execute(_ sql: String) throws(SQLError) { try connection.execute(sql) }
    func prepare(_ sql: String) throws(SQLError) -> any SQLStatement { try connection.prepare(sql) }
    var changes: Int { connection.changes }
    var lastInsertedNumber: Int64 { connection.lastInsertedNumber }
    var isInTransaction: Bool { connection.isInTransaction }
    var logPages: Int { connection.logPages }
    func watch(every instructions: Int, isOver: @escaping () -> Bool) {
      connection.watch(every: instructions, isOver: isOver)
    }
    var logFilePages: Int? { connection.logFilePages }
    var freePages: Int? { connection.freePages }
    func keepLog(pages: Int) throws(SQLError) { try connection.keepLog(pages: pages) }
    func close() { connection.close() }
  }

  @Test("The log is copied beside writers first, and nobody is waited for")
  func modes() throws {
    let temporary = try TemporaryStore()
    let organization = try temporary.organization()
    let copies = Copies()
    let command = try SQLStore(
      driver: RecordingDriver(engine: SQLiteDriver(path: temporary.path), copies: copies), options: SQLStoreOptions(),
      registry: temporary.registry)
    // A report of the server reads meanwhile.
    let reader = try temporary.store.reader()
    try reader.hold()
    try command.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.createOrganization(name: "other.example", catalog: .open, grants: false)
    }
    command.close()
    #expect(copies.modes.withLock { $0 } == [.passive, .truncateAtOnce])
    reader.release()
    try temporary.create("User", ["userName": "ada"], in: organization)
    #expect(try temporary.store.makeReader().organization(named: "other.example") != nil)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test("Once nobody else has the database open, its log is empty")
  func last() throws {
    let temporary = try TemporaryStore()
    try temporary.create("User", ["userName": "ada"], in: temporary.organization())
    temporary.close()
    let log = try? FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")[.size] as? Int
    #expect((log ?? 0) == 0)
  }
}
