import Foundation
import Glibc
import SCIMCore

/// The one thread that writes: it takes what waits, up to a limit, runs each in a savepoint of one transaction, commits,
/// and then calls the completions. Organisations are served in turn.
final class Writer: @unchecked Sendable {
  // Unchecked: `queue`, the two flags and `own` are touched under `condition` alone; the rest by the writer's thread alone once it
  // has started.
  private let condition = NSCondition()
  private var queue: WriteQueue
  private var isClosing = false
  private var isDiscarding = false
  /// The thread that writes, once it runs.
  private var own: pthread_t?
  private let stopped = DispatchSemaphore(value: 0)
  private let connection: any SQLConnection
  private let transaction: SQLTransaction
  private let dialect: Dialect
  private let limit: Int
  private let commits: CommitCounter
  private let log: LogKeeper
  private let faults: FaultLog
  private let didWrite: (@Sendable (_ steps: Int) -> Void)?

  init(
    connection: any SQLConnection, transaction: SQLTransaction, dialect: Dialect, options: SQLStoreOptions,
    commits: CommitCounter, log: LogKeeper
  ) {
    self.connection = connection
    self.transaction = transaction
    self.dialect = dialect
    limit = max(options.writesPerCommit, 1)
    queue = WriteQueue(maximumWaiting: options.waitingWrites, maximumWeight: options.waitingWeight)
    self.commits = commits
    self.log = log
    faults = FaultLog("writing", options.log)
    didWrite = options.didWrite
    let thread = Thread { [self] in work() }
    thread.name = "store-writer"
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Queues a job. It is refused where its organisation has too many waiting, unless it goes on with one that has just been
  /// written, and after `close`.
  func add(_ job: any AnyWriteJob) {
    condition.lock()
    var refusal: SCIMError?
    if isClosing {
      refusal = .stopping
    } else {
      let wasEmpty = queue.isEmpty
      // From a completion: what has been begun in one transaction is not left half done.
      let goesOn = own.map { pthread_equal($0, pthread_self()) != 0 } ?? false
      if !queue.append(job, goesOn: goesOn) { refusal = .tooManyWaiting }
      if wasEmpty { condition.signal() }
    }
    condition.unlock()
    if let refusal { job.finish(refusal) }
  }

  /// Ends the thread.
  ///
  /// - Parameter discarding: refuses what is queued instead of writing it.
  func close(discarding: Bool) {
    condition.lock()
    let isFirst = !isClosing
    isClosing = true
    if discarding { isDiscarding = true }
    condition.signal()
    condition.unlock()
    if isFirst { stopped.wait() }
  }

  private func work() {
    condition.lock()
    own = pthread_self()
    condition.unlock()
    while let batch = take() {
      let outcomes = write(batch)
      for (job, outcome) in zip(batch, outcomes) { job.finish(outcome) }
      putBack(batch.dropFirst(outcomes.count))
      log.tend(connection)
    }
    // Nothing is queued any more, so that the queue is this thread's alone.
    while let job = queue.takeFirst(where: { _ in true }) { job.finish(.stopping) }
    connection.close()
    stopped.signal()
  }

  /// Waits for jobs; nil when closing and there is none left to be written.
  private func take() -> [any AnyWriteJob]? {
    condition.lock()
    defer { condition.unlock() }
    while queue.isEmpty {
      if isClosing { return nil }
      if log.isFull {
        if condition.wait(until: Date(timeIntervalSinceNow: 0.1)) { continue }
        log.retry(connection)
      } else {
        condition.wait()
      }
    }
    if isDiscarding { return nil }
    var batch: [any AnyWriteJob] = []
    var room = limit
    // One that is heavier than what is left of the batch begins the next: it runs whole, but holds up nobody lighter.
    while room > 0, let job = queue.takeFirst(where: { batch.isEmpty || $0.weight <= room }) {
      room -= job.weight
      batch.append(job)
    }
    return batch
  }

  /// Puts jobs in front of the others again.
  private func putBack(_ jobs: ArraySlice<any AnyWriteJob>) {
    guard !jobs.isEmpty else { return }
    condition.lock()
    for job in jobs.reversed() { queue.putBack(job) }
    condition.unlock()
  }

  /// Writes a batch; gives for each job the error that undid it. Where the first ones take as many steps as one write
  /// may, the others, for which nothing is given, are left for the next transaction: nobody's small write waits for many
  /// large ones.
  private func write(_ batch: [any AnyWriteJob]) -> [SCIMError?] {
    if let refusal = log.waitForRoom(connection) { return batch.map { _ in refusal } }
    var (outcomes, isCommitted) = commit(batch, wholeOrNot: true)
    // The log may hold what is in the database already. What is of no organisation is to be run once only.
    if !isCommitted, transaction.ranOutOfRoom, batch.allSatisfy({ $0.organization != nil }), log.makeRoom(connection) {
      (outcomes, isCommitted) = commit(batch, wholeOrNot: false)
    }
    if transaction.ranOutOfRoom { faults.begin("the disk is full") } else if isCommitted { faults.end() }
    return outcomes
  }

  /// Writes a batch in one transaction; gives for each job that was run the error that undid it, and whether there was a
  /// commit.
  ///
  /// - Parameter wholeOrNot: undoes all where one finds no room on the disk.
  private func commit(_ batch: [any AnyWriteJob], wholeOrNot: Bool) -> (outcomes: [SCIMError?], isCommitted: Bool) {
    var outcomes: [SCIMError?] = []
    do throws(SCIMError) {
      try begin()
      if batch.count == 1 {
        try runAlone(batch[0])
        outcomes.append(nil)
      } else {
        for job in batch {
          if !outcomes.isEmpty, transaction.totalSpent >= WorkBudget.writeLimit { break }
          let outcome = try runInSavepoint(job)
          outcomes.append(outcome)
          if wholeOrNot, transaction.ranOutOfRoom, let outcome { throw outcome }
        }
      }
      try transaction.finish()
      try execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      transaction.rolledBack()
      // Also where one was refused by itself: the reason may have been what another did that is undone now.
      return (batch.map { _ in error }, false)
    }
    transaction.committed()
    commits.increment()
    log.grew(to: connection.logPages)
    didWrite?(transaction.totalSpent)
    return (outcomes, true)
  }

  private func begin() throws(SCIMError) {
    transaction.prepare()
    // Another process may be writing; the engine waits for as long as it was told, and so many times.
    var attempt = 1
    while true {
      do throws(SCIMError) {
        // Where the last one could not be undone, it is undone now.
        if connection.isInTransaction { try execute("ROLLBACK") }
        try execute(dialect.beginWrite)
        break
      } catch {
        guard error.kind == .unavailable, attempt < 3 else { throw error }
        attempt += 1
      }
    }
    try transaction.begin(clock: Timestamp.now)
  }

  /// The only job of a transaction needs no savepoint: the transaction is undone with it.
  private func runAlone(_ job: any AnyWriteJob) throws(SCIMError) {
    transaction.beginSavepoint()
    try job.run(in: transaction)
    try checkTransaction()
    transaction.endSavepoint()
  }

  /// Gives what undid the job. Throws where the transaction as a whole is lost.
  private func runInSavepoint(_ job: any AnyWriteJob) throws(SCIMError) -> SCIMError? {
    try execute("SAVEPOINT job")
    transaction.beginSavepoint()
    var undoing: SCIMError?
    do throws(SCIMError) {
      try job.run(in: transaction)
      try checkTransaction()
    } catch {
      undoing = error
    }
    guard let undoing else {
      try execute("RELEASE job")
      transaction.endSavepoint()
      return nil
    }
    // Where the engine has undone the whole transaction by itself, the other jobs went with it.
    guard connection.isInTransaction else { throw transaction.failure ?? undoing }
    try execute("ROLLBACK TO job")
    try execute("RELEASE job")
    transaction.rolledBack()
    return undoing
  }

  /// - Throws: what makes it impossible to commit what was done.
  private func checkTransaction() throws(SCIMError) {
    if let failure = transaction.failure { throw failure }
    guard connection.isInTransaction else {
      throw SCIMError(.internalError, "database: the transaction has ended")
    }
  }

  private func execute(_ sql: String) throws(SCIMError) {
    do throws(SQLError) { try connection.execute(sql) } catch { throw transaction.note(error) }
  }
}
