import Dispatch
import Foundation
import HTTPMessage
import SCIMCore
import Synchronization

@testable import SCIMService

/// Asks one responder, as a loop does, and tells how much of the loop's budget the request took and whether a worker
/// had to answer.
final class LoopMeter {
  struct Outcome {
    /// What was taken from the loop's budget.
    var steps: Int
    /// True where the answer came from another thread.
    var isDeferred: Bool
    var status: Int
    var body: [UInt8]
  }

  private let responder: SCIMResponder
  private let key: String

  init(_ tenant: Tenant) throws {
    responder = try tenant.harness.service.makeResponder()
    key = tenant.client.key ?? ""
  }

  func send(_ request: String, _ body: [UInt8] = []) throws -> Outcome {
    let parts = request.split(separator: " ", maxSplits: 1)
    let target = "/scim/v2" + RequestTarget.encode(String(parts[1]))
    let halves = target.split(separator: "?", maxSplits: 1).map(String.init)
    var fields = HeaderFields()
    fields.append("Authorization", "Bearer \(key)")
    if !body.isEmpty { fields.append("Content-Type", "application/scim+json") }
    let message = Request(
      method: String(parts[0]), path: halves[0], query: halves.count > 1 ? halves[1] : nil, authority: "scim.test",
      headers: fields, body: body)
    let deferred = Mutex<Response?>(nil)
    let done = DispatchSemaphore(value: 0)
    let ticket = Ticket { response in
      deferred.withLock { $0 = response }
      done.signal()
    }
    let immediate = responder.respond(to: message, later: { ticket })
    let steps = responder.budgetSpent
    if immediate == nil { done.wait() }
    responder.idle()
    guard let response = immediate ?? deferred.withLock({ $0 }) else { throw WireError.noAnswer }
    return Outcome(steps: steps, isDeferred: immediate == nil, status: response.status, body: response.body)
  }
}
