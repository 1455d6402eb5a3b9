import SCIMCore

/// Reads and writes inside the writer's transaction. One instance serves all transactions of the writer.
final class SQLTransaction: SQLReader, StoreTransaction {
  private(set) var now = Timestamp(milliseconds: 0)
  /// The first failure of the engine in this savepoint: whatever the body made of it, nothing of it may be committed.
  private(set) var failure: SCIMError?
  /// Names that were given numbers in this transaction; a rollback takes them back.
  private var hasNewNames = false
  /// What is to be written to the index.
  var journal = IndexJournal()
  private var savepoint: IndexJournal.Mark?
  /// From this many held index rows on they are written, so that a long job does not hold ever more memory.
  var maximumHeldRows = 50_000
  /// How the leaves of two types go together, of the last two that were asked for: all resources of a type ask.
  var leafPlaces: (old: ResourceType, new: ResourceType, places: [Int?])?
  /// The number of the last change when the oldest were last removed.
  var pruned: Int64 = 0

  override init(
    connection: any SQLConnection, dialect: Dialect, registries: SchemaRegistries, commits: CommitCounter,
    pages: PageMemory
  ) {
    super.init(
      connection: connection, dialect: dialect, registries: registries, commits: commits, pages: pages)
    linkCache = nil
  }

  /// What is read is the transaction's own state.
  override func enter() throws(SCIMError) {}

  override func release() {}

  override var sharesRegistries: Bool { false }

  override var isSnapshot: Bool { false }

  /// Begins with the time of the transaction: the clock's, but never before the last transaction of any process.
  func begin(clock: Timestamp) throws(SCIMError) {
    beginTransaction()
    failure = nil
    journal.removeAll()
    savepoint = nil
    let last = try statements.get(.lastOutbox).first { (number: $0.integer(0), at: $0.time(1)) }
    now = max(clock, now, last?.at ?? clock)
    if let last { try pruneOutbox(upTo: last.number) }
  }

  func beginSavepoint() {
    failure = nil
    hasNewNames = false
    savepoint = journal.mark()
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

  /// Forgets what a rollback took back.
  func rolledBack() {
    if hasNewNames { names = NameCache() }
    hasNewNames = false
    failure = nil
    keys = KeyCache()
    if let savepoint { journal.rewind(to: savepoint) }
    savepoint = nil
  }

  func attempt<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value {
    try execute("SAVEPOINT part")
    let mark = journal.mark()
    do throws(SCIMError) {
      let value = try body()
      try execute("RELEASE part")
      journal.release(mark)
      return value
    } catch {
      // Where the engine has undone the whole transaction by itself there is nothing to go back to.
      if connection.isInTransaction {
        try execute("ROLLBACK TO part")
        try execute("RELEASE part")
      }
      journal.rewind(to: mark)
      if hasNewNames { names = NameCache() }
      keys = KeyCache()
      throw error
    }
  }

  private func execute(_ sql: String) throws(SCIMError) {
    do throws(SQLError) {
      try connection.execute(sql)
    } catch {
      let reason = error.storeError
      failure = failure ?? reason
      throw reason
    }
  }

  /// Runs a change; an engine failure inside is remembered.
  func change<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value {
    do throws(SCIMError) {
      return try body()
    } catch {
      if error.kind == .internalError || error.kind == .unavailable { failure = failure ?? error }
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
    hasNewNames = true
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
    hasNewNames = true
    let number = connection.lastInsertedNumber
    names.attributes[type, default: [:]][path] = number
    return number
  }

  /// The number of a leaf of a type by its place in `indexedLeaves`, given one where it has none.
  func makeNumber(ofLeaf leaf: Int, type: ResourceType, number: Int64) throws(SCIMError) -> Int64 {
    if let known = names.leaves[number], known.type === type, known.numbers[leaf] != Self.unknown {
      return known.numbers[leaf]
    }
    let made = try makeNumber(ofAttribute: type.indexedLeaves[leaf].path, type: number)
    if names.leaves[number]?.type !== type {
      names.leaves[number] = (type, [Int64](repeating: Self.unknown, count: type.indexedLeaves.count))
    }
    names.leaves[number]?.numbers[leaf] = made
    return made
  }
}
