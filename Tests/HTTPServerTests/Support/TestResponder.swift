import Foundation
import HTTPMessage
import Synchronization

/// What the tests see of a responder and tell it; shared by all loops of a server.
final class Desk: Sendable {
  private struct State {
    var log: [String] = []
    var tickets: [Ticket] = []
    var idles = 0
    var faults: [String] = []
  }

  private let state = Mutex(State())

  /// Each request that was carried out, as `METHOD path body`.
  var log: [String] { state.withLock { $0.log } }
  var idles: Int { state.withLock { $0.idles } }
  var tickets: [Ticket] { state.withLock { $0.tickets } }
  /// How many tickets are held.
  var held: Int { state.withLock { $0.tickets.count } }

  /// Each fault of the transport's own, as `STATUS id`.
  var faults: [String] { state.withLock { $0.faults } }

  func noteFault(_ line: String) { state.withLock { $0.faults.append(line) } }
  func note(_ line: String) { state.withLock { $0.log.append(line) } }
  func noteIdle() { state.withLock { $0.idles += 1 } }
  func hold(_ ticket: Ticket) { state.withLock { $0.tickets.append(ticket) } }

  /// Answers all tickets that are held, and returns how many those were.
  @discardableResult
  func release(_ response: Response = Response(status: 201, body: Array("later".utf8))) -> Int {
    let tickets = state.withLock { state in
      defer { state.tickets = [] }
      return state.tickets
    }
    for ticket in tickets { ticket.send(response) }
    return tickets.count
  }

  /// Answers the first ticket that is held.
  func releaseFirst() {
    let ticket = state.withLock { $0.tickets.isEmpty ? nil : $0.tickets.removeFirst() }
    ticket?.send(Response(status: 201, body: Array("later".utf8)))
  }

  /// How many of the tickets that are held nobody waits for any more.
  var abandoned: Int { state.withLock { $0.tickets.count { $0.isAbandoned } } }

  /// Lets go of all tickets without an answer.
  func forget() { state.withLock { $0.tickets = [] } }
}

/// A responder whose paths do what their names say; all others answer 200 with the request's body or `ok`.
final class TestResponder: Responder {
  static let bodyLimit = 1000
  private let desk: Desk

  init(_ desk: Desk) { self.desk = desk }

  func bodyLimit(for head: Request) -> Int {
    head.path == "/large" || head.headers["x-limit"] != nil ? 8 << 20 : Self.bodyLimit
  }

  func verdict(on head: Request) -> Verdict {
    guard head.headers["x-refuse"] == nil else {
      return .refuse(Response(status: 401, body: Array("refused".utf8)))
    }
    return .read(account: head.headers["x-account"].flatMap { Int64($0) })
  }

  func respond(to request: Request, later: () -> Ticket) -> Response? {
    desk.note("\(request.method) \(request.path) \(String(decoding: request.body.prefix(100), as: UTF8.self))")
    switch request.path {
    case "/hold":
      desk.hold(later())
      return nil
    case "/silence": return nil
    case "/close": return Response(status: 200, body: Array("bye".utf8), closesConnection: true)
    case "/none": return Response(status: 204)
    case "/unchanged": return Response(status: 304, headers: [("ETag", "W/\"1\"")])
    case "/text":
      return Response(status: 200, headers: [("Content-Type", "text/plain"), ("ETag", "W/\"1\"")], body: Self.text)
    case "/eight": return Response(status: 200, body: [UInt8](repeating: 0x61, count: 8 << 10))
    case "/named": return Response(status: 200, headers: [("X-Request-ID", "other")], body: Array("ok".utf8))
    case "/megabytes": return Response(status: 200, body: [UInt8](repeating: 0x61, count: 4 << 20))
    case "/split":
      return Response(
        status: 200, headers: [("X-A", "b\r\nX-B: c"), ("Content-Length", "7"), ("Connection", "x")], body: [0x61])
    case "/peer": return Response(status: 200, body: Array(request.peer.utf8))
    default: return Response(status: 200, body: request.body.isEmpty ? Array("ok".utf8) : request.body)
    }
  }

  func response(to fault: Fault, head: Request) -> Response {
    desk.noteFault("\(fault.status) \(head.id)")
    return Response(status: fault.status, headers: [("X-Fault", "yes")], body: Array(fault.reason.utf8))
  }

  func idle() { desk.noteIdle() }

  /// Text that is worth compressing.
  static let text = Array(String(repeating: "The quick brown fox. ", count: 200).utf8)
}
