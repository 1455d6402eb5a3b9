/// What a changed resource type means for the resources that were stored under the old one.
public enum TypeChange {
  /// True where every document of the old type is one of the new type, in the same order and with the same index keys,
  /// so that none has to be looked at: only what is optional was added, or what documents do not depend on changed.
  public static func keepsDocuments(old: ResourceType, new: ResourceType) -> Bool {
    if old === new { return true }
    guard old.links == new.links, old.displayAttributes == new.displayAttributes, old.isCatalog == new.isCatalog,
      keepsDocuments(old: old.schema, new: new.schema)
    else { return false }
    var rest = new.extensions[...]
    for before in old.extensions {
      guard let index = rest.firstIndex(where: { $0.schema.id == before.schema.id }) else { return false }
      let after = rest[index]
      // What stands in between is new, and so in no document; where it is required, documents lack it.
      guard rest[..<index].allSatisfy({ !$0.isRequired }), before.isRequired || !after.isRequired,
        keepsDocuments(old: before.schema, new: after.schema)
      else { return false }
      rest = rest[(index + 1)...]
    }
    return rest.allSatisfy { !$0.isRequired }
  }

  /// A stored document (without `id` and links) as the new type stores it: the same values, in its order.
  ///
  /// - Throws: `invalidValue` where the new type would have another value, lacks an attribute that has one, or asks for
  ///   what is not there.
  public static func carry(_ document: JSONObject, to type: ResourceType) throws(SCIMError) -> JSONObject {
    let normalized = try ResourceNormalizer.normalize(.object(document), type: type, profile: .interop)
    try ResourceValidator.validate(document: normalized.document, links: [:], type: type)
    for member in document.members where member.key != CommonAttributes.schemas.name {
      guard let carried = normalized.document[member.key], sorted(carried) == sorted(member.value) else {
        throw SCIMError(.invalidValue, "\(member.key): the value does not fit")
      }
    }
    return normalized.document
  }

  private static func keepsDocuments(old: SchemaDefinition, new: SchemaDefinition) -> Bool {
    old === new || old.id == new.id && keepsDocuments(old: old.attributes, new: new.attributes)
  }

  private static func keepsDocuments(old: [AttributeDefinition], new: [AttributeDefinition]) -> Bool {
    var rest = new[...]
    for before in old {
      guard let index = rest.firstIndex(where: { $0.name == before.name }) else { return false }
      guard rest[..<index].allSatisfy({ !$0.isRequired }), keepsDocuments(old: before, new: rest[index]) else {
        return false
      }
      rest = rest[(index + 1)...]
    }
    return rest.allSatisfy { !$0.isRequired }
  }

  private static func keepsDocuments(old: AttributeDefinition, new: AttributeDefinition) -> Bool {
    old.type == new.type && old.isMultiValued == new.isMultiValued && (old.isRequired || !new.isRequired)
      && old.isCaseExact == new.isCaseExact && old.mutability == new.mutability && old.returned == new.returned
      && old.uniqueness == new.uniqueness && keepsDocuments(old: old.subAttributes, new: new.subAttributes)
  }

  /// The value with the members of its objects in the order of their names.
  private static func sorted(_ value: JSON) -> JSON {
    switch value {
    case .object(let object):
      let members = object.members.map { JSONObject.Member(key: $0.key, value: sorted($0.value)) }
      return .object(JSONObject(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    case .array(let elements): return .array(elements.map(sorted))
    default: return value
    }
  }
}
