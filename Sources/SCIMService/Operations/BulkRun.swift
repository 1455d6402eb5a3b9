import SCIMCore

/// Runs the operations of one BulkRequest inside a transaction, each in a savepoint of its own.
///
/// The order is the request's, except that a creation which others refer to comes before them. The answers stand in the
/// request's order.
struct BulkRun {
  let request: BulkRequest
  let exchange: Exchange
  let passwordHashes: [String: String]

  private enum State {
    case waiting, running, succeeded, failed
  }
  private var states: [State]
  private let budget = WorkBudget.write
  private var answers: [JSON?]
  private var errors = 0

  init(request: BulkRequest, exchange: Exchange, passwordHashes: [String: String]) {
    self.request = request
    self.exchange = exchange
    self.passwordHashes = passwordHashes
    states = Array(repeating: .waiting, count: request.items.count)
    answers = Array(repeating: nil, count: request.items.count)
  }

  /// The BulkResponse: one answer for each operation that was tried.
  mutating func results(in transaction: any StoreTransaction) throws(SCIMError) -> JSON {
    for position in request.items.indices {
      guard errors < request.failOnErrors else { break }
      try run(position, in: transaction)
    }
    return [
      "schemas": [.string(Bulk.responseSchema)],
      "Operations": .array(answers.compactMap { $0 }),
    ]
  }

  /// An operation whose dependencies are being run, one after the other.
  private struct Frame {
    let position: Int
    var next = 0
    var isCircular = false
    var refersToFailure = false
  }

  /// Runs an operation behind those that it depends on.
  ///
  /// Without recursion: a request can make a chain as long as it has operations, and a thread's stack is short.
  private mutating func run(_ position: Int, in transaction: any StoreTransaction) throws(SCIMError) {
    guard states[position] == .waiting else { return }
    states[position] = .running
    var frames = [Frame(position: position)]
    while var frame = frames.popLast() {
      let dependencies = request.items[frame.position].dependencies
      guard frame.next < dependencies.count else {
        try settle(frame, in: transaction)
        continue
      }
      let dependency = dependencies[frame.next]
      switch states[dependency] {
      case .waiting:
        states[dependency] = .running
        frames.append(frame)
        frames.append(Frame(position: dependency))
        continue
      case .running: if dependency != frame.position { frame.isCircular = true }
      case .failed: frame.refersToFailure = true
      case .succeeded: break
      }
      frame.next += 1
      frames.append(frame)
    }
  }

  /// Runs an operation whose dependencies have been run.
  private mutating func settle(_ frame: Frame, in transaction: any StoreTransaction) throws(SCIMError) {
    let position = frame.position
    do throws(SCIMError) {
      if frame.refersToFailure {
        throw SCIMError(.conflict, "This operation refers to a resource that was not created.")
      }
      let action = try request.items[position].action.get()
      let outcome: (stored: StoredResource?, status: Int, location: String)
      do throws(SCIMError) {
        outcome = try transaction.attempt { () throws(SCIMError) in
          try perform(action, version: request.items[position].version, in: transaction)
        }
      } catch  where frame.isCircular && error.kind == .invalidValue {
        throw SCIMError(.conflict, "This operation is part of a circle of references that cannot be made.")
      }
      states[position] = .succeeded
      answers[position] = answer(
        position, status: outcome.status, location: outcome.location, version: outcome.stored?.entityTag)
    } catch {
      guard error.kind != .internalError else { throw error }
      states[position] = .failed
      errors += 1
      answers[position] = answer(position, error: error)
    }
  }

  private func perform(
    _ action: BulkRequest.Action, version: String?, in transaction: any StoreTransaction
  ) throws(SCIMError) -> (stored: StoredResource?, status: Int, location: String) {
    let writer = exchange.writer
    let precondition = Precondition(version: version)
    switch action {
    case .create(let resource, let type, let id):
      let stored = try writer.create(
        resource, type: type, id: id, passwordHashes: passwordHashes, in: transaction)
      return (stored, 201, location(type, stored.id))
    case .replace(let resource, let type, let id):
      guard
        let stored = try writer.replace(
          resource, type: type, id: id, passwordHashes: passwordHashes, precondition: precondition, in: transaction)
      else { throw Read.notFound(type, id: id) }
      return (stored, 200, location(type, id))
    case .patch(let operations, let type, let id):
      guard
        let stored = try writer.patch(
          operations, type: type, id: id, passwordHashes: passwordHashes, precondition: precondition,
          budget: budget, in: transaction)
      else { throw Read.notFound(type, id: id) }
      return (stored, 200, location(type, id))
    case .delete(let type, let id):
      guard try writer.delete(type: type, id: id, precondition: precondition, in: transaction) else {
        throw Read.notFound(type, id: id)
      }
      return (nil, 204, location(type, id))
    }
  }

  private func location(_ type: ResourceType, _ id: String) -> String {
    exchange.renderer.location(type: type, id: id)
  }

  private func answer(_ position: Int, status: Int, location: String, version: String?) -> JSON {
    let item = request.items[position]
    var object = JSONObject()
    object["location"] = .string(location)
    object["method"] = .string(item.method)
    if let bulkID = item.bulkID { object["bulkId"] = .string(bulkID) }
    if let version { object["version"] = .string(version) }
    object["status"] = .string(String(status))
    return .object(object)
  }

  private func answer(_ position: Int, error: SCIMError) -> JSON {
    let item = request.items[position]
    var object = JSONObject()
    if item.method != "POST", case .success(let action) = item.action {
      switch action {
      case .replace(_, let type, let id), .patch(_, let type, let id),
        .delete(let type, let id):
        object["location"] = .string(location(type, id))
      case .create: break
      }
    }
    object["method"] = .string(item.method)
    if let bulkID = item.bulkID { object["bulkId"] = .string(bulkID) }
    object["status"] = .string(String(error.status))
    object["response"] = ErrorMessage.json(
      status: error.status, scimType: error.scimType, detail: error.detail)
    return .object(object)
  }
}
