import Foundation
import SCIMCore

/// The one thread that writes: it takes what waits, up to a limit, runs each in a savepoint of one transaction, commits,
/// and then calls the completions. Organisations are served in turn.
final class Writer: @unchecked Sendable {
  // Unchecked: `queue` and `isClosing` are touched under `condition` alone; connection and transaction by the writer's
  // thread alone once it has started.
  private let condition = NSCondition()
  private var queue = FairQueue<any AnyWriteJob>()
  private var isClosing = false
  private let stopped = DispatchSemaphore(value: 0)
  private let connection: any SQLConnection
  private let transaction: SQLTransaction
  private let dialect: Dialect
  private let limit: Int
  private let maximumLogPages: Int
  /// From which length of the log on the writer stops for it. Put off where a reader stays on an old snapshot, since
  /// stopping again and again would not help.
  private var logLimit: Int
  private let commits: CommitCounter
  private let didCommit: @Sendable (_ logPages: Int) -> Void

  init(
    connection: any SQLConnection, transaction: SQLTransaction, dialect: Dialect, limit: Int,
    maximumLogPages: Int, commits: CommitCounter, didCommit: @escaping @Sendable (_ logPages: Int) -> Void
  ) {
    self.connection = connection
    self.transaction = transaction
    self.dialect = dialect
    self.limit = max(limit, 1)
    self.maximumLogPages = max(maximumLogPages, 1)
    logLimit = self.maximumLogPages
    self.commits = commits
    self.didCommit = didCommit
    let thread = Thread { [self] in work() }
    thread.name = "store-writer"
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Queues a job; after `close` it is refused.
  func add(_ job: any AnyWriteJob) {
    condition.lock()
    let isRefused = isClosing
    if !isRefused {
      if queue.isEmpty { condition.signal() }
      queue.append(job, of: job.organization)
    }
    condition.unlock()
    if isRefused { job.finish(SCIMError(.unavailable, "The server is stopping.")) }
  }

  /// Finishes what is queued and ends the thread.
  func close() {
    condition.lock()
    let isFirst = !isClosing
    isClosing = true
    condition.signal()
    condition.unlock()
    if isFirst { stopped.wait() }
  }

  private func work() {
    while let batch = take() {
      let outcomes = write(batch)
      for (job, outcome) in zip(batch, outcomes) { job.finish(outcome) }
      restartLog()
    }
    connection.close()
    stopped.signal()
  }

  /// Waits for jobs; nil when closing and there are none left.
  private func take() -> [any AnyWriteJob]? {
    condition.lock()
    defer { condition.unlock() }
    while queue.isEmpty {
      if isClosing { return nil }
      condition.wait()
    }
    var batch: [any AnyWriteJob] = []
    var room = limit
    // One that is heavier than what is left of the batch begins the next: it runs whole, but holds up nobody lighter.
    while room > 0, let job = queue.takeFirst(where: { batch.isEmpty || $1.weight <= room })?.element {
      room -= job.weight
      batch.append(job)
    }
    return batch
  }

  /// Writes a batch in one transaction; gives for each job the error that undid it.
  private func write(_ batch: [any AnyWriteJob]) -> [SCIMError?] {
    var outcomes = [SCIMError?](repeating: nil, count: batch.count)
    do throws(SCIMError) {
      try begin()
      if batch.count == 1 {
        try runAlone(batch[0])
      } else {
        for index in batch.indices { outcomes[index] = try runInSavepoint(batch[index]) }
      }
      try transaction.finish()
      try execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      transaction.rolledBack()
      // Also where one was refused by itself: the reason may have been what another did that is undone now.
      return batch.map { _ in error }
    }
    transaction.committed()
    commits.increment()
    didCommit(connection.logPages)
    return outcomes
  }

  /// Copies a log that has grown too long, with nobody writing: copying beside a busy writer never comes to its end,
  /// and only a log that is copied whole begins anew.
  private func restartLog() {
    let pages = connection.logPages
    if pages < maximumLogPages { logLimit = maximumLogPages }
    guard pages >= logLimit else { return }
    do throws(SQLError) {
      try connection.checkpoint(.restart)
      logLimit = maximumLogPages
    } catch {
      logLimit = pages + maximumLogPages / 2
    }
  }

  private func begin() throws(SCIMError) {
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
    do throws(SQLError) { try connection.execute(sql) } catch { throw error.writeError }
  }
}
