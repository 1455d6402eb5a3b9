import HTTPMessage
import Synchronization

/// An answer on its way from where it was made to the loop that writes it.
struct Outgoing: Sendable {
  var response: Response
  /// The body has been compressed already.
  var isCompressed = false
  /// A longer body is not compressed by the loop any more.
  var longestCompressed = ResponseWriter.longestCompressed
  /// Counts the body as unsent until the connection does; nil for a short one.
  var hold: ByteLedger.Hold?

  init(_ response: Response) { self.response = response }
}

/// The loop's end of a ticket: passes one answer on, or the news that there will be none.
final class Promise: TicketKeeper {
  /// Longer bodies are compressed by the thread that sends the ticket, shorter ones by the loop.
  static let longestForLoop = 64 << 10

  /// What the answer will be written for.
  struct Place: Sendable {
    let mailbox: Mailbox
    let slot: Int
    let serial: UInt64
    /// What the client says of codings, where answers are compressed at all.
    let acceptEncoding: String?
    let unsent: ByteLedger
    let departure: Departure
    /// Counts the request's body as long as the promise is open.
    let bodyHold: ByteLedger.Hold?
  }

  private let place: Place
  private let isKept = Atomic(false)

  init(_ place: Place) { self.place = place }

  deinit { deliver(nil) }

  var isAbandoned: Bool { place.departure.hasGone }

  func compresses(_ response: Response) -> Bool {
    guard response.body.count > Self.longestForLoop, let accepted = place.acceptEncoding else { return false }
    return ResponseWriter.isCompressible(response, minimum: 0) && AcceptEncoding.prefersGzip(accepted)
  }

  func send(_ response: Response, compressing: Bool) {
    var answer = Outgoing(response)
    answer.longestCompressed = Self.longestForLoop
    // Nobody is there to take it: what it would cost is saved.
    guard !isAbandoned else { return deliver(answer) }
    if compressing, compresses(response), let packed = Gzip().compress(response.body),
      packed.count < response.body.count
    {
      answer.response.body = packed
      answer.isCompressed = true
    }
    if answer.response.body.count >= OutputQueue.handedOver {
      answer.hold = place.unsent.hold(answer.response.body.count, for: response.account)
    }
    deliver(answer)
  }

  private func deliver(_ answer: Outgoing?) {
    guard !isKept.exchange(true, ordering: .relaxed) else { return }
    place.bodyHold?.resize(to: 0)
    place.mailbox.post(.answer(slot: place.slot, serial: place.serial, answer))
  }
}

/// Whether the connection that waits for an answer has gone: set by its loop, read from any thread.
final class Departure: Sendable {
  private let hasHappened = Atomic(false)

  var hasGone: Bool { hasHappened.load(ordering: .relaxed) }

  func note() { hasHappened.store(true, ordering: .relaxed) }
}
