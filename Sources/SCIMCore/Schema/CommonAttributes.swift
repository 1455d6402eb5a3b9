/// The attributes that every resource has though no schema lists them (RFC 7643 section 3.1), and `schemas`.
public enum CommonAttributes {
  public static let schemas = AttributeDefinition(
    name: "schemas", type: .reference, isMultiValued: true, isRequired: true, isCaseExact: true, returned: .always,
    referenceTypes: ["uri"])
  public static let id = AttributeDefinition(
    name: "id", isCaseExact: true, mutability: .readOnly, returned: .always, uniqueness: .server)
  /// Unique only where an organisation has it so (`SchemaSettings.externalIDs`): it is the client's (RFC 7643 section 3.1).
  public static let externalId = AttributeDefinition(name: "externalId", isCaseExact: true)
  public static let meta = AttributeDefinition(
    name: "meta", type: .complex, mutability: .readOnly,
    subAttributes: [
      AttributeDefinition(name: "resourceType", isCaseExact: true, mutability: .readOnly),
      AttributeDefinition(name: "created", type: .dateTime, mutability: .readOnly),
      AttributeDefinition(name: "lastModified", type: .dateTime, mutability: .readOnly),
      AttributeDefinition(
        name: "location", type: .reference, isCaseExact: true, mutability: .readOnly, referenceTypes: ["uri"]),
      AttributeDefinition(name: "version", isCaseExact: true, mutability: .readOnly),
    ])

  public static let all = [schemas, id, externalId, meta]

  /// The common attribute of that name in any ASCII letter case.
  public static func attribute(named name: String) -> AttributeDefinition? {
    all.first { ASCII.equalIgnoringCase($0.name, name) }
  }
}
