/// What the transport asks for answers: one instance for each loop, called on that loop's thread alone.
///
/// None of the calls may block: what takes longer takes a `Ticket` and answers from another thread.
public protocol Responder: AnyObject {
  /// The longest body, in bytes after decoding, that this request may bring; asked when its head is there and its
  /// body is not.
  func bodyLimit(for head: Request) -> Int

  /// The answer to a request that its head alone condemns, for example one without a valid key; nil where its body is
  /// to be read.
  ///
  /// Asked, after `bodyLimit`, where the body costs something: the client holds it back until it is invited
  /// (`Expect: 100-continue`), it is compressed, or longer than 4 KiB. It is then neither read on nor inflated. The
  /// connection is closed behind the answer.
  func refusal(of head: Request) -> Response?

  /// Answers a request at once, or takes a ticket from `later` and returns nil. `later` may be called once.
  func respond(to request: Request, later: () -> Ticket) -> Response?

  /// The answer to a fault that the transport found itself; `head` is nil where the request could not be read.
  func response(to fault: Fault, head: Request?) -> Response

  /// Called after some milliseconds without a request, so that held resources can be let go.
  func idle()
}

extension Responder {
  /// Refuses nothing by its head alone.
  public func refusal(of head: Request) -> Response? { nil }
}

/// A promise of one answer, to be kept from any thread.
///
/// An answer for a connection that has gone meanwhile is dropped. A second `send` does nothing. A ticket that is let go
/// of without a `send` answers 500, by way of `Responder.response(to:head:)`.
public struct Ticket: Sendable {
  private let deliver: @Sendable (Response) -> Void
  private let hasGone: @Sendable () -> Bool

  /// Makes a ticket that hands its answer to `deliver`, which may be called from any thread, and more than once;
  /// `hasGone` may as well, and often.
  public init(
    _ deliver: @escaping @Sendable (Response) -> Void, hasGone: @escaping @Sendable () -> Bool = { false }
  ) {
    self.deliver = deliver
    self.hasGone = hasGone
  }

  /// True once nobody waits for the answer any more, so that work on it may end; from any thread.
  public var isAbandoned: Bool { hasGone() }

  /// Keeps the promise; from any thread.
  public func send(_ response: Response) {
    deliver(response)
  }
}

/// What the transport refuses by itself, with the status that goes with it.
public struct Fault: Sendable, Equatable {
  /// The HTTP status, from 400 on.
  public var status: Int
  /// One sentence for the client, without anything it sent.
  public var reason: String

  public init(status: Int, reason: String) {
    self.status = status
    self.reason = reason
  }
}
