import SCIMSQL

/// Sees what a store asks of its engine. What one of its calls throws is what the engine is taken to have said.
public protocol EngineObserver: Sendable {
  func willExecute(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError)
  func willPrepare(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError)
  func willStep(_ statement: any SQLStatement, on connection: any SQLConnection, _ role: SQLConnectionRole)
    throws(SQLError)
  /// Behind each step, whatever came of it.
  func didStep(_ statement: any SQLStatement)
  func willCheckpoint(_ mode: CheckpointMode, _ role: SQLConnectionRole) throws(SQLError)
}

extension EngineObserver {
  public func willExecute(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError) {
  }
  public func willPrepare(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError) {
  }
  public func willStep(
    _ statement: any SQLStatement, on connection: any SQLConnection, _ role: SQLConnectionRole
  ) throws(SQLError) {}
  public func didStep(_ statement: any SQLStatement) {}
  public func willCheckpoint(_ mode: CheckpointMode, _ role: SQLConnectionRole) throws(SQLError) {}
}

/// A real engine under the eyes of an observer. All that the observer leaves alone is the engine's own.
public struct ObservedDriver: SQLDriver {
  private let engine: any SQLDriver
  private let observer: any EngineObserver
  public var dialect: Dialect { engine.dialect }

  public init(_ engine: any SQLDriver, observer: any EngineObserver) {
    self.engine = engine
    self.observer = observer
  }

  public func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection {
    ObservedConnection(try engine.connect(role), role, observer)
  }
}

private final class ObservedConnection: SQLConnection {
  private let connection: any SQLConnection
  private let role: SQLConnectionRole
  private let observer: any EngineObserver

  init(_ connection: any SQLConnection, _ role: SQLConnectionRole, _ observer: any EngineObserver) {
    self.connection = connection
    self.role = role
    self.observer = observer
  }

  func execute(_ sql: String) throws(SQLError) {
    try observer.willExecute(sql, on: connection, role)
    try connection.execute(sql)
  }

  func prepare(_ sql: String) throws(SQLError) -> any SQLStatement {
    try observer.willPrepare(sql, on: connection, role)
    return ObservedStatement(try connection.prepare(sql), connection, role, observer)
  }

  func checkpoint(_ mode: CheckpointMode) throws(SQLError) -> CheckpointResult {
    try observer.willCheckpoint(mode, role)
    return try connection.checkpoint(mode)
  }

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

private final class ObservedStatement: SQLStatement {
  private let statement: any SQLStatement
  private let connection: any SQLConnection
  private let role: SQLConnectionRole
  private let observer: any EngineObserver

  init(
    _ statement: any SQLStatement, _ connection: any SQLConnection, _ role: SQLConnectionRole,
    _ observer: any EngineObserver
  ) {
    self.statement = statement
    self.connection = connection
    self.role = role
    self.observer = observer
  }

  func step() throws(SQLError) -> Bool {
    try observer.willStep(statement, on: connection, role)
    defer { observer.didStep(statement) }
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
