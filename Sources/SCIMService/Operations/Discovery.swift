import HTTPMessage
import SCIMCore

/// `/ServiceProviderConfig`, `/ResourceTypes` and `/Schemas` (RFC 7644 section 4).
///
/// Sort and paging parameters are ignored; a filter is 403, so that nobody takes a part for the whole.
enum Discovery {
  static func respond(_ exchange: Exchange) throws(SCIMError) -> Response {
    let base = exchange.baseURL
    let registry = exchange.registry
    switch exchange.route {
    case .schemas:
      try refuseFilter(exchange)
      return list(registry.schemas.map { DiscoveryDocument.schema($0, baseURL: base) }, exchange: exchange)
    case .schema(let id):
      guard let schema = registry.schema(id: id) else {
        throw SCIMError(.notFound, "There is no schema with this URN.")
      }
      return document(DiscoveryDocument.schema(schema, baseURL: base).encoded(), media: exchange.media)
    case .resourceTypes:
      try refuseFilter(exchange)
      return list(registry.types.map { DiscoveryDocument.resourceType($0, baseURL: base) }, exchange: exchange)
    case .resourceType(let name):
      guard let type = registry.type(named: name) else {
        throw SCIMError(.notFound, "There is no resource type with this name.")
      }
      return document(DiscoveryDocument.resourceType(type, baseURL: base).encoded(), media: exchange.media)
    default:
      throw SCIMError(.notFound, "There is nothing at this address.")
    }
  }

  /// What the service can do, as bytes (RFC 7643 section 5).
  ///
  /// - Parameter announcesCatalog: true where `RolesAndEntitlements` is part of it. That member is an IETF draft's, and
  ///   clients that know the RFC's members alone refuse the document over it; so it is left out for an organisation that
  ///   has neither roles nor entitlements, and for keys of the strict profile.
  static func serviceProviderConfig(
    service: Service, registry: SchemaRegistry, baseURL: String, announcesCatalog: Bool
  ) -> [UInt8] {
    let configuration = service.configuration
    var document = ServiceProviderConfig(registry: registry)
    document.maxBulkOperations = configuration.bulkMaxOperations
    document.maxBulkPayload = configuration.bulkMaxPayloadSize
    document.defaultPageSize = configuration.defaultPageSize
    document.maxPageSize = configuration.maxPageSize
    document.cursorTimeout = configuration.cursorTimeout
    var json = document.json(baseURL: baseURL).objectValue ?? JSONObject()
    if !announcesCatalog { json["RolesAndEntitlements"] = nil }
    return JSON.object(json).encoded()
  }

  private static func refuseFilter(_ exchange: Exchange) throws(SCIMError) {
    guard exchange.query["filter"] == nil else {
      throw SCIMError(.forbidden, "Discovery cannot be filtered; it always shows everything.")
    }
  }

  private static func list(_ documents: [JSON], exchange: Exchange) -> Response {
    let count = Int64(documents.count)
    let body: JSON = [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], "totalResults": .integer(count),
      "startIndex": 1, "itemsPerPage": .integer(count), "Resources": .array(documents),
    ]
    return document(body.encoded(), media: exchange.media)
  }

  private static func document(_ body: [UInt8], media: MediaType) -> Response {
    Response(status: 200, headers: [("Content-Type", media.rawValue)], body: body)
  }
}
