/// The attribute of roles and entitlements that tells how many resources hold them: counted when read, never stored
/// (draft-ietf-scim-roles-entitlements).
enum CountedAttribute {
  static let name = "totalAssignmentsUsed"

  /// The schemas of the draft. Others may have an attribute of that name, which means nothing.
  static let schemas: Set<String> = [
    "urn:ietf:params:scim:schemas:core:2.0:Role", "urn:ietf:params:scim:schemas:core:2.0:Entitlement",
  ]

  /// True for the schema of the draft, as an extension.
  static func stands(in schema: SchemaDefinition) -> Bool {
    schemas.contains(schema.id) && schema.attribute(named: name) != nil
  }

  /// The extension's content with the count in its place in the schema's order.
  static func added(_ count: Int, to content: JSONObject, of schema: SchemaDefinition) -> JSONObject {
    var content = content
    content[name] = .integer(Int64(count))
    return JSONObject(
      schema.attributes.compactMap { definition in
        content[definition.name].map { JSONObject.Member(key: definition.name, value: $0) }
      })
  }
}

extension Projection {
  /// True where a request names the count itself: then it is shown also where a resource has nothing else of its
  /// extension.
  func asksForCount(of type: ResourceType) -> Bool {
    guard case .only(let names) = mode, let urn = type.countedExtension else { return false }
    return names.attributes.contains(urn + ":" + CountedAttribute.name)
  }
}
