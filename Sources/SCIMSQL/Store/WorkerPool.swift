import Foundation
import SCIMCore

/// A few threads with readers of their own, for reads that would hold up a loop.
///
/// Organisations are served in turn, and none has all threads: where there are several, one is left for the others even
/// while nobody else asks, so that whoever comes next finds a free one instead of waiting for the end of a long read.
/// Reads of an organisation that has too many waiting already are refused.
public final class WorkerPool: @unchecked Sendable {
  public typealias Job = @Sendable (any StoreReader) -> Void

  // Unchecked: what changes is touched under `condition` alone; each reader by its own thread alone.
  private let condition = NSCondition()
  private var queue = FairQueue<Job>()
  /// How many threads work for an organisation now.
  private var busy: [OrganizationID?: Int] = [:]
  private var isClosing = false
  private var running = 0
  /// The most threads that work for one organisation.
  private let share: Int
  private let maximumWaiting: Int

  /// - Parameters:
  ///   - count: how many threads, at least 1.
  ///   - maximumWaiting: how many reads of one organisation may wait.
  init(count: Int, maximumWaiting: Int, makeReader: () throws(SCIMError) -> SQLReader) throws(SCIMError) {
    let count = max(count, 1)
    share = max(count - 1, 1)
    self.maximumWaiting = max(maximumWaiting, 1)
    for number in 0..<count {
      let reader = SendableReader(reader: try makeReader())
      let thread = Thread { [self] in work(reader.reader) }
      thread.name = "store-worker-\(number)"
      running += 1
      thread.start()
    }
  }

  /// Queues a read of an organisation, or of none; `job` runs on a worker's thread with a fresh snapshot.
  ///
  /// - Throws: `tooManyRequests` where too many of its reads wait, `unavailable` after `close`.
  public func submit(for organization: OrganizationID?, _ job: @escaping Job) throws(SCIMError) {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosing else { throw SCIMError(.unavailable, "The server is stopping.") }
    guard queue.count(of: organization) < maximumWaiting else { throw .tooManyWaiting }
    queue.append(job, of: organization)
    condition.signal()
  }

  /// Finishes what is queued and ends the threads.
  func close() {
    condition.lock()
    isClosing = true
    condition.broadcast()
    while running > 0 { condition.wait() }
    condition.unlock()
  }

  private func work(_ reader: SQLReader) {
    while let (organization, job) = take() {
      job(reader)
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
  private func take() -> (organization: OrganizationID?, job: Job)? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let (organization, job) = queue.takeFirst(where: { organization, _ in busy[organization, default: 0] < share })
      {
        busy[organization, default: 0] += 1
        // A thread that waits, since one organisation had its share, may go on now.
        if !queue.isEmpty { condition.signal() }
        return (organization, job)
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
