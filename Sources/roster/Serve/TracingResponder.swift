import HTTPMessage

/// A responder that shows each exchange of another one.
final class TracingResponder: Responder {
  private let responder: any Responder
  private let trace: ExchangeTrace

  init(_ responder: any Responder, trace: ExchangeTrace) {
    self.responder = responder
    self.trace = trace
  }

  func bodyLimit(for head: Request) -> Int { responder.bodyLimit(for: head) }

  func verdict(on head: Request) -> Verdict {
    let verdict = responder.verdict(on: head)
    if case .refuse(let response) = verdict { trace.response(response, to: trace.request(head)) }
    return verdict
  }

  func respond(to request: Request, later: () -> Ticket) -> Response? {
    let number = trace.request(request)
    let response = responder.respond(to: request) { Ticket(Keeper(ticket: later(), trace: trace, number: number)) }
    if let response { trace.response(response, to: number) }
    return response
  }

  func response(to fault: Fault, head: Request) -> Response {
    let response = responder.response(to: fault, head: head)
    trace.response(response, to: trace.request(head))
    return response
  }

  func idle() { responder.idle() }

  /// Shows the answer on its way to the ticket that waits for it.
  private struct Keeper: TicketKeeper {
    let ticket: Ticket
    let trace: ExchangeTrace
    let number: Int

    var isAbandoned: Bool { ticket.isAbandoned }
    func compresses(_ response: Response) -> Bool { ticket.compresses(response) }

    func send(_ response: Response, compressing: Bool) {
      trace.response(response, to: number)
      ticket.send(response, compressing: compressing)
    }
  }
}
