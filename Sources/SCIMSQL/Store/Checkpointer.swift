import Foundation

/// Copies the log to the database on a thread of its own: inside COMMIT it would be the slowest writes.
final class Checkpointer: @unchecked Sendable {
  // Unchecked: everything below is touched under `condition`, but for the connection, which the thread alone uses.
  private let condition = NSCondition()
  private var pages = 0
  private var copiedPages = 0
  private var isClosing = false
  private let stopped = DispatchSemaphore(value: 0)
  private let connection: any SQLConnection
  private let step: Int

  init(connection: any SQLConnection, step: Int) {
    self.connection = connection
    self.step = max(step, 1)
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
    while waitForWork() {
      // What cannot be copied now, for a reader that stays, is copied the next time.
      try? connection.checkpoint(.passive)
    }
    try? connection.checkpoint(.truncate)
    connection.close()
    stopped.signal()
  }

  private func waitForWork() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while pages - copiedPages < step {
      if isClosing { return false }
      condition.wait()
    }
    if isClosing { return false }
    copiedPages = pages
    return true
  }
}
