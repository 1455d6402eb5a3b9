import SCIMCore

/// Reads over one connection, of one snapshot at a time.
///
/// The snapshot is held across calls, since beginning one costs as much as reading a row does. It is renewed as soon as
/// this process has committed anything, so that whoever wrote reads what was written; and after a millisecond, so that
/// commits of other processes are seen.
public class SQLReader: StoreReader {
  let connection: any SQLConnection
  let statements: StatementCache
  let registries: SchemaRegistries
  let pages: PageMemory
  private let dialect: Dialect
  private let commits: CommitCounter
  /// True where what is read has been committed; false in a transaction.
  var isSnapshot: Bool { true }
  public var budget = WorkBudget.unlimited
  /// How long a search may take; nil where there is no limit.
  var searchLimit: SearchLimit?
  private var isHeld = false
  private var isPinned = false
  private var heldCommits: UInt64 = 0
  private var heldSince: UInt64 = 0
  private var dataVersion: Int64?
  /// Counts the snapshots that differ from the one before; what is remembered of one is checked again in the next.
  private(set) var snapshot: UInt64 = 0
  var names = NameCache()
  var keys = KeyCache()
  /// Nil where what is read changes under the reader, as in a transaction that writes.
  var linkCache: LinkCache? = LinkCache()

  init(
    connection: any SQLConnection, dialect: Dialect, registries: SchemaRegistries, commits: CommitCounter,
    pages: PageMemory
  ) {
    self.pages = pages
    self.connection = connection
    self.dialect = dialect
    self.registries = registries
    self.commits = commits
    statements = StatementCache(connection)
  }

  /// True where what this reader sees is committed, so that a registry made of it is one for all readers.
  var sharesRegistries: Bool { true }

  /// Another process may commit this often before it is seen.
  private static let maximumAge: UInt64 = 1_000_000

  /// Makes sure that what follows reads a present snapshot. To be called first by each public read.
  func enter() throws(SCIMError) {
    if isPinned { return }
    let now = Deadline.monotonic()
    let count = commits.value
    if isHeld {
      if count == heldCommits, now &- heldSince < Self.maximumAge { return }
      release()
    }
    do throws(SQLError) { try connection.execute(dialect.beginRead) } catch { throw error.storeError }
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

  /// Forgets what was remembered of the last snapshot unless nothing has been committed since.
  private func noteChanges() throws(SCIMError) {
    if let query = dialect.dataVersion {
      let version = try statements.get(SQLFragment(trusted: query)).first { $0.integer(0) }
      if version == dataVersion { return }
      dataVersion = version
    }
    snapshot &+= 1
    linkCache?.removeAll()
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
  public func hold() throws(SCIMError) {
    try enter()
    isPinned = true
  }

  public func release() {
    isPinned = false
    guard isHeld else { return }
    isHeld = false
    // Ending a read transaction fails only where the engine has ended it already.
    try? connection.execute("COMMIT")
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
