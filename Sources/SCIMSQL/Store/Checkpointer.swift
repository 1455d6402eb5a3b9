import Foundation

/// Copies the log to the database on a thread of its own: inside COMMIT it would be the slowest writes.
final class Checkpointer: @unchecked Sendable {
  // Unchecked: everything below is touched under `condition`, but for the connection and `limit`, which the thread alone uses.
  private let condition = NSCondition()
  private var pages = 0
  private var copiedPages = 0
  private var isClosing = false
  private let stopped = DispatchSemaphore(value: 0)
  private let connection: any SQLConnection
  private let step: Int
  private let maximum: Int
  /// From which length on writers are held. It is put off where a reader stays on an old snapshot, since holding them
  /// again and again would not help.
  private var limit: Int

  init(connection: any SQLConnection, step: Int, maximum: Int) {
    self.connection = connection
    self.step = max(step, 1)
    self.maximum = max(maximum, 1)
    limit = self.maximum
    let thread = Thread { [self] in work() }
    thread.name = "store-checkpoint"
    thread.start()
  }

  /// Told by the writer after each commit how long the log is.
  func logGrew(to pages: Int) {
    condition.lock()
    self.pages = pages
    // A shorter log than before has begun anew.
    if pages < copiedPages { copiedPages = 0 }
    if pages - copiedPages >= step { condition.signal() }
    condition.unlock()
  }

  /// Copies all and empties the log; to be called when nobody writes any more.
  func close() {
    condition.lock()
    let isFirst = !isClosing
    isClosing = true
    condition.signal()
    condition.unlock()
    if isFirst { stopped.wait() }
  }

  private func work() {
    while let pages = waitForWork() {
      copy(pages)
    }
    try? connection.checkpoint(.truncate)
    connection.close()
    stopped.signal()
  }

  private func copy(_ pages: Int) {
    if pages < maximum { limit = maximum }
    // What cannot be copied now, for a reader that stays, is copied the next time.
    guard pages >= limit else { return _ = try? connection.checkpoint(.passive) }
    do throws(SQLError) {
      try connection.checkpoint(.restart)
      limit = maximum
    } catch {
      limit = pages + maximum / 2
    }
  }

  private func waitForWork() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while pages - copiedPages < step {
      if isClosing { return nil }
      condition.wait()
    }
    if isClosing { return nil }
    copiedPages = pages
    return pages
  }
}
