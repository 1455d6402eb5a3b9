import SCIMCore

/// Runs the operations of one BulkRequest, each in a savepoint of its own, in as many transactions as it takes: `advance`
/// runs some of them in each. A small request is done in its first.
///
/// The order is the request's, except that a creation which others refer to comes before them. Creations that refer to
/// each other in a circle succeed or fail together: not every reference is checked when it is stored, and none may be left
/// to what was never created. The answers stand in the request's order.
struct BulkRun: Sendable {
  /// So many steps are taken in one transaction before the next one begins: a quarter of what one request may take.
  static let stepsPerTransaction = WorkBudget.writeLimit / 4

  private var request: BulkRequest
  /// The request as the definitions that hold now read it.
  private var exchange: Exchange
  private let passwordHashes: [String: String]
  /// How often it was read since its last transaction, with the reading before that.
  private(set) var readings = 1

  private enum State {
    case waiting, running, succeeded, failed
  }
  private var states: [State]
  private var answers: [JSON?]
  private var errors = 0
  /// Where the next operation is looked for.
  private var next = 0
  /// The operations that wait for those which they depend on, the last one first.
  private var frames: [Frame] = []
  /// Operations whose dependencies have been run but for those in a circle with them: they run with the one of it that was
  /// begun first. In the order in which they run.
  private var open: [Frame] = []
  /// How many operations have been begun, and which of them each was.
  private var begun = 0
  private var orders: [Int]
  /// True where the last frame's deletion goes on.
  private var isDeleting = false

  init(request: BulkRequest, exchange: Exchange, passwordHashes: [String: String]) {
    self.request = request
    self.exchange = exchange
    self.passwordHashes = passwordHashes
    states = Array(repeating: .waiting, count: request.items.count)
    orders = Array(repeating: 0, count: request.items.count)
    answers = Array(repeating: nil, count: request.items.count)
  }

  /// The BulkResponse: one answer for each operation that was tried.
  var results: JSON {
    [
      "schemas": [.string(Bulk.responseSchema)],
      "Operations": .array(answers.compactMap { $0 }),
    ]
  }

  /// About how many resources it changes.
  var weight: Int { request.items.count }

  /// What one transaction came to.
  enum Advance {
    case done
    /// It is time for another transaction.
    case further
    /// The definitions have changed since the transaction before, or one would have to be read here: what is left has to
    /// be read by those that hold now (`read`), and nothing was done.
    case outdated
  }

  /// Runs operations until all are done, or it is time for another transaction.
  mutating func advance(in transaction: any TenantTransaction) throws(SCIMError) -> Advance {
    guard try transaction.isReady(exchange.registry) else { return .outdated }
    readings = 1
    return try goOn(in: transaction) ? .done : .further
  }

  /// True where all are done.
  private mutating func goOn(in transaction: any TenantTransaction) throws(SCIMError) -> Bool {
    while true {
      if frames.isEmpty {
        guard errors < request.failOnErrors, let position = nextWaiting() else { return true }
        begin(position)
      }
      guard let frame = nextReady() else { continue }
      // Its answer is known, or it has to be tried again with the whole of a transaction's work before it.
      guard try settle(frame, in: transaction) else {
        frames.append(frame)
        return false
      }
      if transaction.budget.spent >= Self.stepsPerTransaction, !frames.isEmpty || next < states.count { return false }
    }
  }

  /// Gives all operations that have no answer yet this error; false, and nothing changes, where none has one.
  mutating func end(with error: SCIMError) -> Bool {
    guard answers.contains(where: { $0 != nil }) else { return false }
    for position in answers.indices where answers[position] == nil {
      answers[position] = answer(position, error: error)
    }
    return true
  }

  private mutating func nextWaiting() -> Int? {
    while next < states.count {
      if states[next] == .waiting { return next }
      next += 1
    }
    return nil
  }

  /// Reads what is still to be done by the definitions that hold now.
  mutating func read(by registry: SchemaRegistry) throws(SCIMError) {
    readings += 1
    exchange = try exchange.read(by: registry)
    request = try BulkRequest(exchange.body(), exchange: exchange, before: request)
  }

  /// An operation whose dependencies are being run, one after the other.
  private struct Frame: Sendable {
    let position: Int
    /// Its place in the order in which operations are begun.
    let order: Int
    /// The place of the first one that was begun of those which it is in a circle with, as far as that is known.
    var first: Int
    var next = 0
    var refersToFailure = false
  }

  private mutating func begin(_ position: Int) {
    states[position] = .running
    orders[position] = begun
    frames.append(Frame(position: position, order: begun, first: begun))
    begun += 1
  }

  /// The operation whose dependencies have been run, with those that are in a circle with it in `open`; nil where one more
  /// comes before it.
  ///
  /// The circles are found as Tarjan does, and without recursion: a request can make a chain as long as it has operations,
  /// and a thread's stack is short.
  private mutating func nextReady() -> Frame? {
    guard var frame = frames.popLast() else { return nil }
    let dependencies = request.items[frame.position].dependencies
    guard frame.next < dependencies.count else {
      guard frame.first < frame.order, let last = frames.indices.last else { return frame }
      frames[last].first = min(frames[last].first, frame.first)
      open.append(frame)
      return nil
    }
    let dependency = dependencies[frame.next]
    switch states[dependency] {
    case .waiting:
      frames.append(frame)
      begin(dependency)
      return nil
    case .running:
      if dependency != frame.position { frame.first = min(frame.first, orders[dependency]) }
    case .failed: frame.refersToFailure = true
    case .succeeded: break
    }
    frame.next += 1
    frames.append(frame)
    return nil
  }

  private static let missingReference = SCIMError(
    .conflict, "This operation refers to a resource that was not created.")

  /// Runs an operation whose dependencies have been run, and with it those that are in a circle with it; false where that
  /// has to go on in another transaction.
  private mutating func settle(_ frame: Frame, in transaction: any TenantTransaction) throws(SCIMError) -> Bool {
    let members = open.filter { $0.order > frame.order } + [frame]
    let spent = transaction.budget.spent
    var failing = frame.position
    do throws(SCIMError) {
      let isDeleting = isDeleting
      let outcomes = try transaction.attempt { () throws(SCIMError) -> [Outcome]? in
        var outcomes: [Outcome] = []
        for member in members {
          failing = member.position
          if member.refersToFailure { throw Self.missingReference }
          let item = request.items[member.position]
          do throws(SCIMError) {
            let action = try item.action.get()
            guard let outcome = try perform(action, version: item.version, isDeleting: isDeleting, in: transaction)
            else { return nil }
            outcomes.append(outcome)
          } catch  where members.count > 1 && error.kind == .invalidValue {
            throw SCIMError(.conflict, "This operation is part of a circle of references that cannot be created.")
          } catch  where error.isCircle && !item.dependencies.isEmpty {
            // RFC 7644 section 3.7.1: a circle that bulkIds make is a conflict.
            throw SCIMError(.conflict, error.detail, attribute: error.attribute)
          }
        }
        return outcomes
      }
      self.isDeleting = outcomes == nil
      guard let outcomes else { return false }
      for (member, outcome) in zip(members, outcomes) {
        states[member.position] = .succeeded
        answers[member.position] = answer(
          member.position, status: outcome.status, location: outcome.location, version: outcome.stored?.entityTag)
      }
    } catch {
      guard error.kind != .internalError, error.kind != .unavailable else { throw error }
      // What is too much behind others may be little enough by itself.
      if error.kind == .tooMany, spent > 0 { return false }
      isDeleting = false
      for member in members {
        states[member.position] = .failed
        errors += 1
        answers[member.position] = answer(
          member.position, error: member.position == failing ? error : Self.missingReference)
      }
    }
    open.removeAll { $0.order > frame.order }
    return true
  }

  private typealias Outcome = (stored: StoredResource?, status: Int, location: String)

  private func perform(
    _ action: BulkRequest.Action, version: String?, isDeleting: Bool, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Outcome? {
    let writer = exchange.writer
    let precondition = Precondition(version: version)
    switch action {
    case .create(let resource, let type, let prepared):
      let stored = try writer.create(
        resource, type: type, prepared: prepared, passwordHashes: passwordHashes, in: transaction)
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
          operations, type: type, id: id, passwordHashes: passwordHashes, precondition: precondition, in: transaction)
      else { throw Read.notFound(type, id: id) }
      return (stored, 200, location(type, id))
    case .delete(let type, let id):
      let deletion =
        isDeleting
        ? try ResourceWriter.deleteFurther(type: type.name, id: id, in: transaction)
        : try writer.delete(type: type, id: id, precondition: precondition, in: transaction)
      switch deletion {
      case .absent where !isDeleting: throw Read.notFound(type, id: id)
      case .unfinished: return nil
      case .done, .absent: return (nil, 204, location(type, id))
      }
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
    // RFC 7644 section 3.7.3: all but failed POSTs have one.
    if item.method != "POST", let target = item.target {
      object["location"] = .string(location(target.type, target.id))
    }
    object["method"] = .string(item.method)
    if let bulkID = item.bulkID { object["bulkId"] = .string(bulkID) }
    object["status"] = .string(String(error.status))
    object["response"] = ErrorMessage.json(
      status: error.status, scimType: error.scimType, detail: error.detail)
    return .object(object)
  }
}
