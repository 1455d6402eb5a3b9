import HTTPMessage
import SCIMCompat
import SCIMCore

/// POST, PUT, PATCH and DELETE of one resource (RFC 7644 sections 3.3, 3.5 and 3.6).
///
/// Bodies are read and checked on the loop; only what needs the present state runs on the writer's thread.
enum Writes {
  static func create(_ exchange: Exchange, type: ResourceType) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    let resource = try exchange.normalize(exchange.body(), type: type, isNew: true)
    // The store's writer has others to serve: whatever can be made of the document is made here.
    let prepared = PreparedDocument(resource.document, type: type, settings: exchange.registry.settings)
    var shown = try exchange.projection(of: type)
    shown.sent = Projection.requestPaths(in: resource.document, type: type)
    let projection = shown
    let preference = Preference(exchange.request.headers)
    return write(exchange, passwords: resource.password.map { [$0] } ?? []) {
      (transaction, hashes) throws(SCIMError) in
      let stored = try exchange.writer.create(
        resource, type: type, prepared: prepared, passwordHashes: hashes, in: transaction)
      if preference.isMinimal { return .response(minimal(exchange, stored, type: type, status: 201)) }
      return try respond(exchange, stored, type: type, status: 201, projection: projection, in: transaction)
    }
  }

  static func replace(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    let resource = try exchange.normalize(exchange.body(), type: type)
    var shown = try exchange.projection(of: type)
    shown.sent = Projection.requestPaths(in: resource.document, type: type)
    let projection = shown
    let precondition = Precondition(headers: exchange.request.headers)
    let preference = Preference(exchange.request.headers)
    return write(exchange, passwords: resource.password.map { [$0] } ?? []) {
      (transaction, hashes) throws(SCIMError) in
      guard
        let stored = try exchange.writer.replace(
          resource, type: type, id: id, passwordHashes: hashes, precondition: precondition, in: transaction)
      else { throw Read.notFound(type, id: id) }
      if preference.isMinimal, !exchange.asksForProjection {
        return .response(minimal(exchange, stored, type: type, status: 204))
      }
      return try respond(exchange, stored, type: type, status: 200, projection: projection, in: transaction)
    }
  }

  static func patch(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    var shown = try exchange.projection(of: type)
    let parsed = try PatchRequest.parse(exchange.body(), profile: exchange.profile)
    let operations = Compat.patch(parsed, type: type, profile: exchange.profile)
    try ResourceSize.check(operations, type: type)
    shown.sent = PatchRequest.requestPaths(in: operations, type: type, profile: exchange.profile)
    let projection = shown
    let precondition = Precondition(headers: exchange.request.headers)
    let preference = Preference(exchange.request.headers)
    let password = try exchange.judge(operations, type: type)
    return write(exchange, passwords: password.map { [$0] } ?? []) {
      (transaction, hashes) throws(SCIMError) in
      guard
        let stored = try exchange.writer.patch(
          operations, type: type, id: id, passwordHashes: hashes, precondition: precondition, in: transaction)
      else { throw Read.notFound(type, id: id) }
      // RFC 7644 section 3.5.2: where attributes are asked for, the answer is 200 with them.
      if !exchange.asksForProjection {
        if preference.isMinimal { return .response(minimal(exchange, stored, type: type, status: 204)) }
        let isLong = try hasLongMemberList(stored, type: type, exchange: exchange, in: transaction)
        if !preference.isRepresentation, exchange.profile == .entra || isLong {
          return .response(Response(status: 204, headers: [("ETag", stored.entityTag)]))
        }
      }
      return try respond(exchange, stored, type: type, status: 200, projection: projection, in: transaction)
    }
  }

  static func delete(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    let precondition = Precondition(headers: exchange.request.headers)
    return .write { sink in
      queue(exchange, 1, from: true, sink) { (transaction, isFirst) throws(SCIMError) in
        let deletion =
          isFirst
          ? try exchange.writer.delete(type: type, id: id, precondition: precondition, in: transaction)
          : try ResourceWriter.deleteFurther(type: type.name, id: id, in: transaction)
        switch deletion {
        case .absent where isFirst: throw Read.notFound(type, id: id)
        case .unfinished: return .further(false)
        case .done, .absent: return .done(.response(Response(status: 204)))
        }
      }
    }
  }

  /// What a write answers.
  enum Answer: Sendable {
    case response(Response)
    /// What takes a while to make: on a worker, once the write is durable; `otherwise` where these are too busy.
    case later(@Sendable (any TenantReader) throws(SCIMError) -> Response, otherwise: @Sendable () -> Response)
    /// The write goes on elsewhere, which answers to the sink.
    case handedOn(@Sendable (@escaping Operation.Sink) -> Void)
  }

  /// A write whose passwords are hashed first, on threads of their own, since that takes long on purpose.
  ///
  /// - Parameter resources: about how many resources it changes.
  static func write(
    _ exchange: Exchange, passwords: [String], resources: Int = 1,
    _ body: @escaping @Sendable (any TenantTransaction, [String: String]) throws(SCIMError) -> Answer
  ) -> Operation {
    // A long body is much to write also where it is of one resource, such as a group with its members.
    let weight = max(resources, 1 + exchange.request.body.count / bytesOfLightWrite)
    return .write { sink in
      hashing(passwords, exchange, sink) { hashes in
        queue(exchange, weight, from: (), sink) { (transaction, _) throws(SCIMError) in
          .done(try body(transaction, hashes))
        }
      }
    }
  }

  /// Calls `body` with the hashes of the passwords.
  static func hashing(
    _ passwords: [String], _ exchange: Exchange, _ sink: @escaping Operation.Sink,
    _ body: @escaping @Sendable ([String: String]) -> Void
  ) {
    guard !passwords.isEmpty else { return body([:]) }
    exchange.service.passwordHasher.hash(passwords, for: exchange.organization.id) { result in
      switch result {
      case .success(let hashes): body(hashes)
      case .failure(let error): sink(.failure(error))
      }
    }
  }

  private static let bytesOfLightWrite = 8 << 10

  /// Which of the transactions of a write it is.
  private struct Turn<State: Sendable>: Sendable {
    var isFirst: Bool
    var state: State
  }

  private enum Outcome: Sendable {
    case done(Answer)
    /// The request was read by definitions that have changed meanwhile, or the writer would have to read some.
    case outdated
  }

  /// Queues a write, of one transaction or several, that was prepared by the definitions of the exchange. Where they have
  /// changed before its first turn comes, the request is read anew by those that hold then; what more turns do is up to
  /// `body`.
  ///
  /// - Parameters:
  ///   - isFirst: false for a write that was handed on, of which something is committed.
  ///   - interrupted: what is answered where a turn behind the first fails, from the state before it; nil for the failure
  ///     alone.
  static func queue<State: Sendable>(
    _ exchange: Exchange, _ weight: Int, from state: State, isFirst: Bool = true, _ sink: @escaping Operation.Sink,
    _ body: @escaping @Sendable (any TenantTransaction, State) throws(SCIMError) -> WriteStep<State, Answer>,
    interrupted: @escaping @Sendable (State, SCIMError) -> Answer? = { _, _ in nil }
  ) {
    exchange.caller.tenant.writeInSteps(
      weight: weight, from: Turn(isFirst: isFirst, state: state),
      { (transaction, turn) throws(SCIMError) -> WriteStep<Turn<State>, Outcome> in
        if turn.isFirst {
          guard try transaction.isReady(exchange.registry) else {
            return .done(.outdated)
          }
        }
        switch try body(transaction, turn.state) {
        case .done(let answer): return .done(.done(answer))
        case .further(let next): return .further(Turn(isFirst: false, state: next))
        }
      },
      interrupted: { turn, error in turn.isFirst ? nil : interrupted(turn.state, error).map { .done($0) } },
      completion: { result in
        switch result {
        case .success(.done(.response(let response))): sink(.success(response))
        case .success(.done(.later(let make, let otherwise))): answerLater(exchange, sink, make, otherwise: otherwise)
        case .success(.done(.handedOn(let job))): job(sink)
        case .success(.outdated): readAnew(exchange, sink)
        case .failure(let error): sink(.failure(error))
        }
      })
  }

  /// Makes an answer on a worker; the write is done, and is answered also where these are too busy.
  private static func answerLater(
    _ exchange: Exchange, _ sink: @escaping Operation.Sink,
    _ make: @escaping @Sendable (any TenantReader) throws(SCIMError) -> Response,
    otherwise: @escaping @Sendable () -> Response
  ) {
    do throws(SCIMError) {
      try exchange.caller.workers.run(refused: { _ in sink(.success(otherwise())) }) { reader in
        do throws(SCIMError) { sink(.success(try make(reader))) } catch { sink(.success(otherwise())) }
      }
    } catch {
      sink(.success(otherwise()))
    }
  }

  /// On a worker, since the writer has others to serve; as often as a change of definitions is planned.
  private static func readAnew(_ exchange: Exchange, _ sink: @escaping Operation.Sink) {
    guard exchange.readings < DefinitionRun.plans else { return sink(.failure(DefinitionRun.alwaysOutdated)) }
    exchange.caller.workers.run(to: sink, ofWrite: sink) { (reader) throws(SCIMError) in
      let registry = try reader.registry()
      _ = try reader.pendingChange()
      return try Operation.of(exchange.read(by: registry), reader: reader, filters: FilterMemory(alias: Compat.name))
    }
  }

  /// What the writer's thread reads back and renders at most; the rest is a worker's.
  private static let maximumShownBytes = 64 << 10
  /// The steps of reading and rendering so much, or some thousand links.
  private static let maximumShownSteps = 64 << 10

  /// The answer with the resource as it now is, read back with its links inside the same transaction; where that is much,
  /// later.
  private static func respond(
    _ exchange: Exchange, _ stored: StoredResource, type: ResourceType, status: Int, projection: Projection,
    in transaction: any TenantTransaction
  ) throws(SCIMError) -> Answer {
    let links = projection.links(for: type)
    let later = Answer.later(
      { (reader) throws(SCIMError) in
        // Somebody may have deleted it since.
        let shown = try reader.resource(id: stored.id, type: type, links: links) ?? stored
        return try exchange.answer(shown, type: type, status: status, projection: projection, reader: reader)
      },
      // As `Prefer: return=minimal` would have it.
      otherwise: { minimal(exchange, stored, type: type, status: status == 201 ? 201 : 204) })
    guard stored.document.count <= maximumShownBytes else { return later }
    let budget = transaction.budget
    let shownBudget = WorkBudget(limit: maximumShownSteps, exhaustion: .movesToWorker)
    transaction.budget = shownBudget
    defer {
      transaction.budget = budget
      budget.note(shownBudget.spent)
    }
    do throws(SCIMError) {
      var shown = stored
      if !type.links.isEmpty {
        shown = try transaction.resource(id: stored.id, type: type, links: links) ?? stored
      }
      return .response(
        try exchange.answer(shown, type: type, status: status, projection: projection, reader: transaction))
    } catch  where error.kind == .tooCostly {
      return later
    }
  }

  private static func minimal(
    _ exchange: Exchange, _ stored: StoredResource, type: ResourceType, status: Int
  ) -> Response {
    var headers: [(name: String, value: String)] = [
      ("ETag", stored.entityTag), ("Preference-Applied", "return=minimal"),
    ]
    if status == 201 { headers.append(("Location", exchange.renderer.location(type: type, id: stored.id))) }
    return Response(status: status, headers: headers)
  }

  private static func hasLongMemberList(
    _ stored: StoredResource, type: ResourceType, exchange: Exchange, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    for link in type.links {
      guard case .members = link.kind else { continue }
      let count = try transaction.linkCount(
        owner: stored.handle, attribute: link.attribute, limit: exchange.configuration.maxMembersInPatchAnswer + 1)
      if count > exchange.configuration.maxMembersInPatchAnswer { return true }
    }
    return false
  }
}

/// The `return` preference of a request (RFC 7240 section 4.2).
struct Preference: Sendable {
  let isMinimal: Bool
  let isRepresentation: Bool

  init(_ headers: HeaderFields) {
    let wanted = (headers.list("prefer") ?? "").split(separator: ",").map { preference in
      (preference.split(separator: ";").first ?? "").filter { $0 != " " && $0 != "\"" }.lowercased()
    }
    // RFC 7240 section 2: of a preference that is named twice the first one counts.
    let first = wanted.first { $0.hasPrefix("return=") }
    isMinimal = first == "return=minimal"
    isRepresentation = first == "return=representation"
  }
}
