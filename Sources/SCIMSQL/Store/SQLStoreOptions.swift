/// How the store batches writes, copies its log, and bounds what one organisation can ask of it.
public struct SQLStoreOptions: Sendable {
  /// How many waiting writes share a commit, at most, each operation of a Bulk request counted; 1 commits each on its own.
  public var writesPerCommit: Int
  /// The log is copied to the database each time it has grown by this many pages.
  public var pagesPerCheckpoint: Int
  /// From this many pages on, the log begins anew as soon as nobody reads an old state. On a disk with little room sooner.
  public var maximumLogPages: Int
  /// The length that the log never exceeds by more than one transaction: writes wait a little, and are then refused until
  /// it has begun anew.
  public var longestLogPages = 262_144
  /// How long writes wait there, in milliseconds.
  public var logPatience = 1000
  /// How old the snapshot of a search may be there, in milliseconds, before it is ended.
  public var snapshotAge = 1000
  /// How old that of a report or a check may be there, in milliseconds.
  public var reportAge = 10_000
  /// Threads for long reads. Where there are several, one organisation has all but one of them at most.
  public var workers: Int
  /// How many index rows a transaction holds back, at most, to write them in order; each takes some 100 bytes.
  public var heldIndexRows = 50_000
  /// How many long reads of one organisation may wait; more are refused.
  public var waitingReads = 256
  /// How many writes of one organisation may wait; more are refused.
  public var waitingWrites = 1024
  /// How much they may weigh together: about 8 KiB of requests each.
  public var waitingWeight = 8192
  /// How far ahead of the clock the time of a change may be, in milliseconds, because that of the last one is.
  public var clockLead: Int64 = 3_600_000
  /// Takes a note of each trouble with the engine, and of its end.
  public var log: @Sendable (StoreNote) -> Void = { _ in }
  /// How long a read on a worker may take, in milliseconds; 0 sets no limit. Not for those in a transaction, nor for
  /// reports.
  public var queryTimeout = 0
  /// Told, on the writer's thread, after each commit how many steps of work its jobs took together.
  public var didWrite: (@Sendable (_ steps: Int) -> Void)?
  /// Told, on the writer's thread, where it reads the definitions of an organisation or a change of them itself.
  public var didLoad: (@Sendable () -> Void)?
  /// The clock of the limit of time, in nanoseconds.
  public var clock: @Sendable () -> UInt64 = Deadline.monotonic

  public init(
    writesPerCommit: Int = 64, pagesPerCheckpoint: Int = 1000, maximumLogPages: Int = 40_000, workers: Int = 3
  ) {
    self.writesPerCommit = writesPerCommit
    self.pagesPerCheckpoint = pagesPerCheckpoint
    self.maximumLogPages = maximumLogPages
    self.workers = workers
  }
}
