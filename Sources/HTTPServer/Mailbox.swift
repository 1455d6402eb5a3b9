import CSystem
import Glibc
import Synchronization

/// What other threads tell a loop, and the event counter that wakes it for that.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// The answer that a ticket promised; nil where the ticket was dropped without one.
    case answer(slot: Int, serial: UInt64, Outgoing?)
    case stop
    /// Nobody works any more on what has no answer yet.
    case drop
  }

  /// Readable while messages wait.
  let descriptor: Int32
  private let messages = Mutex<[Message]>([])

  init?() {
    descriptor = csystem_eventfd()
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { waiting in
      waiting.append(message)
      return waiting.count == 1
    }
    guard wasEmpty else { return }
    var one: UInt64 = 1
    // It can fail only where the counter is full, and then the loop wakes anyway.
    _ = write(descriptor, &one, 8)
  }

  /// Everything that waits; to be called by the loop alone.
  func take() -> [Message] {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    return messages.withLock { waiting in
      let taken = waiting
      waiting = []
      return taken
    }
  }
}
