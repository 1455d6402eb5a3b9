import HTTPMessage
import SCIMCompat
import SCIMCore

/// POST, PUT, PATCH and DELETE of one resource (RFC 7644 sections 3.3, 3.5 and 3.6).
///
/// Bodies are read and checked on the loop; only what needs the present state runs on the writer's thread.
enum Writes {
  static func create(_ exchange: Exchange, type: ResourceType) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    let resource = try exchange.writer.normalize(exchange.body(), type: type)
    var shown = try exchange.projection(of: type)
    shown.sent = Projection.requestPaths(in: resource.document, type: type)
    let projection = shown
    let preference = Preference(exchange.request.headers)
    return write(exchange, passwords: resource.password.map { [$0] } ?? []) {
      (transaction, hashes) throws(SCIMError) in
      let stored = try exchange.writer.create(resource, type: type, passwordHashes: hashes, in: transaction)
      if preference.isMinimal { return minimal(exchange, stored, type: type, status: 201) }
      return try respond(exchange, stored, type: type, status: 201, projection: projection, in: transaction)
    }
  }

  static func replace(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    let resource = try exchange.writer.normalize(exchange.body(), type: type)
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
        return minimal(exchange, stored, type: type, status: 204)
      }
      return try respond(exchange, stored, type: type, status: 200, projection: projection, in: transaction)
    }
  }

  static func patch(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    var shown = try exchange.projection(of: type)
    let parsed = try PatchRequest.parse(exchange.body(), profile: exchange.profile)
    let operations = Compat.patch(parsed, type: type, profile: exchange.profile)
    shown.sent = PatchRequest.requestPaths(in: operations, type: type, profile: exchange.profile)
    let projection = shown
    let precondition = Precondition(headers: exchange.request.headers)
    let preference = Preference(exchange.request.headers)
    let password = Patcher.password(setBy: operations, type: type, profile: exchange.profile)
    return write(exchange, passwords: password.map { [$0] } ?? []) {
      (transaction, hashes) throws(SCIMError) in
      guard
        let stored = try exchange.writer.patch(
          operations, type: type, id: id, passwordHashes: hashes, precondition: precondition, in: transaction)
      else { throw Read.notFound(type, id: id) }
      // RFC 7644 section 3.5.2: where attributes are asked for, the answer is 200 with them.
      if !exchange.asksForProjection {
        if preference.isMinimal { return minimal(exchange, stored, type: type, status: 204) }
        let isLong = try hasLongMemberList(stored, type: type, exchange: exchange, in: transaction)
        if !preference.isRepresentation, exchange.profile == .entra || isLong {
          return Response(status: 204, headers: [("ETag", stored.entityTag)])
        }
      }
      return try respond(exchange, stored, type: type, status: 200, projection: projection, in: transaction)
    }
  }

  static func delete(_ exchange: Exchange, type: ResourceType, id: String) throws(SCIMError) -> Operation {
    try Authentication.checkWrite(exchange.key, to: type)
    let precondition = Precondition(headers: exchange.request.headers)
    return write(exchange, passwords: []) { (transaction, _) throws(SCIMError) in
      guard
        try exchange.writer.delete(type: type, id: id, precondition: precondition, in: transaction)
      else { throw Read.notFound(type, id: id) }
      return Response(status: 204)
    }
  }

  /// A write whose passwords are hashed first, on threads of their own, since that takes long on purpose.
  ///
  /// - Parameter resources: about how many resources it changes.
  static func write(
    _ exchange: Exchange, passwords: [String], resources: Int = 1,
    _ body: @escaping @Sendable (any StoreTransaction, [String: String]) throws(SCIMError) -> Response
  ) -> Operation {
    let service = exchange.service
    // A long body is much to write also where it is of one resource, such as a group with its members.
    let weight = max(resources, 1 + exchange.request.body.count / bytesOfLightWrite)
    guard !passwords.isEmpty else {
      return .write { sink in
        queue(exchange, weight, sink) { (transaction) throws(SCIMError) in try body(transaction, [:]) }
      }
    }
    return .write { sink in
      service.passwordHasher.hash(passwords, for: exchange.organization.id) { result in
        switch result {
        case .success(let hashes):
          queue(exchange, weight, sink) { (transaction) throws(SCIMError) in try body(transaction, hashes) }
        case .failure(let error): sink(.failure(error))
        }
      }
    }
  }

  private static let bytesOfLightWrite = 8 << 10

  private enum Outcome: Sendable {
    case done(Response)
    /// The request was read by definitions that have changed meanwhile.
    case outdated(SchemaRegistry)
  }

  /// Queues a write that was prepared by the definitions of the exchange. Where they have changed before its turn comes,
  /// the request is read anew by those that hold then.
  private static func queue(
    _ exchange: Exchange, _ weight: Int, _ sink: @escaping Operation.Sink,
    _ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Response
  ) {
    exchange.service.store.write(
      for: exchange.organization.id, weight: weight,
      { (transaction) throws(SCIMError) -> Outcome in
        let registry = try transaction.registry(of: exchange.organization.id)
        guard registry.revision == exchange.registry.revision else { return .outdated(registry) }
        return .done(try body(transaction))
      },
      completion: { result in
        switch result {
        case .success(.done(let response)): answer(response, exchange, sink)
        case .success(.outdated(let registry)): readAnew(exchange, registry: registry, sink)
        case .failure(let error): sink(.failure(error))
        }
      })
  }

  /// A long answer is sent by a worker: it may be compressed on the way, for which the writer has no time.
  private static func answer(_ response: Response, _ exchange: Exchange, _ sink: @escaping Operation.Sink) {
    guard response.body.count > longAnswer else { return sink(.success(response)) }
    do throws(SCIMError) {
      try exchange.configuration.offload(exchange.organization.id, { false }) { _ in sink(.success(response)) }
    } catch {
      // It is done, whether a worker takes it or not.
      sink(.success(response))
    }
  }

  private static let longAnswer = 64 << 10

  /// On a worker, since the writer has others to serve.
  private static func readAnew(_ exchange: Exchange, registry: SchemaRegistry, _ sink: @escaping Operation.Sink) {
    exchange.configuration.offload(
      for: exchange.organization.id, to: sink, ofWrite: sink
    ) { (reader) throws(SCIMError) in
      try Operation.of(exchange.read(by: registry), reader: reader, filters: FilterMemory())
    }
  }

  /// The answer with the resource as it now is, read back with its links inside the same transaction.
  private static func respond(
    _ exchange: Exchange, _ stored: StoredResource, type: ResourceType, status: Int, projection: Projection,
    in transaction: any StoreTransaction
  ) throws(SCIMError) -> Response {
    var shown = stored
    if !type.links.isEmpty {
      shown =
        try transaction.resource(
          id: stored.id, type: type, links: projection.links(for: type), in: exchange.organization.id) ?? stored
    }
    return try exchange.answer(shown, type: type, status: status, projection: projection, reader: transaction)
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
    _ stored: StoredResource, type: ResourceType, exchange: Exchange, in transaction: any StoreTransaction
  ) throws(SCIMError) -> Bool {
    for link in type.links {
      guard case .members = link.kind else { continue }
      let count = try transaction.linkCount(
        owner: stored.handle, attribute: link.attribute, limit: exchange.configuration.maxMembersInPatchAnswer + 1,
        in: exchange.organization.id)
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
