/// What `/ServiceProviderConfig` says of the server: RFC 7643 section 5, and what an organisation announces beyond it: the
/// paging of RFC 9865 section 4, the `RolesAndEntitlements` of draft-ietf-scim-roles-entitlements-01.
public struct ServiceProviderConfig: Sendable, Hashable {
  public var isBulkSupported = true
  public var maxBulkOperations = 1000
  /// In bytes.
  public var maxBulkPayload = 1 << 20
  /// How many resources a page holds where the client does not say.
  public var defaultPageSize = 100
  /// The most a page holds; also `filter.maxResults`.
  public var maxPageSize = 1000
  /// How many seconds a cursor is good for at least; nil leaves it unsaid.
  public var cursorTimeout: Int? = nil
  /// The address of the service's manual; nil where there is none.
  public var documentationURI: String? = nil
  /// The names of the types that `roles` takes its values from.
  public var roleTypes: [String]
  /// The names of the types that `entitlements` takes its values from.
  public var entitlementTypes: [String]
  /// What is shown beyond RFC 7643.
  public var announced: Set<Organization.Announcement> = Organization.Announcement.standard

  /// The defaults, with the role and entitlement types of a registry: those in the catalogue of an attribute `roles`,
  /// and of an attribute `entitlements`.
  public init(registry: SchemaRegistry) {
    roleTypes = Self.catalogTypes(of: "roles", in: registry)
    entitlementTypes = Self.catalogTypes(of: "entitlements", in: registry)
  }

  /// The document, with `meta`. `baseURL` ends without a slash, for example `https://scim.example.com/scim/v2`.
  public func json(baseURL: String) -> JSON {
    var document = JSONObject()
    document["schemas"] = [.string(SchemaURN.serviceProviderConfig)]
    if let documentationURI { document["documentationUri"] = .string(documentationURI) }
    document["patch"] = ["supported": true]
    document["bulk"] = [
      "supported": .bool(isBulkSupported), "maxOperations": .integer(Int64(maxBulkOperations)),
      "maxPayloadSize": .integer(Int64(maxBulkPayload)),
    ]
    document["filter"] = ["supported": true, "maxResults": .integer(Int64(maxPageSize))]
    document["changePassword"] = ["supported": true]
    document["sort"] = ["supported": true]
    document["etag"] = ["supported": true]
    document["authenticationSchemes"] = [
      [
        "type": "oauthbearertoken", "name": "Bearer key",
        "description": "A key of the organisation, sent as \"Authorization: Bearer KEY\".",
        "specUri": "https://www.rfc-editor.org/info/rfc6750", "primary": true,
      ]
    ]
    if announced.contains(.pagination) { document["pagination"] = pagination }
    if announced.contains(.entitlements) {
      document["RolesAndEntitlements"] = [
        "roles": assignments(roleTypes, multiple: "multipleRolesSupported"),
        "entitlements": assignments(entitlementTypes, multiple: "multipleEntitlementsSupported"),
      ]
    }
    document["meta"] = [
      "resourceType": "ServiceProviderConfig", "location": .string("\(baseURL)/ServiceProviderConfig"),
    ]
    return .object(document)
  }

  private var pagination: JSON {
    var pagination = JSONObject()
    pagination["cursor"] = true
    pagination["index"] = true
    pagination["defaultPaginationMethod"] = "index"
    pagination["defaultPageSize"] = .integer(Int64(defaultPageSize))
    pagination["maxPageSize"] = .integer(Int64(maxPageSize))
    if let cursorTimeout { pagination["cursorTimeout"] = .integer(Int64(cursorTimeout)) }
    return .object(pagination)
  }

  private func assignments(_ types: [String], multiple: String) -> JSON {
    let isSupported = JSON.bool(!types.isEmpty)
    return .object(
      JSONObject([
        .init(key: "supported", value: isSupported),
        .init(key: multiple, value: isSupported),
        .init(key: "primarySupported", value: isSupported),
        .init(key: "typeSupported", value: isSupported),
        .init(key: "types", value: .array(types.map { .string($0) })),
      ]))
  }

  private static func catalogTypes(of attribute: String, in registry: SchemaRegistry) -> [String] {
    var names: [String] = []
    for case .catalog(let schema)? in registry.types.map({ $0.link(for: attribute)?.kind }) {
      names += registry.catalogTypes(schema: schema).map(\.name).filter { !names.contains($0) }
    }
    return names
  }
}
