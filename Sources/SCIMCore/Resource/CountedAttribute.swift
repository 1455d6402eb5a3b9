/// The attribute of roles and entitlements that tells how many resources hold them: counted when read, never stored
/// (draft-ietf-scim-roles-entitlements).
enum CountedAttribute {
  static let name = "totalAssignmentsUsed"

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
