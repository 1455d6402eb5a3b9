import Foundation
import SCIMCore

/// A few threads with readers of their own, for reads that would hold up a loop.
public final class WorkerPool: @unchecked Sendable {
  public typealias Job = @Sendable (any StoreReader) -> Void

  // Unchecked: the queue and the flag are touched under `condition` alone; each reader by its own thread alone.
  private let condition = NSCondition()
  private var queue: [Job] = []
  private var isClosing = false
  private var running = 0

  init(count: Int, makeReader: () throws(SCIMError) -> SQLReader) throws(SCIMError) {
    for number in 0..<max(count, 1) {
      let reader = SendableReader(reader: try makeReader())
      let thread = Thread { [self] in work(reader.reader) }
      thread.name = "store-worker-\(number)"
      running += 1
      thread.start()
    }
  }

  /// Queues a read; `job` runs on a worker's thread with a fresh snapshot. False after `close`.
  @discardableResult
  public func submit(_ job: @escaping Job) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosing else { return false }
    queue.append(job)
    condition.signal()
    return true
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
    while let job = take() {
      job(reader)
      // An idle snapshot would keep the log from being emptied.
      reader.release()
    }
    reader.close()
    condition.lock()
    running -= 1
    condition.broadcast()
    condition.unlock()
  }

  private func take() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    while queue.isEmpty {
      if isClosing { return nil }
      condition.wait()
    }
    return queue.removeFirst()
  }
}

/// Hands a reader to the thread that will be its only user.
private struct SendableReader: @unchecked Sendable {
  // Unchecked: made before its thread starts, and not touched by the maker afterwards.
  let reader: SQLReader
}
