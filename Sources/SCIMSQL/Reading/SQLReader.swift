import SCIMCore

/// Reads over one connection, of one snapshot at a time.
///
/// The snapshot is held across calls, since beginning one costs as much as reading a row does. But for `snapshot` and
/// `hold` it is renewed as soon as this process has committed anything, so that whoever wrote reads what was written; and
/// after a millisecond, so that commits of other processes are seen.
public class SQLReader: StoreReader {
  let connection: any SQLConnection
  let statements: StatementCache
  let registries: SchemaRegistries
  let pages: PageMemory
  private let dialect: Dialect
  private let commits: CommitCounter
  /// True where what is read has been committed; false in a transaction.
  var isSnapshot: Bool { true }
  private let watch: EngineWatch
  public var budget: WorkBudget {
    get { watch.budget }
    set { watch.budget = newValue }
  }
  private var isHeld = false
  /// True between `hold` and `release`.
  private var isPinned = false
  /// How many calls are under way that are to see one snapshot.
  private var pins = 0
  private var heldCommits: UInt64 = 0
  private var heldSince: UInt64 = 0
  private var dataVersion: Int64?
  /// Counts the snapshots that differ from the one before; what is remembered of one is checked again in the next.
  private(set) var snapshot: UInt64 = 0
  /// Those of the snapshot.
  private var revisions = Revisions()
  var names: NameCache
  var keys = KeyCache()
  /// Nil where what is read changes under the reader, as in a transaction that writes.
  var linkCache: LinkCache? = LinkCache()

  init(
    connection: any SQLConnection, dialect: Dialect, registries: SchemaRegistries, commits: CommitCounter,
    pages: PageMemory, failures: EngineFailure? = nil
  ) {
    self.pages = pages
    self.connection = connection
    self.dialect = dialect
    self.registries = registries
    self.commits = commits
    watch = EngineWatch(failures: failures)
    statements = StatementCache(connection, watch: watch)
    names = NameCache(isTentative: failures != nil)
  }

  /// Has the engine's work taken from the budget as well; only for connections that do not write, where an end in the
  /// middle undoes nothing.
  func watchEngine() { watch.attach(to: connection) }

  /// True where what this reader sees is committed, so that a registry made of it is one for all readers.
  var sharesRegistries: Bool { true }

  /// The change of that number where it was planned in this process.
  func plannedChange(of organization: OrganizationID, number: Int64) -> PendingChange? {
    registries.change(of: organization, number: number)
  }

  /// Called where definitions are read, which takes long where they are many.
  func noteLoading() {}

  /// Another process may commit this often before it is seen.
  private static let maximumAge: UInt64 = 1_000_000

  /// Makes sure that what follows reads a present snapshot. To be called first by each public read.
  func enter() throws(SCIMError) {
    if isPinned || pins > 0 {
      // An error may have made the engine end the snapshot; what is read now would be of another.
      guard connection.isInTransaction else { throw SCIMError(.internalError, "database: the snapshot has ended") }
      return
    }
    let now = Deadline.monotonic()
    let count = commits.value
    if isHeld {
      if count == heldCommits, now &- heldSince < Self.maximumAge, connection.isInTransaction { return }
      release()
    }
    do throws(SQLError) {
      // Where the last one could not be ended, it is ended now.
      if connection.isInTransaction { try connection.execute("ROLLBACK") }
      try connection.execute(dialect.beginRead)
    } catch {
      throw error.storeError
    }
    isHeld = true
    // The counter was read before the snapshot is taken: at worst it is renewed once more than needed.
    heldCommits = count
    heldSince = now
    do throws(SCIMError) {
      try noteChanges()
    } catch {
      // What is remembered is good for no snapshot that nothing is known of.
      release()
      dataVersion = nil
      throw error
    }
  }

  /// The revisions that what is read now goes with.
  func presentRevisions() throws(SCIMError) -> Revisions { isSnapshot ? revisions : try readRevisions() }

  /// Makes sure that what follows reads a snapshot: the one that is held, whatever its age, so that what belongs together
  /// is of one state.
  func stay() throws(SCIMError) {
    if isHeld, connection.isInTransaction { return }
    try enter()
  }

  /// As `enter`, for a call that makes others: until `unpin` all of them see this snapshot.
  func pin() throws(SCIMError) {
    try enter()
    pins += 1
  }

  func unpin() { pins -= 1 }

  /// Forgets what was remembered of the last snapshot unless nothing has been committed since.
  private func noteChanges() throws(SCIMError) {
    if let query = dialect.dataVersion {
      let version = try statements.get(SQLFragment(trusted: query)).first { $0.integer(0) }
      if let version, version == dataVersion { return }
      dataVersion = version
    }
    revisions = try readRevisions()
    linkCache?.check(revisions)
    snapshot &+= 1
  }

  public func snapshotNumber() throws(SCIMError) -> UInt64 {
    try enter()
    return snapshot
  }

  /// Makes sure that the index is what the documents say; only in a transaction it may lag behind them.
  func settle() throws(SCIMError) {}

  /// As `settle`, for the rows of one attribute.
  func settle(_ attribute: Int64) throws(SCIMError) {}

  /// Takes a snapshot that stays until `release`, whatever is committed meanwhile; for long reads.
  func hold() throws(SCIMError) {
    try enter()
    isPinned = true
  }

  /// As `hold`, until `endSnapshot`; where a snapshot is held already, that one.
  ///
  /// - Returns: whether one was, for `endSnapshot`.
  func beginSnapshot() throws(SCIMError) -> Bool {
    let wasPinned = isPinned
    try hold()
    return wasPinned
  }

  /// Leaves what was held before, by `hold` or by a call that makes others, as it was.
  func endSnapshot(_ wasPinned: Bool) {
    guard !wasPinned else { return }
    isPinned = false
    if pins == 0 { release() }
  }

  public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    let before = try beginSnapshot()
    defer { endSnapshot(before) }
    return try body()
  }

  public func release() {
    isPinned = false
    guard isHeld else { return }
    isHeld = false
    // Where the engine has ended it by itself there is nothing to do; where it fails, `enter` ends it.
    if connection.isInTransaction { try? connection.execute("COMMIT") }
  }

  /// Ends the snapshot and the connection; nothing may be called afterwards.
  func close() {
    release()
    statements.removeAll()
    connection.close()
  }

  /// Marks the next snapshot for one that is not held by a transaction of its own.
  func beginTransaction() { snapshot &+= 1 }
}
