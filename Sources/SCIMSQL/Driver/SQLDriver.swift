/// A database engine: it opens connections and says how its SQL differs.
public protocol SQLDriver: Sendable {
  var dialect: Dialect { get }

  func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection
}

/// What a connection is for; the driver tunes it accordingly.
public enum SQLConnectionRole: Sendable {
  case reader, writer, checkpointer
}

/// One connection. It belongs to one thread at a time.
public protocol SQLConnection: AnyObject {
  /// Runs statements without parameters and results.
  func execute(_ sql: String) throws(SQLError)
  func prepare(_ sql: String) throws(SQLError) -> any SQLStatement
  /// How many rows the last statement changed.
  var changes: Int { get }
  /// The number that the last INSERT gave.
  var lastInsertedNumber: Int64 { get }
  /// True between BEGIN and COMMIT or ROLLBACK, also where the engine rolled back by itself.
  var isInTransaction: Bool { get }
  /// How many pages the log has after this connection's last commit; 0 where there is no log.
  var logPages: Int { get }
  /// Has `isOver` asked each time that statements have run for about so many instructions of the engine, of some 10
  /// nanoseconds each. Where it gives true, what runs is ended with the error `interrupted`; what is prepared and the
  /// snapshot stay good. For connections that only read. An engine without such a place asks as often as it can.
  func watch(every instructions: Int, isOver: @escaping () -> Bool)
  /// Copies what is in the log to the database, without waiting long for anybody.
  ///
  /// - Throws: `busy` where another connection copies, or, unless passive, where one writes or reads an old state.
  @discardableResult
  func checkpoint(_ mode: CheckpointMode) throws(SQLError) -> CheckpointResult
  /// How long the log's file is, whoever writes it, in pages; nil where that is not known.
  var logFilePages: Int? { get }
  /// How many pages there is room for on the disk; nil where that is not known.
  var freePages: Int? { get }
  /// Sets which length the log's file keeps when the log begins anew, in pages.
  func keepLog(pages: Int) throws(SQLError)
  func close()
}

public enum CheckpointMode: Sendable {
  /// Copies what it can without waiting for anyone.
  case passive
  /// Copies all, so that the next write begins the log anew.
  case restart
  /// As restart, and empties the log's file.
  case truncate
  /// As `truncate`, but waits for nobody.
  case truncateAtOnce
}

/// How far the log is copied.
public struct CheckpointResult: Sendable, Equatable {
  /// How long the log is.
  public var pages: Int
  /// How much of it is copied; less than all where somebody reads an old state.
  public var copied: Int

  public init(pages: Int, copied: Int) {
    self.pages = pages
    self.copied = copied
  }
}

/// A prepared statement. Positions of parameters count from 1, columns from 0.
public protocol SQLStatement: AnyObject {
  func bind(_ value: Int64, at position: Int32)
  func bind(_ value: String, at position: Int32)
  /// Binds UTF-8 text.
  func bindText(_ value: [UInt8], at position: Int32)
  /// Binds UTF-8 text without a copy: the bytes must stay until the statement is reset.
  func bindBorrowedText(_ value: UnsafeRawBufferPointer, at position: Int32)
  func bindBlob(_ value: [UInt8], at position: Int32)
  func bindNull(at position: Int32)

  /// Moves to the next row; false where there is none.
  func step() throws(SQLError) -> Bool
  /// Makes the statement ready to be run again; its parameters stay.
  func reset()

  func integer(_ column: Int32) -> Int64
  func isNull(_ column: Int32) -> Bool
  func text(_ column: Int32) -> String
  /// The bytes of a text or a blob, valid inside `body` alone.
  func withBytes(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Void)
}
