import SCIMSQL
import SCIMSQLite
import Synchronization

/// Makes the writer's engine fail at a chosen call: preparing, executing (BEGIN, SAVEPOINT, COMMIT and the like) and
/// stepping each count as one. All else is the real engine's.
final class FailingEngine: Sendable {
  /// What the call fails with.
  enum Failure: CaseIterable {
    case full, busy, io, interrupted, memory

    var error: SQLError {
      switch self {
      case .full: SQLError(kind: .full, code: 13, message: "database or disk is full")
      case .busy: SQLError(kind: .busy, code: 5, message: "database is locked")
      case .io: SQLError(kind: .io, code: 778, message: "disk I/O error")
      case .interrupted: SQLError(kind: .interrupted, code: 9, message: "interrupted")
      case .memory: SQLError(kind: .memory, code: 7, message: "out of memory")
      }
    }
  }

  private struct Plan {
    var callsLeft: Int
    var times: Int
    var failure: Failure
    /// True where the engine ends the whole transaction by itself, as it does for some failures.
    var endsTransaction: Bool
  }

  private let plan = Mutex<(next: Plan?, hasFailed: Bool)>((nil, false))

  func driver(over engine: SQLiteDriver) -> any SQLDriver { FailingDriver(engine: engine, failing: self) }

  /// The call with that number from now on, counted from 1, fails, and those behind it up to `times`.
  func fail(atCall call: Int, times: Int = 1, with failure: Failure, endsTransaction: Bool) {
    plan.withLock {
      $0 = (Plan(callsLeft: call, times: times, failure: failure, endsTransaction: endsTransaction), false)
    }
  }

  /// Lets the engine work; true where a call has failed.
  @discardableResult
  func stop() -> Bool {
    plan.withLock {
      $0.next = nil
      return $0.hasFailed
    }
  }

  fileprivate func check(_ connection: any SQLConnection) throws(SQLError) {
    let failing: Plan? = plan.withLock {
      guard var next = $0.next else { return nil }
      next.callsLeft -= 1
      $0.next = next
      guard next.callsLeft <= 0 else { return nil }
      next.times -= 1
      $0.next = next.times > 0 ? next : nil
      $0.hasFailed = true
      return next
    }
    guard let failing else { return }
    if failing.endsTransaction, connection.isInTransaction { try? connection.execute("ROLLBACK") }
    throw failing.failure.error
  }
}

private struct FailingDriver: SQLDriver {
  let engine: SQLiteDriver
  let failing: FailingEngine
  var dialect: Dialect { engine.dialect }

  func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection {
    let connection = try engine.connect(role)
    return role == .writer ? FailingConnection(connection, failing) : connection
  }
}

private final class FailingConnection: SQLConnection {
  private let connection: any SQLConnection
  private let failing: FailingEngine

  init(_ connection: any SQLConnection, _ failing: FailingEngine) {
    self.connection = connection
    self.failing = failing
  }

  func execute(_ sql: String) throws(SQLError) {
    try failing.check(connection)
    try connection.execute(sql)
  }

  func prepare(_ sql: String) throws(SQLError) -> any SQLStatement {
    try failing.check(connection)
    return FailingStatement(try connection.prepare(sql), connection, failing)
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

private final class FailingStatement: SQLStatement {
  private let statement: any SQLStatement
  private let connection: any SQLConnection
  private let failing: FailingEngine

  init(_ statement: any SQLStatement, _ connection: any SQLConnection, _ failing: FailingEngine) {
    self.statement = statement
    self.connection = connection
    self.failing = failing
  }

  func step() throws(SQLError) -> Bool {
    try failing.check(connection)
    return try statement.step()
  }

  func bind(_ value: Int64, at position: Int32) { statement.bind(value, at: position) }
  func bind(_ value: String, at position: Int32) { statement.bind(value, at: position) }
  func bindText(_ value: [UInt8], at position: Int32) { statement.bindText(value, at: position) }
  func bindBorrowedText(_ value: UnsafeRawBufferPointer, at position: Int32) {
    statement.bindBorrowedText(value, at: position)
  }
  func bindBlob(_ value: [UInt8], at position: Int32) { statement.bindBlob(value, at: position) }
  func bindNull(at position: Int32) { statement.bindNull(at: position) }
  func reset() { statement.reset() }
  func integer(_ column: Int32) -> Int64 { statement.integer(column) }
  func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
  func text(_ column: Int32) -> String { statement.text(column) }
  func withBytes(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Void) { statement.withBytes(column, body) }
}
