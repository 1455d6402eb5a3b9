import CSQLite
import SCIMSQL
import Synchronization

@testable import SCIMSQLite

/// Counts the work that the engine does, in instructions of its virtual machine: the same on every run and every
/// machine, and it grows with each row that a statement looks at, found or not.
final class WorkMeter: Sendable {
  private let instructions = Atomic<Int>(0)
  private let full = Atomic<Bool>(false)

  /// True where no commit finds room on the disk.
  var isDiskFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }

  func driver(over engine: SQLiteDriver) -> any SQLDriver { MeteredDriver(engine: engine, meter: self) }

  /// The work that is done meanwhile, by all connections.
  func work(_ body: () throws -> Void) rethrows -> Int {
    let before = instructions.load(ordering: .relaxed)
    try body()
    return instructions.load(ordering: .relaxed) - before
  }

  fileprivate func add(_ count: Int) { instructions.add(count, ordering: .relaxed) }
}

private struct MeteredDriver: SQLDriver {
  let engine: SQLiteDriver
  let meter: WorkMeter
  var dialect: Dialect { engine.dialect }

  func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection {
    MeteredConnection(try engine.connect(role), meter, isWriter: role == .writer)
  }
}

private final class MeteredConnection: SQLConnection {
  private let connection: any SQLConnection
  private let meter: WorkMeter

  private let isWriter: Bool

  init(_ connection: any SQLConnection, _ meter: WorkMeter, isWriter: Bool) {
    self.connection = connection
    self.meter = meter
    self.isWriter = isWriter
  }

  func execute(_ sql: String) throws(SQLError) {
    if meter.isDiskFull, sql == "COMMIT", isWriter {
      throw SQLError(kind: .full, code: 13, message: "database or disk is full")
    }
    try connection.execute(sql)
  }
  func prepare(_ sql: String) throws(SQLError) -> any SQLStatement {
    MeteredStatement(try connection.prepare(sql), meter)
  }
  var changes: Int { connection.changes }
  var lastInsertedNumber: Int64 { connection.lastInsertedNumber }
  var isInTransaction: Bool { connection.isInTransaction }
  var logPages: Int { connection.logPages }
  func watch(every instructions: Int, isOver: @escaping () -> Bool) {
    connection.watch(every: instructions, isOver: isOver)
  }
  func checkpoint(_ mode: CheckpointMode) throws(SQLError) -> CheckpointResult { try connection.checkpoint(mode) }
  var logFilePages: Int? { connection.logFilePages }
  var freePages: Int? { connection.freePages }
  func keepLog(pages: Int) throws(SQLError) { try connection.keepLog(pages: pages) }
  func close() { connection.close() }
}

private final class MeteredStatement: SQLStatement {
  private let statement: any SQLStatement
  private let meter: WorkMeter

  init(_ statement: any SQLStatement, _ meter: WorkMeter) {
    self.statement = statement
    self.meter = meter
  }

  func bind(_ value: Int64, at position: Int32) { statement.bind(value, at: position) }
  func bind(_ value: String, at position: Int32) { statement.bind(value, at: position) }
  func bindText(_ value: [UInt8], at position: Int32) { statement.bindText(value, at: position) }
  func bindBorrowedText(_ value: UnsafeRawBufferPointer, at position: Int32) {
    statement.bindBorrowedText(value, at: position)
  }
  func bindBlob(_ value: [UInt8], at position: Int32) { statement.bindBlob(value, at: position) }
  func bindNull(at position: Int32) { statement.bindNull(at: position) }

  func step() throws(SQLError) -> Bool {
    defer { count() }
    return try statement.step()
  }

  func reset() { statement.reset() }

  private func count() {
    guard let statement = statement as? SQLiteStatement else { return }
    meter.add(Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1)))
  }

  func integer(_ column: Int32) -> Int64 { statement.integer(column) }
  func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
  func text(_ column: Int32) -> String { statement.text(column) }
  func withBytes(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Void) {
    statement.withBytes(column, body)
  }
}
