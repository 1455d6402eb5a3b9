/// How connections to SQLite are tuned.
public struct SQLiteOptions: Sendable {
  /// When a commit counts as done.
  public enum Synchronous: String, Sendable, CaseIterable {
    /// On disk before COMMIT returns.
    case full = "FULL"
    /// In the kernel: a power failure may take the last commits back.
    case normal = "NORMAL"
    /// For throw-away databases.
    case off = "OFF"
  }

  public var synchronous: Synchronous
  /// How much of the file each connection maps; Debian's library takes up to 2 GiB. These are pages of the file, no
  /// private memory.
  public var mappedBytes: Int64
  /// Private memory of each reader for pages that are not mapped.
  public var readerCacheKilobytes: Int
  /// Private memory of the writer for pages that it changes.
  public var writerCacheKilobytes: Int
  /// How long a connection waits for another process.
  public var busyTimeoutMilliseconds: Int

  public init(
    synchronous: Synchronous = .full, mappedBytes: Int64 = 2 << 30, readerCacheKilobytes: Int = 2048,
    writerCacheKilobytes: Int = 16384, busyTimeoutMilliseconds: Int = 5000
  ) {
    self.synchronous = synchronous
    self.mappedBytes = mappedBytes
    self.readerCacheKilobytes = readerCacheKilobytes
    self.writerCacheKilobytes = writerCacheKilobytes
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }
}
