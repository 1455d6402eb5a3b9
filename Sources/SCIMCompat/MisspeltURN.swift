import SCIMCore

/// A schema URN without the colon before its last part, as one of Entra's documented requests has it.
///
/// Sent:
///
///     {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User",
///                  "urn:ietf:params:scim:schemas:extension:enterprise:2.0User"],
///      "urn:ietf:params:scim:schemas:extension:enterprise:2.0User": {"department": "Ops"}}
///
/// Read as:
///
///     {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User",
///                  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
///      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "Ops"}}
///
/// The same in the path of a PATCH, before an attribute too, and in filters, `sortBy`, `attributes` and `excludedAttributes`.
enum MisspeltURN {
  /// The name or path with the URN at its beginning corrected.
  static func mend(_ name: String, type: ResourceType) -> String {
    guard name.utf8.count > 4, ASCII.equalIgnoringCase(String(name.prefix(4)), "urn:") else { return name }
    for schema in [type.schema] + type.extensions.map(\.schema) {
      guard let wrong = misspelling(of: schema.id), wrong.utf8.count <= name.utf8.count else { continue }
      let end = name.utf8.index(name.utf8.startIndex, offsetBy: wrong.utf8.count)
      let rest = name[end...]
      if ASCII.equalIgnoringCase(String(name[..<end]), wrong), rest.isEmpty || rest.hasPrefix(":") {
        return schema.id + rest
      }
    }
    return name
  }

  private static func misspelling(of urn: String) -> String? {
    guard let colon = urn.lastIndex(of: ":") else { return nil }
    var wrong = urn
    wrong.remove(at: colon)
    return wrong
  }
}
