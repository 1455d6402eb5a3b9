import HTTPMessage
import SCIMCore

/// Where an operation runs: cheap reads on the loop, long ones on a worker, writes on the writer.
enum Operation {
  typealias Sink = @Sendable (Result<Response, SCIMError>) -> Void

  case here((any StoreReader) throws(SCIMError) -> Response)
  /// On the loop where that is cheap, which shows only then: nil asks for the worker.
  case hereIfCheap(
    (any StoreReader) throws(SCIMError) -> Response?,
    otherwise: @Sendable (any StoreReader) throws(SCIMError) -> Response)
  case worker(@Sendable (any StoreReader) throws(SCIMError) -> Response)
  /// Queues the write and sends its answer to the sink once it is durable.
  case write((@escaping Sink) -> Void)

  /// The operation that a request asks for.
  ///
  /// - Parameter filters: what this thread knows of filters.
  /// - Throws: `methodNotAllowed`, `forbidden`, and what is wrong with the request.
  static func of(_ exchange: Exchange, filters: FilterMemory) throws(SCIMError) -> Operation {
    let method = exchange.request.method
    if method == "OPTIONS" {
      let response = Response(
        status: 204, headers: [("Allow", exchange.methods.joined(separator: ", "))])
      return .here { (_) throws(SCIMError) in response }
    }
    guard exchange.route.knows(method) || exchange.methods.contains(method) else {
      throw SCIMError(
        .methodNotAllowed,
        "This address does not know the method; it knows \(exchange.methods.joined(separator: ", ")).")
    }
    switch exchange.route {
    case .me:
      throw SCIMError(.notImplemented, "A key names an organisation and not a person, so there is no /Me.")
    case .serviceProviderConfig, .schemas, .schema, .resourceTypes, .resourceType:
      guard method == "GET" || method == "HEAD" else { return try DefinitionWrites.operation(exchange) }
      let response = try Discovery.respond(exchange)
      return .here { (_) throws(SCIMError) in response }
    case .root:
      return try Search.operation(
        exchange, types: exchange.registry.types, parameters: .init(query: exchange.query),
        filters: filters)
    case .rootSearch:
      return try Search.operation(
        exchange, types: exchange.registry.types, parameters: .init(body: exchange.body(), profile: exchange.profile),
        filters: filters)
    case .collectionSearch(let type):
      return try Search.operation(
        exchange, types: [type], parameters: .init(body: exchange.body(), profile: exchange.profile),
        filters: filters)
    case .collection(let type):
      if method == "POST" { return try Writes.create(exchange, type: type) }
      return try Search.operation(
        exchange, types: [type], parameters: .init(query: exchange.query),
        filters: filters)
    case .resource(let type, let id):
      switch method {
      case "PUT": return try Writes.replace(exchange, type: type, id: id)
      case "PATCH": return try Writes.patch(exchange, type: type, id: id)
      case "DELETE": return try Writes.delete(exchange, type: type, id: id)
      default: return try Read.operation(exchange, type: type, id: id)
      }
    case .bulk:
      return try Bulk.operation(exchange)
    }
  }
}
