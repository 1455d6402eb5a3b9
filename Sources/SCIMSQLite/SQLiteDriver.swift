import CSQLite
import Glibc
import SCIMSQL

/// Opens connections to one SQLite database in a file.
public struct SQLiteDriver: SQLDriver {
  public let path: String
  public let options: SQLiteOptions

  public init(path: String, options: SQLiteOptions = SQLiteOptions()) {
    self.path = path
    self.options = options
  }

  public var dialect: Dialect {
    Dialect(
      beginRead: "BEGIN", beginWrite: "BEGIN IMMEDIATE", dataVersion: "PRAGMA data_version",
      integrityChecks: ["PRAGMA integrity_check"], foreignKeyChecks: ["PRAGMA foreign_key_check"])
  }

  public func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection {
    createForOwner()
    let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    connection.busyTimeout = Int32(clamping: options.busyTimeoutMilliseconds)
    try refuseForeign(connection)
    // In this order: the log before what depends on it.
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
    try connection.execute("PRAGMA temp_store = MEMORY")
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    switch role {
    case .reader:
      try connection.execute("PRAGMA query_only = ON")
      try connection.execute("PRAGMA mmap_size = \(options.mappedBytes)")
      try connection.execute("PRAGMA cache_size = -\(options.readerCacheKilobytes)")
    case .writer:
      try connection.execute("PRAGMA foreign_keys = ON")
      try connection.execute("PRAGMA mmap_size = \(options.mappedBytes)")
      try connection.execute("PRAGMA cache_size = -\(options.writerCacheKilobytes)")
      connection.watchLog()
    case .checkpointer:
      try connection.execute("PRAGMA cache_size = -256")
    }
    return connection
  }

  /// Makes a file that is not there yet readable by its owner alone, since it will hold what is told of people; the
  /// engine gives the log the same permissions. One that is there is not touched.
  private func createForOwner() {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Refuses a database with tables of which none is ours, before anything in it is changed.
  private func refuseForeign(_ connection: SQLiteConnection) throws(SQLError) {
    let statement = try connection.prepare(
      "SELECT count(*), coalesce(sum(name = 'migration'), 0) FROM sqlite_master WHERE type = 'table'")
    defer { statement.reset() }
    guard try statement.step(), statement.integer(0) > 0, statement.integer(1) == 0 else { return }
    throw SQLError(
      kind: .other, code: SQLITE_NOTADB, message: "the file is a database of another program")
  }
}
