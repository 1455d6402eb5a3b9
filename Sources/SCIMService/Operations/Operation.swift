import HTTPMessage
import SCIMCore

/// What a request comes to: an answer, or a write that waits for its turn.
enum Operation {
  typealias Sink = @Sendable (Result<Response, SCIMError>) -> Void

  case answer(Response)
  /// Queues the write and sends its answer to the sink once it is durable.
  case write((@escaping Sink) -> Void)

  /// Reads the body, and answers what asks for a read; what asks for a write is made ready to be queued.
  ///
  /// All of it is taken from the reader's budget, reading the body first. On a loop that may end with `tooCostly`; the
  /// same is then done on a worker, from the beginning.
  ///
  /// - Parameter filters: what this thread knows of filters.
  /// - Throws: `methodNotAllowed`, `forbidden`, and what is wrong with the request.
  static func of(
    _ exchange: Exchange, reader: any TenantReader, filters: FilterMemory
  ) throws(SCIMError) -> Operation {
    let method = exchange.request.method
    if method == "OPTIONS" {
      return .answer(Response(status: 204, headers: [("Allow", exchange.methods.joined(separator: ", "))]))
    }
    guard exchange.route.knows(method) || exchange.methods.contains(method) else {
      throw SCIMError(
        .methodNotAllowed,
        "Method not allowed. Allowed: \(exchange.methods.joined(separator: ", ")).")
    }
    // Parsing, checking and normalising a byte takes about a step.
    try reader.budget.take(exchange.request.body.count)
    func search(_ types: [ResourceType], _ parameters: SearchParameters) throws(SCIMError) -> Operation {
      .answer(try Search.respond(exchange, types: types, parameters: parameters, filters: filters, reader: reader))
    }
    switch exchange.route {
    case .me:
      throw SCIMError(.notImplemented, "A key names an organisation and not a person, so there is no /Me.")
    case .serviceProviderConfig, .schemas, .schema, .resourceTypes, .resourceType:
      guard method == "GET" || method == "HEAD" else { return try DefinitionWrites.operation(exchange) }
      return .answer(try Discovery.respond(exchange, budget: reader.budget))
    case .root:
      return try search(exchange.registry.types, SearchParameters(query: exchange.query))
    case .rootSearch:
      return try search(
        exchange.registry.types, SearchParameters(body: exchange.body(), profile: exchange.profile))
    case .collectionSearch(let type):
      return try search([type], SearchParameters(body: exchange.body(), profile: exchange.profile))
    case .collection(let type):
      if method == "POST" { return try Writes.create(exchange, type: type) }
      return try search([type], SearchParameters(query: exchange.query))
    case .resource(let type, let id):
      switch method {
      case "PUT": return try Writes.replace(exchange, type: type, id: id)
      case "PATCH": return try Writes.patch(exchange, type: type, id: id)
      case "DELETE": return try Writes.delete(exchange, type: type, id: id)
      default: return .answer(try Read.respond(exchange, type: type, id: id, reader: reader))
      }
    case .bulk:
      return try Bulk.operation(exchange)
    }
  }
}
