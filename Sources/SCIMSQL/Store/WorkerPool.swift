import Foundation
import SCIMCore

/// A few threads with readers of their own, for requests that would hold up a loop.
///
/// A request ends at its deadline, and when nobody waits for its answer any more; one that has been abandoned before its
/// turn comes is dropped.
///
/// Organisations are served in turn, and none has all threads: where there are several, one is left for the others even
/// while nobody else asks, so that whoever comes next finds a free one instead of waiting for the end of a long read.
/// Reads of an organisation that has too many waiting already are refused.
public final class WorkerPool: @unchecked Sendable {
  public typealias Job = @Sendable (any StoreReader) -> Void

  // Unchecked: what changes is touched under `condition` alone; each reader by its own thread alone.
  private let condition = NSCondition()
  private var queue = FairQueue<Waiting>()
  /// How many threads work for an organisation now.
  private var busy: [OrganizationID?: Int] = [:]
  private var isClosing = false
  private var running = 0
  /// The most threads that work for one organisation.
  private let share: Int
  private let maximumWaiting: Int
  private let limit: SearchLimit
  private let clock: @Sendable () -> UInt64
  /// True for an organisation whose requests are not to be begun now.
  private var isHeldBack: @Sendable (OrganizationID?) -> Bool = { _ in false }
  /// How long a request may be held back, in nanoseconds.
  private var patience: UInt64 = 0

  private struct Waiting {
    var job: Job
    var isAbandoned: @Sendable () -> Bool
    var refused: @Sendable (SCIMError) -> Void
    /// Until when it may be held back.
    var end: UInt64
  }

  /// - Parameters:
  ///   - count: how many threads, at least 1.
  ///   - maximumWaiting: how many requests of one organisation may wait.
  ///   - limit: how long each may take, once its turn has come.
  ///   - clock: nanoseconds that only go forward.
  init(
    count: Int, maximumWaiting: Int, limit: SearchLimit, clock: @escaping @Sendable () -> UInt64,
    makeReader: () throws(SCIMError) -> SQLReader
  ) throws(SCIMError) {
    let count = max(count, 1)
    share = max(count - 1, 1)
    self.maximumWaiting = max(maximumWaiting, 1)
    self.limit = limit
    self.clock = clock
    for number in 0..<count {
      let reader = SendableReader(reader: try makeReader())
      let thread = Thread { [self] in work(reader.reader) }
      thread.name = "store-worker-\(number)"
      running += 1
      thread.start()
    }
  }

  /// Has requests wait in their queue while `isHeldBack` is true of their organisation, for `patience` milliseconds at
  /// most. Whoever makes it false again calls `wake`.
  public func holdBack(patience: Int = 10_000, while isHeldBack: @escaping @Sendable (OrganizationID?) -> Bool) {
    condition.lock()
    self.isHeldBack = isHeldBack
    self.patience = UInt64(max(patience, 0)) * 1_000_000
    condition.unlock()
  }

  /// Has the threads look again at what is held back.
  public func wake() {
    condition.lock()
    condition.broadcast()
    condition.unlock()
  }

  /// Queues a request of an organisation, or of none; `job` runs on a worker's thread with a fresh snapshot and a budget,
  /// or not at all where it has been abandoned.
  ///
  /// - Parameters:
  ///   - isAbandoned: true once nobody waits for the answer; asked from any thread, often.
  ///   - refused: called in the place of `job`, on a worker's thread where it was held back too long, on that of `close`
  ///     where the server stops.
  /// - Throws: `tooManyRequests` where too many of its requests wait, `unavailable` after `close`.
  public func submit(
    for organization: OrganizationID?, isAbandoned: @escaping @Sendable () -> Bool = { false },
    refused: @escaping @Sendable (SCIMError) -> Void = { _ in }, _ job: @escaping Job
  ) throws(SCIMError) {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosing else { throw .stopping }
    if queue.count(of: organization) >= maximumWaiting { queue.removeAll(of: organization) { $0.isAbandoned() } }
    guard queue.count(of: organization) < maximumWaiting else { throw .tooManyWaiting }
    let end = clock() &+ patience
    queue.append(Waiting(job: job, isAbandoned: isAbandoned, refused: refused, end: end), of: organization)
    condition.signal()
  }

  /// Finishes what is queued and somebody waits for, and ends the threads.
  ///
  /// - Parameter discarding: refuses all that is queued.
  func close(discarding: Bool) {
    var discarded: [Waiting] = []
    condition.lock()
    isClosing = true
    while discarding, let next = queue.takeFirst() { discarded.append(next.element) }
    condition.broadcast()
    condition.unlock()
    for waiting in discarded { waiting.refused(.stopping) }
    condition.lock()
    while running > 0 { condition.wait() }
    condition.unlock()
  }

  private func work(_ reader: SQLReader) {
    while let (organization, waiting, isLate) = take() {
      if isLate {
        waiting.refused(.tooManyUnread)
      } else if !waiting.isAbandoned() {
        reader.budget = limit.budget(isAbandoned: waiting.isAbandoned)
        waiting.job(reader)
      }
      // An idle snapshot would keep the log from being emptied.
      reader.release()
      finish(organization)
    }
    reader.close()
    condition.lock()
    running -= 1
    condition.broadcast()
    condition.unlock()
  }

  private func finish(_ organization: OrganizationID?) {
    condition.lock()
    let left = busy[organization, default: 1] - 1
    busy[organization] = left > 0 ? left : nil
    condition.unlock()
  }

  /// Waits for a job, or for one that was held back too long; nil when closing and there are none left.
  private func take() -> (organization: OrganizationID?, waiting: Waiting, isLate: Bool)? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      var isHoldingBack = false
      let next = queue.takeFirst { organization, _ in
        guard busy[organization, default: 0] < share else { return false }
        guard !isClosing, isHeldBack(organization) else { return true }
        isHoldingBack = true
        return false
      }
      if let (organization, waiting) = next { return begin(organization, waiting, isLate: false) }
      guard isHoldingBack else {
        if isClosing, queue.isEmpty { return nil }
        condition.wait()
        continue
      }
      let now = clock()
      let late = queue.takeFirst { organization, waiting in
        isHeldBack(organization) && (waiting.end <= now || waiting.isAbandoned())
      }
      if let (organization, waiting) = late { return begin(organization, waiting, isLate: true) }
      // Only to look for what is late: `wake` ends the wait where requests may go on.
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5))
    }
  }

  private func begin(
    _ organization: OrganizationID?, _ waiting: Waiting, isLate: Bool
  ) -> (organization: OrganizationID?, waiting: Waiting, isLate: Bool) {
    busy[organization, default: 0] += 1
    // A thread that waits, since one organisation had its share, may go on now.
    if !queue.isEmpty { condition.signal() }
    return (organization, waiting, isLate)
  }
}

/// Hands a reader to the thread that will be its only user.
private struct SendableReader: @unchecked Sendable {
  // Unchecked: made before its thread starts, and not touched by the maker afterwards.
  let reader: SQLReader
}
