/// What the transport asks for answers: one instance for each loop, called on that loop's thread alone.
///
/// None of the calls may block: what takes longer takes a `Ticket` and answers from another thread.
public protocol Responder: AnyObject {
  /// The longest body, in bytes after decoding, that this request may bring; asked when its head is there and its
  /// body is not.
  func bodyLimit(for head: Request) -> Int

  /// What is to become of a request whose head is there and whose body is not: one without a valid key, for example, is
  /// refused.
  ///
  /// Asked, after `bodyLimit`, where the body costs something: the client holds it back until it is invited
  /// (`Expect: 100-continue`), it is compressed, or longer than 4 KiB. It is then neither read on nor inflated. The
  /// connection is closed behind the answer.
  func verdict(on head: Request) -> Verdict

  /// Answers a request at once, or takes a ticket from `later` and returns nil. `later` may be called once.
  func respond(to request: Request, later: () -> Ticket) -> Response?

  /// The answer to a fault that the transport found itself; of a request that could not be read, `head` has no more than
  /// `peer` and `id`, and its method is empty.
  func response(to fault: Fault, head: Request) -> Response

  /// Called after some milliseconds without a request, so that held resources can be let go.
  func idle()
}

extension Responder {
  /// Refuses nothing by its head alone.
  public func verdict(on head: Request) -> Verdict { .read(account: nil) }
}

/// What a responder says of a request by its head alone.
public enum Verdict: Sendable {
  /// The body is to be read, and counts for that account.
  case read(account: Int64?)
  /// The body is not to be read: this is the answer.
  case refuse(Response)
}

/// A promise of one answer, to be kept from any thread.
///
/// An answer for a connection that has gone meanwhile is dropped. A second `send` does nothing. A ticket that is let go
/// of without a `send` answers 500, by way of `Responder.response(to:head:)`.
public struct Ticket: Sendable {
  private let keeper: any TicketKeeper

  /// Makes a ticket that hands its answer to `keeper`.
  public init(_ keeper: any TicketKeeper) {
    self.keeper = keeper
  }

  /// Makes a ticket that hands its answer to `deliver`, which may be called from any thread, and more than once.
  public init(_ deliver: @escaping @Sendable (Response) -> Void) {
    keeper = PlainKeeper(deliver: deliver)
  }

  /// True once nobody waits for the answer any more, so that work on it may end; from any thread.
  public var isAbandoned: Bool { keeper.isAbandoned }

  /// Whether `send` would compress this answer, which takes its time: not for a thread that others wait for.
  public func compresses(_ response: Response) -> Bool { keeper.compresses(response) }

  /// Keeps the promise; from any thread.
  ///
  /// - Parameter compressing: false where a long answer is to go out as it is, since this thread has no time.
  public func send(_ response: Response, compressing: Bool = true) {
    keeper.send(response, compressing: compressing)
  }
}

/// The transport's end of a ticket; each call may come from any thread, and more than once.
public protocol TicketKeeper: Sendable {
  /// True once nobody waits for the answer any more; asked often.
  var isAbandoned: Bool { get }
  /// Whether `send` would compress that answer.
  func compresses(_ response: Response) -> Bool
  /// Takes the answer.
  func send(_ response: Response, compressing: Bool)
}

private struct PlainKeeper: TicketKeeper {
  let deliver: @Sendable (Response) -> Void
  var isAbandoned: Bool { false }

  func compresses(_ response: Response) -> Bool { false }
  func send(_ response: Response, compressing: Bool) { deliver(response) }
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
