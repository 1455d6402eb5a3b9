import CSystem
import Glibc
import HTTPMessage
import Synchronization

/// What other threads tell a loop, and the event counter that wakes it for that.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// The answer that a ticket promised; nil where the ticket was dropped without one.
    case answer(slot: Int, serial: UInt64, Response?)
    case stop
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

/// The loop's end of a ticket: passes one answer on, or the news that there will be none.
final class Promise: Sendable {
  private let mailbox: Mailbox
  private let slot: Int
  private let serial: UInt64
  private let isKept = Atomic(false)

  init(mailbox: Mailbox, slot: Int, serial: UInt64) {
    self.mailbox = mailbox
    self.slot = slot
    self.serial = serial
  }

  deinit { deliver(nil) }

  func deliver(_ response: Response?) {
    guard !isKept.exchange(true, ordering: .relaxed) else { return }
    mailbox.post(.answer(slot: slot, serial: serial, response))
  }
}

/// Whether the connection that waits for an answer has gone: set by its loop, read from any thread.
final class Departure: Sendable {
  private let hasHappened = Atomic(false)

  var hasGone: Bool { hasHappened.load(ordering: .relaxed) }

  func note() { hasHappened.store(true, ordering: .relaxed) }
}
