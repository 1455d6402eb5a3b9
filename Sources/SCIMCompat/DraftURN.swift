import SCIMCore

/// A schema's URN as the drafts of SCIM 2.0 had it before RFC 7643, which OneLogin and HelloID's connectors still send.
///
/// Sent:
///
///     {"schemas": ["urn:scim:schemas:core:2.0", "urn:scim:schemas:extension:enterprise:2.0"],
///      "urn:scim:schemas:extension:enterprise:2.0": {"department": "Ops"}}
///
/// Read as:
///
///     {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User",
///                  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
///      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "Ops"}}
///
/// With the name of the type behind it too (`urn:scim:schemas:core:2.0:User`), and before an attribute in the path of a PATCH,
/// a filter, `sortBy`, `attributes` and `excludedAttributes`. Those of SCIM 1 are no URNs of these schemas.
enum DraftURN {
  /// The spellings of each URN, the longer one first.
  private static let spellings: [(urn: String, drafts: [String])] = [
    ("urn:ietf:params:scim:schemas:core:2.0:User", ["urn:scim:schemas:core:2.0:User", "urn:scim:schemas:core:2.0"]),
    ("urn:ietf:params:scim:schemas:core:2.0:Group", ["urn:scim:schemas:core:2.0:Group", "urn:scim:schemas:core:2.0"]),
    (
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
      ["urn:scim:schemas:extension:enterprise:2.0:User", "urn:scim:schemas:extension:enterprise:2.0"]
    ),
  ]

  /// The name or path with the URN at its beginning corrected.
  static func mend(_ name: String, type: ResourceType) -> String {
    guard hasPrefix(name, "urn:scim:") else { return name }
    for schema in [type.schema] + type.extensions.map(\.schema) {
      let drafts = spellings.first { $0.urn == schema.id }?.drafts ?? []
      for spelling in drafts where hasPrefix(name, spelling) {
        let rest = String(name.utf8.dropFirst(spelling.utf8.count)) ?? ""
        if rest.isEmpty || rest.hasPrefix(":") { return schema.id + rest }
      }
    }
    return name
  }

  private static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
    text.utf8.count >= prefix.utf8.count
      && ASCII.equalIgnoringCase(String(text.utf8.prefix(prefix.utf8.count)) ?? "", prefix)
  }
}
