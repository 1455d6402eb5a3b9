import SCIMCore

/// The shape of an address below the base path: the switch of the service is over these, never over resource types.
enum Route {
  /// The base address: all types.
  case root
  /// `POST /.search`: all types.
  case rootSearch
  case collection(ResourceType)
  case collectionSearch(ResourceType)
  case resource(ResourceType, id: String)
  case schemas
  case schema(id: String)
  case resourceTypes
  case resourceType(name: String)
  case serviceProviderConfig
  case bulk
  case me

  /// The methods that the address knows, for `Allow`.
  var methods: [String] {
    switch self {
    case .root, .schemas, .schema, .resourceTypes, .resourceType, .serviceProviderConfig: ["GET", "HEAD", "OPTIONS"]
    case .rootSearch, .collectionSearch, .bulk: ["POST", "OPTIONS"]
    case .collection: ["GET", "HEAD", "POST", "OPTIONS"]
    case .resource: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]
    case .me: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    }
  }

  /// Whether equal requests have equal answers while nothing is committed; pages can hold cursors, which expire.
  var isRepeatable: Bool {
    switch self {
    case .resource, .schemas, .schema, .resourceTypes, .resourceType: true
    default: false
    }
  }

  /// Whether the address knows the method.
  func knows(_ method: String) -> Bool {
    // What is asked for most, without making a list.
    if method == "GET" {
      switch self {
      case .rootSearch, .collectionSearch, .bulk: return false
      default: return true
      }
    }
    return methods.contains(method)
  }

  /// The address with its variable parts left out, for the log.
  var label: String {
    switch self {
    case .root: "/"
    case .rootSearch: "/.search"
    case .collection(let type): type.endpoint
    case .collectionSearch(let type): type.endpoint + "/.search"
    case .resource(let type, _): type.endpoint + "/{id}"
    case .schemas: "/Schemas"
    case .schema: "/Schemas/{id}"
    case .resourceTypes: "/ResourceTypes"
    case .resourceType: "/ResourceTypes/{id}"
    case .serviceProviderConfig: "/ServiceProviderConfig"
    case .bulk: "/Bulk"
    case .me: "/Me"
    }
  }
}
