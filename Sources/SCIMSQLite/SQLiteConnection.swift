import CSQLite
import CSQLiteVFS
import Glibc
import SCIMSQL

/// A connection to an SQLite database, opened without the library's own locks: it belongs to one thread at a time.
final class SQLiteConnection: SQLConnection {
  private var handle: OpaquePointer?
  private(set) var logPages = 0
  private let path: String

  init(path: String, flags: Int32) throws(SQLError) {
    SQLiteLibrary.configure()
    self.path = path
    let status = sqlite3_open_v2(
      path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, csqlitevfs_name())
    guard status == SQLITE_OK else {
      let error = SQLiteError.make(handle, status)
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
  }

  deinit { close() }

  func close() {
    for control in controls { sqlite3_finalize(control.statement) }
    controls = []
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Keeps `logPages` up to date; in the place of the library's automatic checkpoints, which run inside COMMIT.
  func watchLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context { Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var isOver: () -> Bool = { false }

  func watch(every instructions: Int, isOver: @escaping () -> Bool) {
    self.isOver = isOver
    sqlite3_progress_handler(
      handle, Int32(clamping: instructions),
      { context in
        guard let context else { return 0 }
        return Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// How long to wait for locks of others, in milliseconds.
  var busyTimeout: Int32 = 0 {
    didSet {
      patience = busyTimeout
      sqlite3_busy_handler(
        handle,
        { context, tries in
          guard let context else { return 0 }
          return Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue().waitForLock(tries) ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// How long a call may wait for a lock, and since when one waits, in milliseconds.
  private var patience: Int32 = 0
  private var waitingSince: Int64 = 0

  /// Waits a little for a lock of another connection; false where it has taken too long. The library's own way sleeps up
  /// to 100 ms at a time, and misses the short pauses that a command makes for a server between its transactions.
  private func waitForLock(_ tries: Int32) -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    if tries == 0 { waitingSince = now }
    guard now - waitingSince < Int64(patience) else { return false }
    usleep(tries < 4 ? 500 : 2000)
    return true
  }

  var changes: Int { Int(sqlite3_changes64(handle)) }
  var lastInsertedNumber: Int64 { sqlite3_last_insert_rowid(handle) }
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  func execute(_ sql: String) throws(SQLError) {
    guard let control = try control(sql) else {
      let status = sqlite3_exec(handle, sql, nil, nil, nil)
      guard status == SQLITE_OK else { throw SQLiteError.make(handle, status) }
      return
    }
    let status = sqlite3_step(control)
    guard status == SQLITE_DONE else {
      let error = SQLiteError.make(handle, status)
      sqlite3_reset(control)
      throw error
    }
    sqlite3_reset(control)
  }

  /// The statements that begin and end transactions and savepoints, prepared: every read runs two of them and every write
  /// two more, and parsing them took 8 % of the instructions of a look-up. No more than `maximumControls`, which is above
  /// what the store uses.
  private var controls: [(sql: String, statement: OpaquePointer)] = []
  private static let maximumControls = 16
  private static let controlWords = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]

  /// Nil for every other statement, and for several in one text.
  private func control(_ sql: String) throws(SQLError) -> OpaquePointer? {
    for control in controls where control.sql == sql { return control.statement }
    guard controls.count < Self.maximumControls, !sql.utf8.contains(UInt8(ascii: ";")),
      Self.controlWords.contains(where: sql.hasPrefix)
    else { return nil }
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement else { throw SQLiteError.make(handle, status) }
    controls.append((sql, statement))
    return statement
  }

  func prepare(_ sql: String) throws(SQLError) -> any SQLStatement {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement else { throw SQLiteError.make(handle, status) }
    return SQLiteStatement(statement, connection: self)
  }

  func checkpoint(_ mode: CheckpointMode) throws(SQLError) -> CheckpointResult {
    // Readers let go soon; a full disk waits for them.
    patience = mode == .truncate ? 100 : 0
    defer { patience = busyTimeout }
    let code =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate, .truncateAtOnce: SQLITE_CHECKPOINT_TRUNCATE
      }
    var (pages, copied): (Int32, Int32) = (0, 0)
    let status = sqlite3_wal_checkpoint_v2(handle, nil, code, &pages, &copied)
    guard status == SQLITE_OK else { throw SQLiteError.make(handle, status) }
    if mode != .passive { logPages = 0 }
    return CheckpointResult(pages: Int(pages), copied: Int(copied))
  }

  var logFilePages: Int? {
    var file = stat()
    guard stat(path + "-wal", &file) == 0 else { return nil }
    return Int(file.st_size) / Self.pageSize
  }

  var freePages: Int? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return nil }
    return Int(clamping: UInt64(disk.f_bavail) &* UInt64(disk.f_frsize) / UInt64(Self.pageSize))
  }

  func keepLog(pages: Int) throws(SQLError) {
    try execute("PRAGMA journal_size_limit = \(pages * Self.pageSize)")
  }

  /// Of the database; the log's pages are a little longer.
  private static let pageSize = 4096

  func error(_ status: Int32) -> SQLError { SQLiteError.make(handle, status) }
}

/// Settings of the whole library.
enum SQLiteLibrary {
  /// No locks inside connections, and no accounting of memory, which is a lock around every allocation. Where another
  /// part of the process has used the library before, its settings stay, and all works as well.
  private static let configured: Void = {
    _ = csqlite_config_multithread()
    _ = csqlite_config_memstatus_off()
    // Before the first connection is opened; where it fails, none can be.
    _ = csqlitevfs_register()
  }()

  static func configure() { configured }
}

enum SQLiteError {
  static func make(_ handle: OpaquePointer?, _ status: Int32) -> SQLError {
    let code = handle.map { sqlite3_extended_errcode($0) } ?? status
    let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
    let kind: SQLError.Kind =
      switch (code, code & 0xFF) {
      // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY: macros that Swift does not import.
      case (2067, _), (1555, _): .unique
      case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): .busy
      case (_, SQLITE_INTERRUPT): .interrupted
      case (_, SQLITE_FULL): .full
      // SQLITE_IOERR_NOMEM, a macro as well.
      case (3082, _), (_, SQLITE_NOMEM): .memory
      case (_, SQLITE_IOERR), (_, SQLITE_CANTOPEN):
        hasNoRoom(handle) ? .full : code & 0xFF == SQLITE_IOERR ? .io : .other
      default: .other
      }
    return SQLError(kind: kind, code: code, message: message)
  }
  /// True where the system had no room for what was to be written, which the engine tells as such for some calls only.
  private static func hasNoRoom(_ handle: OpaquePointer?) -> Bool {
    guard let handle else { return false }
    return [ENOSPC, EDQUOT, EFBIG].contains(sqlite3_system_errno(handle))
  }
}
