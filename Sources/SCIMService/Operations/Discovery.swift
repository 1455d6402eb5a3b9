import HTTPMessage
import SCIMCore

/// `/ServiceProviderConfig`, `/ResourceTypes` and `/Schemas` (RFC 7644 section 4).
///
/// Sort and paging parameters are ignored; a filter is 403, so that nobody takes a part for the whole.
enum Discovery {
  static func respond(_ exchange: Exchange, budget: WorkBudget) throws(SCIMError) -> Response {
    let base = exchange.baseURL
    let registry = exchange.registry
    switch exchange.route {
    case .schemas:
      try refuseFilter(exchange.query)
      let schemas = registry.schemas + BuiltInSchemas.discovery
      try budget.take(schemas.reduce(0) { $0 + steps(of: $1) })
      return try answer(list(schemas.map { DiscoveryDocument.schema($0, baseURL: base) }), exchange)
    case .schema(let id):
      guard let schema = registry.schema(id: id) ?? BuiltInSchemas.discovery(id: id) else {
        throw SCIMError(.notFound, "There is no schema with this URN.")
      }
      try budget.take(steps(of: schema))
      return try answer(DiscoveryDocument.schema(schema, baseURL: base), exchange)
    case .resourceTypes:
      try refuseFilter(exchange.query)
      try budget.take(registry.types.count * 100)
      return try answer(list(registry.types.map { DiscoveryDocument.resourceType($0, baseURL: base) }), exchange)
    case .resourceType(let name):
      guard let type = registry.type(named: name) else {
        throw SCIMError(.notFound, "There is no resource type with this name.")
      }
      return try answer(DiscoveryDocument.resourceType(type, baseURL: base), exchange)
    default:
      throw SCIMError(.notFound, "There is no such endpoint.")
    }
  }

  /// What making the document of a schema takes.
  private static func steps(of schema: SchemaDefinition) -> Int {
    schema.attributes.reduce(50) { $0 + 50 * (1 + $1.subAttributes.count) }
  }

  /// What the service can do (RFC 7643 section 5), with what an organisation announces beyond.
  static func serviceProviderConfig(
    _ configuration: ServiceConfiguration, registry: SchemaRegistry, announced: Set<Organization.Announcement>
  ) -> ServiceProviderConfig {
    var document = ServiceProviderConfig(registry: registry)
    document.announced = announced
    document.documentationURI = configuration.documentationURI
    document.maxBulkOperations = configuration.bulkMaxOperations
    document.maxBulkPayload = configuration.bulkMaxPayloadSize
    document.defaultPageSize = configuration.defaultPageSize
    document.maxPageSize = configuration.maxPageSize
    document.cursorTimeout = configuration.cursorTimeout
    return document
  }

  /// - Throws: `forbidden` for a query string with a filter.
  static func refuseFilter(_ query: QueryString) throws(SCIMError) {
    guard query["filter"] == nil else {
      throw SCIMError(.forbidden, "Discovery cannot be filtered; it always shows everything.")
    }
  }

  private static func list(_ documents: [JSON]) -> JSON {
    let count = Int64(documents.count)
    return [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], "totalResults": .integer(count),
      "startIndex": 1, "itemsPerPage": .integer(count), "Resources": .array(documents),
    ]
  }

  private static func answer(_ document: JSON, _ exchange: Exchange) throws(SCIMError) -> Response {
    try DiscoveryAnswer(document).response(to: exchange.request, media: exchange.media)
  }
}
