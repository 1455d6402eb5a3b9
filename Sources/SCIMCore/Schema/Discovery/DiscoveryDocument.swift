/// The documents of `/Schemas` and `/ResourceTypes` as they are served (RFC 7643 sections 6 and 7).
public enum DiscoveryDocument {
  /// The schema's document with `schemas` in front and `meta` behind; its location is `{baseURL}/Schemas/{urn}`.
  ///
  /// `baseURL` ends without a slash, for example `https://scim.example.com/scim/v2`.
  public static func schema(_ schema: SchemaDefinition, baseURL: String) -> JSON {
    serve(schema.document, as: "Schema", urn: SchemaURN.schema, location: "\(baseURL)/Schemas/\(schema.id)")
  }

  /// The type's document with `schemas` and `id` in front and `meta` behind; its location is
  /// `{baseURL}/ResourceTypes/{name}`.
  public static func resourceType(_ type: ResourceType, baseURL: String) -> JSON {
    var document = type.document
    if document["id"] == nil { document.members.insert(.init(key: "id", value: .string(type.name)), at: 0) }
    return serve(
      document, as: "ResourceType", urn: SchemaURN.resourceType, location: "\(baseURL)/ResourceTypes/\(type.name)")
  }

  private static func serve(_ document: JSONObject, as type: String, urn: String, location: String) -> JSON {
    var document = document
    if document["schemas"] == nil { document.members.insert(.init(key: "schemas", value: [.string(urn)]), at: 0) }
    document["meta"] = ["resourceType": .string(type), "location": .string(location)]
    return .object(document)
  }
}
