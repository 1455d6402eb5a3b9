/// How the store batches writes and copies its log.
public struct SQLStoreOptions: Sendable {
  /// How many waiting writes share a commit, at most; 1 commits each on its own.
  public var writesPerCommit: Int
  /// The log is copied to the database each time it has grown by this many pages.
  public var pagesPerCheckpoint: Int
  /// From this many pages on, writers are held until the log can begin anew.
  public var maximumLogPages: Int
  /// Threads for long reads.
  public var workers: Int
  /// How many index rows a transaction holds back, at most, to write them in order; each takes some 100 bytes.
  public var heldIndexRows = 50_000

  public init(
    writesPerCommit: Int = 64, pagesPerCheckpoint: Int = 1000, maximumLogPages: Int = 40_000, workers: Int = 2
  ) {
    self.writesPerCommit = writesPerCommit
    self.pagesPerCheckpoint = pagesPerCheckpoint
    self.maximumLogPages = maximumLogPages
    self.workers = workers
  }
}
