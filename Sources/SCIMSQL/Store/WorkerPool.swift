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

  private struct Waiting {
    var job: Job
    var isAbandoned: @Sendable () -> Bool
  }

  /// - Parameters:
  ///   - count: how many threads, at least 1.
  ///   - maximumWaiting: how many requests of one organisation may wait.
  ///   - limit: how long each may take, once its turn has come.
  init(
    count: Int, maximumWaiting: Int, limit: SearchLimit, makeReader: () throws(SCIMError) -> SQLReader
  ) throws(SCIMError) {
    let count = max(count, 1)
    share = max(count - 1, 1)
    self.maximumWaiting = max(maximumWaiting, 1)
    self.limit = limit
    for number in 0..<count {
      let reader = SendableReader(reader: try makeReader())
      let thread = Thread { [self] in work(reader.reader) }
      thread.name = "store-worker-\(number)"
      running += 1
      thread.start()
    }
  }

  /// Queues a request of an organisation, or of none; `job` runs on a worker's thread with a fresh snapshot and a budget,
  /// or not at all where it has been abandoned.
  ///
  /// - Parameter isAbandoned: true once nobody waits for the answer; asked from any thread, often.
  /// - Throws: `tooManyRequests` where too many of its requests wait, `unavailable` after `close`.
  public func submit(
    for organization: OrganizationID?, isAbandoned: @escaping @Sendable () -> Bool = { false }, _ job: @escaping Job
  ) throws(SCIMError) {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosing else { throw SCIMError(.unavailable, "The server is stopping.") }
    if queue.count(of: organization) >= maximumWaiting { queue.removeAll(of: organization) { $0.isAbandoned() } }
    guard queue.count(of: organization) < maximumWaiting else { throw .tooManyWaiting }
    queue.append(Waiting(job: job, isAbandoned: isAbandoned), of: organization)
    condition.signal()
  }

  /// Finishes what is queued and somebody waits for, and ends the threads.
  func close() {
    condition.lock()
    isClosing = true
    condition.broadcast()
    while running > 0 { condition.wait() }
    condition.unlock()
  }

  private func work(_ reader: SQLReader) {
    while let (organization, waiting) = take() {
      if !waiting.isAbandoned() {
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

  /// Waits for a job; nil when closing and there are none left.
  private func take() -> (organization: OrganizationID?, waiting: Waiting)? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let next = queue.takeFirst { organization, _ in busy[organization, default: 0] < share }
      if let (organization, waiting) = next {
        busy[organization, default: 0] += 1
        // A thread that waits, since one organisation had its share, may go on now.
        if !queue.isEmpty { condition.signal() }
        return (organization, waiting)
      }
      if isClosing, queue.isEmpty { return nil }
      condition.wait()
    }
  }
}

/// Hands a reader to the thread that will be its only user.
private struct SendableReader: @unchecked Sendable {
  // Unchecked: made before its thread starts, and not touched by the maker afterwards.
  let reader: SQLReader
}
