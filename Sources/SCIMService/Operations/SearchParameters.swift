import SCIMCore

/// What a query asks for, from a query string or a SearchRequest body alike (RFC 7644 sections 3.4.2 and 3.4.3).
struct SearchParameters: Sendable {
  static let schema = "urn:ietf:params:scim:api:messages:2.0:SearchRequest"

  var filter: String?
  var sortBy: String?
  var sortOrder: String?
  var startIndex: Int?
  var count: Int?
  /// Empty asks for the first page of a cursor walk; nil for index paging.
  var cursor: String?
  var attributes: [String] = []
  var excludedAttributes: [String] = []

  /// Lists of names that are given more than once are one list.
  ///
  /// - Throws: `invalidValue` for a count or startIndex that is no integer, too many names of attributes, and for another
  ///   parameter given twice.
  init(query: QueryString) throws(SCIMError) {
    guard !query.isEmpty else { return }
    filter = try query.one("filter")
    sortBy = try query.one("sortBy")
    sortOrder = try query.one("sortOrder")
    cursor = try query.one("cursor")
    startIndex = try Self.integer(query.one("startIndex"), name: "startIndex")
    count = try Self.integer(query.one("count"), name: "count")
    attributes = try Exchange.names(query.all("attributes"), "attributes")
    excludedAttributes = try Exchange.names(query.all("excludedAttributes"), "excludedAttributes")
  }

  /// - Throws: `invalidSyntax` where the body is no SearchRequest, `invalidValue` for a member of the wrong type.
  init(body: JSON, profile: Profile) throws(SCIMError) {
    guard case .object(let object) = body else {
      throw SCIMError(.invalidSyntax, "The body of a search must be a SearchRequest object.")
    }
    let schemas = object.member("schemas")?.arrayValue?.compactMap(\.stringValue) ?? []
    guard schemas.contains(where: { ASCII.equalIgnoringCase($0, Self.schema) }) || profile.isLenient else {
      throw SCIMError(.invalidSyntax, "'schemas' must contain '\(Self.schema)'.", attribute: "schemas")
    }
    filter = try Self.text(object, "filter")
    sortBy = try Self.text(object, "sortBy")
    sortOrder = try Self.text(object, "sortOrder")
    cursor = try Self.text(object, "cursor")
    startIndex = try Self.integer(object, "startIndex", profile: profile)
    count = try Self.integer(object, "count", profile: profile)
    attributes = try Self.names(object, "attributes")
    excludedAttributes = try Self.names(object, "excludedAttributes")
  }

  /// An integer of any length, capped to what an `Int` holds; nil where it is absent.
  private static func integer(_ text: String?, name: String) throws(SCIMError) -> Int? {
    guard let text else { return nil }
    if let value = Int(text) { return value }
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
      throw SCIMError(.invalidValue, "'\(name)' must be an integer.")
    }
    return isNegative ? .min : .max
  }

  private static func integer(_ object: JSONObject, _ name: String, profile: Profile) throws(SCIMError) -> Int? {
    switch object.member(name) {
    case nil, .null?: return nil
    case .integer(let value)?: return Int(clamping: value)
    case .string(let text)? where profile.isLenient: return try integer(text, name: name)
    default: throw SCIMError(.invalidValue, "'\(name)' must be an integer.")
    }
  }

  private static func text(_ object: JSONObject, _ name: String) throws(SCIMError) -> String? {
    switch object.member(name) {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw SCIMError(.invalidValue, "'\(name)' must be a string.")
    }
  }

  private static func names(_ object: JSONObject, _ name: String) throws(SCIMError) -> [String] {
    switch object.member(name) {
    case nil, .null?: return []
    case .string(let list)?: return try Exchange.names([list], name)
    case .array(let elements)?:
      var names: [String] = []
      for element in elements {
        guard let text = element.stringValue else {
          throw SCIMError(.invalidValue, "'\(name)' must be an array of attribute names.")
        }
        names.append(text)
      }
      return try Exchange.checked(names, name)
    default: throw SCIMError(.invalidValue, "'\(name)' must be an array of attribute names.")
    }
  }
}

extension JSONObject {
  /// The value of the member of that name in any ASCII letter case.
  func member(_ name: String) -> JSON? {
    self[name] ?? members.first { ASCII.equalIgnoringCase($0.key, name) }?.value
  }
}
