import CSQLite
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
      beginRead: "BEGIN", beginWrite: "BEGIN IMMEDIATE", integrityChecks: ["PRAGMA integrity_check"],
      foreignKeyChecks: ["PRAGMA foreign_key_check"])
  }

  public func connect(_ role: SQLConnectionRole) throws(SQLError) -> any SQLConnection {
    let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    connection.busyTimeout = Int32(clamping: options.busyTimeoutMilliseconds)
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
}
