/// Groups that may share a name, as RFC 7643 section 4.2 leaves them free to.
enum FreeGroupNames {
  private static let urn = "urn:ietf:params:scim:schemas:core:2.0:Group"

  /// The registry with a `displayName` of groups that need not be unique.
  static func made(of base: SchemaRegistry) throws(SchemaError) -> SchemaRegistry {
    let schemas = base.schemas.map { $0.id == urn ? freed($0) : $0 }
    let problems = ProblemList()
    let registry = RegistryBuilder(
      schemas: schemas.map { .init(file: "schema \($0.id)", definition: $0) },
      types: base.types.map { ResourceTypeDraft($0) }, problems: problems
    ).build()
    try problems.throwIfAny()
    return registry
  }

  private static func freed(_ schema: SchemaDefinition) -> SchemaDefinition {
    let name = "displayName"
    let attributes = schema.attributes.map { $0.name == name ? $0.withoutUniqueness : $0 }
    var document = schema.document
    document["attributes"] = .array(
      (document["attributes"]?.arrayValue ?? []).map { attribute in
        guard attribute["name"]?.stringValue == name, var object = attribute.objectValue else { return attribute }
        object["uniqueness"] = .string(AttributeDefinition.Uniqueness.none.rawValue)
        return .object(object)
      })
    return SchemaDefinition(
      id: schema.id, name: schema.name, text: schema.text, attributes: attributes, document: document)
  }
}

extension AttributeDefinition {
  /// The same attribute with a value that others may have as well.
  fileprivate var withoutUniqueness: AttributeDefinition {
    AttributeDefinition(
      name: name, type: type, isMultiValued: isMultiValued, text: text, isRequired: isRequired,
      canonicalValues: canonicalValues, isCaseExact: isCaseExact, mutability: mutability, returned: returned,
      uniqueness: .none, referenceTypes: referenceTypes, subAttributes: subAttributes)
  }
}
