import Foundation
import HTTPMessage
import SCIMCore
import SCIMService
import Synchronization

/// Asks the service in memory, with no transport in between.
final class MemoryWire: Wire {
  private let responder: Mutex<Box>
  private let authority: String

  /// The responder belongs to one thread at a time, which the mutex sees to.
  private final class Box: @unchecked Sendable {
    let responder: SCIMResponder
    init(_ responder: SCIMResponder) { self.responder = responder }
  }

  init(service: Service, authority: String = "scim.test") throws {
    responder = Mutex(Box(try service.makeResponder()))
    self.authority = authority
  }

  func send(method: String, target: String, headers: [(String, String)], body: [UInt8]?) throws -> ClientAnswer {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var fields = HeaderFields()
    for (name, value) in headers { fields.append(name, value) }
    let request = Request(
      method: method, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil, authority: authority,
      headers: fields, body: body ?? [], peer: "127.0.0.9", id: fields["x-request-id"] ?? "made")
    let deferred = Mutex<Response?>(nil)
    let done = DispatchSemaphore(value: 0)
    let ticket = Ticket { response in
      deferred.withLock { $0 = response }
      done.signal()
    }
    let immediate = responder.withLock { box in
      defer { box.responder.idle() }
      return box.responder.respond(to: request, later: { ticket })
    }
    if immediate == nil { done.wait() }
    guard let response = immediate ?? deferred.withLock({ $0 }) else { throw WireError.noAnswer }
    var seen: [String: String] = [:]
    for header in response.headers { seen[header.name.lowercased()] = header.value }
    return ClientAnswer(status: response.status, headers: seen, body: method == "HEAD" ? [] : response.body)
  }
}

enum WireError: Error {
  case noConnection, noAnswer, badAnswer
}
