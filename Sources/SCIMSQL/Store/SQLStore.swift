import SCIMCore

/// The store over an SQL engine: many readers, one writer, checkpoints and long reads on threads of their own.
public final class SQLStore: Store {
  /// For reads that may take long; a loop answers the others itself.
  public let workers: WorkerPool
  private let driver: any SQLDriver
  var dialect: Dialect { driver.dialect }
  private let registries: SchemaRegistries
  private let commits: CommitCounter
  private let pages: PageMemory
  private let writer: Writer
  private let checkpointer: Checkpointer
  private let searchLimit: SearchLimit
  private let logState: LogState
  private let options: SQLStoreOptions
  let idleChanges = IdleChanges()

  /// Opens the database, creating or migrating it where needed.
  ///
  /// - Throws: `internalError` where a newer program wrote it, `unavailable` where another process holds it.
  ///
  /// - Parameter registry: the schemas and types that every organisation has.
  public init(
    driver: any SQLDriver, options: SQLStoreOptions = SQLStoreOptions(), registry: SchemaRegistry
  ) throws(SCIMError) {
    self.driver = driver
    let registries = SchemaRegistries(registry)
    self.registries = registries
    let commits = CommitCounter()
    self.commits = commits
    let pages = PageMemory()
    self.pages = pages
    let logState = LogState(maximumAge: options.snapshotAge)
    self.logState = logState
    self.options = options
    let searchLimit = SearchLimit(milliseconds: options.queryTimeout, clock: options.clock, log: logState)
    self.searchLimit = searchLimit
    let dialect = driver.dialect
    let connection = try Self.connect(driver, .writer)
    try Migrator().migrate(connection, dialect: dialect, now: Timestamp.now)
    let checkpointer = Checkpointer(
      connection: try Self.connect(driver, .checkpointer), step: options.pagesPerCheckpoint, log: options.log)
    self.checkpointer = checkpointer
    do throws(SCIMError) {
      workers = try WorkerPool(
        count: options.workers, maximumWaiting: options.waitingReads, limit: searchLimit, clock: options.clock
      ) { () throws(SCIMError) in
        let reader = SQLReader(
          connection: try Self.connect(driver, .reader), dialect: dialect, registries: registries, commits: commits,
          pages: pages)
        reader.watchEngine()
        return reader
      }
    } catch {
      checkpointer.close()
      throw error
    }
    let transaction = SQLTransaction(
      connection: connection, dialect: dialect, registries: registries, commits: commits, pages: pages)
    transaction.maximumHeldRows = options.heldIndexRows
    transaction.didLoad = options.didLoad
    transaction.clockLead = options.clockLead
    transaction.clockFaults = FaultLog("clock", options.log)
    writer = Writer(
      connection: connection, transaction: transaction, dialect: dialect, options: options, commits: commits,
      log: LogKeeper(checkpointer: checkpointer, state: logState, options: options))
  }

  public func makeReader() throws(SCIMError) -> any StoreReader { try reader() }

  /// A reader for reports, for the calling thread.
  public func makeGovernanceReader() throws(SCIMError) -> any GovernanceReader { try longReader() }

  /// A reader that may take long. It is ended where the log has its full length, since it cannot begin anew while an old
  /// state is read: the server on the same file could write no more.
  func longReader() throws(SCIMError) -> SQLReader {
    let reader = try reader()
    let (start, age) = (Deadline.monotonic(), UInt64(max(options.reportAge, 0)) * 1_000_000)
    let (connection, longest) = (reader.connection, options.longestLogPages)
    reader.budget = WorkBudget(limit: .max, exhaustion: .isRefused) { [unowned connection] in
      guard Deadline.monotonic() &- start > age, let pages = connection.logFilePages, pages >= longest else {
        return nil
      }
      return .snapshotTooOld
    }
    return reader
  }

  func reader() throws(SCIMError) -> SQLReader {
    let reader = SQLReader(
      connection: try Self.connect(driver, .reader), dialect: driver.dialect, registries: registries,
      commits: commits, pages: pages)
    reader.watchEngine()
    return reader
  }

  /// The budget of a read that begins now on a worker, for a reader that no worker has.
  ///
  /// - Parameter isAbandoned: true once nobody waits for what is read.
  public func workerBudget(isAbandoned: @escaping @Sendable () -> Bool = { false }) -> WorkBudget {
    searchLimit.budget(isAbandoned: isAbandoned)
  }

  public func write<Value: Sendable>(
    for organization: OrganizationID?, weight: Int,
    _ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Value,
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void
  ) {
    writer.add(WriteJob(organization: organization, weight: weight, body: body, completion: completion))
  }

  /// Finishes what is queued, checkpoints and closes.
  public func close() { close(discarding: false) }

  /// As `close`.
  ///
  /// - Parameter discarding: refuses the writes and drops the reads that are queued, and ends reads that take long: for a
  ///   server whose clients have gone.
  public func close(discarding: Bool) {
    if discarding { logState.stop() }
    writer.close(discarding: discarding)
    workers.close(discarding: discarding)
    checkpointer.close()
  }

  private static func connect(
    _ driver: any SQLDriver, _ role: SQLConnectionRole
  ) throws(SCIMError) -> any SQLConnection {
    do throws(SQLError) { return try driver.connect(role) } catch { throw error.storeError }
  }
}
