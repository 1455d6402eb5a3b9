import SCIMCore

/// The bound on what one resource may hold, so that a write of it is short for everybody who waits behind it.
///
/// Judged before the writer is reached wherever the body alone tells; the limit is in values, since each costs rows of
/// the index whatever its length. The URNs in `schemas` are none.
public enum ResourceSize {
  /// The most values of one resource: simple values, and elements that link to the catalogue. Members do not count.
  public static let maximumValues = 5000

  /// - Throws: `payloadTooLarge` for a body with more.
  static func check(_ resource: NormalizedResource, type: ResourceType) throws(SCIMError) {
    var count = resource.document.countOfValues
    for link in type.links {
      if case .catalog = link.kind { count += resource.links[link.attribute]?.count ?? 0 }
    }
    try check(count, type: type)
  }

  /// - Throws: `payloadTooLarge` for a document that has more values, and more than it had.
  static func check(_ document: JSONObject, was old: JSONObject, type: ResourceType) throws(SCIMError) {
    let count = document.countOfValues
    guard count > maximumValues, count > old.countOfValues else { return }
    try check(count, type: type)
  }

  /// - Throws: `tooMany` for operations that bring more values than a resource may have, members apart.
  static func check(_ operations: [PatchOperation], type: ResourceType) throws(SCIMError) {
    let names = type.links.compactMap { link -> String? in
      if case .members = link.kind { link.attribute } else { nil }
    }
    // By the attribute alone, whether a URN stands before it or a filter behind it.
    func isMembers(_ path: String) -> Bool {
      let whole = path.prefix { $0 != "[" }
      let name = String(whole.split(separator: ":").last ?? whole)
      return names.contains { ASCII.equalIgnoringCase(name, $0) }
    }
    var count = 0
    for operation in operations {
      guard let value = operation.value else { continue }
      if let path = operation.path {
        if !isMembers(path) { count += value.valueCount }
      } else if let object = value.objectValue {
        for member in object.members where !isMembers(member.key) { count += member.value.valueCount }
      }
    }
    guard count <= 2 * maximumValues else {
      throw SCIMError(
        .tooMany,
        "The operations bring \(count) values; a \(type.name) may have \(maximumValues), and one request may bring"
          + " \(2 * maximumValues).")
    }
  }

  private static func check(_ count: Int, type: ResourceType) throws(SCIMError) {
    guard count <= maximumValues else {
      throw SCIMError(
        .payloadTooLarge, "The \(type.name) would have \(count) values; a resource may have \(maximumValues).")
    }
  }
}

extension JSON {
  /// How many simple values there are, in lists and objects too.
  fileprivate var valueCount: Int {
    switch self {
    case .array(let elements): elements.reduce(0) { $0 + $1.valueCount }
    case .object(let object): object.valueCount
    default: 1
    }
  }
}

extension JSONObject {
  /// How many simple values a document has, without its schemas.
  fileprivate var countOfValues: Int { valueCount - (self["schemas"]?.valueCount ?? 0) }

  fileprivate var valueCount: Int { members.reduce(0) { $0 + $1.value.valueCount } }
}
