import SCIMCore

/// Reads and writes inside the writer's transaction. One instance serves all transactions of the writer.
final class SQLTransaction: SQLReader, StoreTransaction {
  private(set) var now = Timestamp(milliseconds: 0)
  private let failures: EngineFailure
  /// The first failure of the engine in this savepoint: whatever the body made of it, nothing of it may be committed.
  var failure: SCIMError? { failures.first }
  /// True where the disk was full since `prepare`.
  var ranOutOfRoom: Bool { failures.ranOutOfRoom }
  /// How far the time of the last change may push that of the next ahead of the clock.
  var clockLead: Int64 = 0
  var clockFaults: FaultLog?
  /// What is to be written to the index.
  var journal = IndexJournal()
  private var savepoint: IndexJournal.Mark?
  /// From this many held index rows on they are written, so that a long job does not hold ever more memory.
  var maximumHeldRows = 50_000
  /// The steps of the jobs before this one in the transaction.
  private var spent = 0
  /// The steps that the transaction has taken so far.
  var totalSpent: Int { spent + budget.spent }
  /// What readers must hear of with the commit.
  var revisionChanges = RevisionChanges()
  /// How far the oldest changes have been removed.
  var pruning = OutboxPruning()
  /// What others have with the commit of registries and changes that were made before the transaction.
  var prepared = PreparedDefinitions()
  /// Called where the writer itself reads definitions.
  var didLoad: (@Sendable () -> Void)?

  init(
    connection: any SQLConnection, dialect: Dialect, registries: SchemaRegistries, commits: CommitCounter,
    pages: PageMemory
  ) {
    failures = EngineFailure()
    super.init(
      connection: connection, dialect: dialect, registries: registries, commits: commits, pages: pages,
      failures: failures)
    linkCache = nil
  }

  /// What is read is the transaction's own state.
  override func enter() throws(SCIMError) {}

  override func hold() throws(SCIMError) {}

  override func release() {}

  override var sharesRegistries: Bool { false }

  override var isSnapshot: Bool { false }

  override func plannedChange(of organization: OrganizationID, number: Int64) -> PendingChange? {
    prepared.change(of: organization, number: number) ?? super.plannedChange(of: organization, number: number)
  }

  override func noteLoading() { didLoad?() }

  /// To be called before the engine begins a transaction.
  func prepare() { failures.reset() }

  /// Notes what the engine could not do for the writer.
  func note(_ error: SQLError) -> SCIMError { failures.note(error) }

  /// Begins with the time of the transaction: the clock's, but never before the last transaction of any process, unless
  /// that lies far ahead of the clock, which was wrong then.
  func begin(clock: Timestamp) throws(SCIMError) {
    beginTransaction()
    spent = 0
    budget = .write
    failures.clear()
    journal.removeAll()
    revisionChanges.removeAll()
    prepared.removeAll()
    savepoint = nil
    let last = try statements.get(.lastOutbox).first { (number: $0.integer(0), at: $0.time(1)) }
    let latest = max(now, last?.at ?? clock)
    let isAhead = latest.milliseconds - clock.milliseconds > clockLead
    now = isAhead ? clock : max(clock, latest)
    if isAhead {
      clockFaults?.begin(
        "the last change has the time \(latest.text), far ahead of the clock; it is ignored")
    } else {
      clockFaults?.end()
    }
    pruning.begin(last: last?.number ?? 0)
  }

  /// Writes what is left to be written before COMMIT.
  func finish() throws(SCIMError) {
    try settle()
    try moveRevisions()
    try pruneOutbox()
  }

  /// What was done since `begin` is committed.
  func committed() {
    names.commit()
    pruning.commit()
    prepared.publish(to: registries)
  }

  func beginSavepoint() {
    spent += budget.spent
    budget = .write
    failures.clear()
    savepoint = journal.mark()
    prepared.mark()
  }

  /// What was done since `beginSavepoint` is part of the transaction.
  func endSavepoint() {
    if let savepoint { journal.release(savepoint) }
    savepoint = nil
  }

  override func settle() throws(SCIMError) {
    if journal.isSettled { return }
    try change { () throws(SCIMError) in try writeJournal() }
  }

  override func settle(_ attribute: Int64) throws(SCIMError) {
    if journal.hasPending(attribute) { try settle() }
  }

  /// Forgets what a rollback of the savepoint, or of the whole transaction, took back.
  func rolledBack() {
    forget()
    failures.clear()
    if let savepoint { journal.rewind(to: savepoint) }
    savepoint = nil
    prepared.rewind()
  }

  /// Forgets what was learnt in this transaction: some of it may have been taken back.
  private func forget() {
    names.rollBack()
    keys = KeyCache()
    pruning.rollBack()
  }

  func attempt<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value {
    try execute("SAVEPOINT part")
    let mark = journal.mark()
    let made = prepared.count
    do throws(SCIMError) {
      let value = try body()
      try execute("RELEASE part")
      journal.release(mark)
      return value
    } catch {
      forget()
      journal.rewind(to: mark)
      prepared.rewind(to: made)
      // After a failure of the engine the whole savepoint is undone anyway.
      if failure == nil {
        try execute("ROLLBACK TO part")
        try execute("RELEASE part")
      }
      throw error
    }
  }

  private func execute(_ sql: String) throws(SCIMError) {
    try checkGoesOn()
    do throws(SQLError) { try connection.execute(sql) } catch { throw failures.note(error) }
  }

  /// Where the engine has ended the transaction by itself, each further statement would be committed on its own.
  private func checkGoesOn() throws(SCIMError) {
    if let failure { throw failure }
    guard connection.isInTransaction else {
      throw failures.note(SCIMError(.internalError, "database: the transaction has ended"))
    }
  }

  /// Runs a change; a failure inside is remembered.
  func change<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value {
    try checkGoesOn()
    do throws(SCIMError) {
      return try body()
    } catch {
      if error.kind == .internalError || error.kind == .unavailable { failures.note(error) }
      throw error
    }
  }
}

extension SQLTransaction {
  /// The number of a type, given one where it has none.
  func makeNumber(ofType name: String) throws(SCIMError) -> Int64 {
    let known = try number(ofType: name)
    if known != Self.unknown { return known }
    let statement = try statements.get(.insertType)
    statement.bind(name, at: 1)
    try statement.run()
    let number = connection.lastInsertedNumber
    names.add(type: name, number: number)
    return number
  }

  /// The number of an attribute, given one where it has none.
  func makeNumber(ofAttribute path: String, type: Int64) throws(SCIMError) -> Int64 {
    let known = try number(ofAttribute: path, type: type)
    if known != Self.unknown { return known }
    let statement = try statements.get(.insertAttribute)
    statement.bind(type, at: 1)
    statement.bind(path, at: 2)
    try statement.run()
    let number = connection.lastInsertedNumber
    names.add(attribute: path, type: type, number: number)
    return number
  }

  /// The number of a leaf of a type by its place in `indexedLeaves`, given one where it has none.
  func makeNumber(ofLeaf leaf: Int, type: ResourceType, number: Int64) throws(SCIMError) -> Int64 {
    if let known = names.number(ofLeaf: leaf, of: type, number: number) { return known }
    let made = try makeNumber(ofAttribute: type.indexedLeaves[leaf].indexPath, type: number)
    names.add(made, leaf: leaf, of: type, number: number)
    return made
  }
}
