import Foundation

/// Copies the log to the database on a thread of its own: inside COMMIT it would be the slowest writes.
final class Checkpointer: @unchecked Sendable {
  // Unchecked: everything below is touched under `condition`, but for the connection and the faults, which the thread alone
  // uses.
  private let condition = NSCondition()
  private var pages = 0
  /// How long the log was when the last copying began.
  private var askedPages = 0
  private var copiedPages = 0
  private var isLong = false
  private var isCopying = false
  private var isClosing = false
  private let stopped = DispatchSemaphore(value: 0)
  private let connection: any SQLConnection
  private let step: Int
  private let faults: FaultLog

  init(connection: any SQLConnection, step: Int, log: @escaping @Sendable (StoreNote) -> Void) {
    self.connection = connection
    self.step = max(step, 1)
    faults = FaultLog("checkpoint", log)
    let thread = Thread { [self] in work() }
    thread.name = "store-checkpoint"
    thread.start()
  }

  /// Told by the writer after each commit how long the log is.
  ///
  /// - Parameter isLong: true where it is to begin anew, for which it has to be copied as far as possible.
  func logGrew(to pages: Int, isLong: Bool) {
    condition.lock()
    // A shorter log than before has begun anew.
    if pages < self.pages { (askedPages, copiedPages) = (0, 0) }
    self.pages = pages
    self.isLong = isLong
    if isDue { condition.broadcast() }
    condition.unlock()
  }

  /// How much of a log of that length is not copied yet, as far as is known.
  func left(of pages: Int) -> Int {
    condition.lock()
    defer { condition.unlock() }
    return max(pages - copiedPages, 0)
  }

  /// Waits until nothing is being copied: meanwhile nobody else can.
  func waitForCopy() {
    condition.lock()
    while isCopying { condition.wait() }
    condition.unlock()
  }

  /// Copies what can be copied without waiting, and empties the log where nobody else uses it; to be called when this
  /// process writes no more.
  func close() {
    condition.lock()
    let isFirst = !isClosing
    isClosing = true
    condition.broadcast()
    condition.unlock()
    if isFirst { stopped.wait() }
  }

  private var isDue: Bool { pages - askedPages >= (isLong ? max(step / 4, 1) : step) }

  private func work() {
    while waitForWork() {
      copy(.passive)
      condition.lock()
      isCopying = false
      condition.broadcast()
      condition.unlock()
    }
    // Most of it beside others who write, such as a server on the same file; what is left is little, and where somebody
    // reads it, it stays for them to copy.
    copy(.passive)
    copy(.truncateAtOnce)
    connection.close()
    stopped.signal()
  }

  private func copy(_ mode: CheckpointMode) {
    do throws(SQLError) {
      let done = try connection.checkpoint(mode)
      condition.lock()
      // Where the log has begun anew meanwhile, this is of the old one.
      if done.pages <= pages { copiedPages = max(copiedPages, done.copied) }
      condition.unlock()
      faults.end()
    } catch {
      // What somebody else copies, or reads, is copied the next time.
      if error.kind != .busy { faults.begin(error.message) }
    }
  }

  private func waitForWork() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while !isDue {
      if isClosing { return false }
      condition.wait()
    }
    if isClosing { return false }
    askedPages = pages
    isCopying = true
    return true
  }
}
