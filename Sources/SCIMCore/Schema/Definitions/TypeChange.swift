/// What a changed resource type means for the resources that were stored under the old one.
public enum TypeChange {
  /// The members of a document (attributes at its top, URNs of extensions) of which the new type has something else to
  /// say. Documents without any of these are documents of the new type as they are, in the same order and with the same
  /// index keys. Nil where each document has to be looked at. Empty where none has: only what is optional was added,
  /// or what documents do not depend on changed.
  public static func affectedMembers(old: ResourceType, new: ResourceType) -> [String]? {
    if old === new { return [] }
    guard old.links == new.links, old.displayAttributes == new.displayAttributes, old.isCatalog == new.isCatalog,
      old.schema.id == new.schema.id, var affected = affected(old: old.schema.attributes, new: new.schema.attributes)
    else { return nil }
    let kept = old.extensions.map(\.schema.id).filter { new.extension(urn: $0) != nil }
    let known = new.extensions.filter { old.extension(urn: $0.schema.id) != nil }.map(\.schema.id)
    // What is new is in no document; where it is required, documents lack it.
    let isRequired = new.extensions.contains { $0.isRequired && old.extension(urn: $0.schema.id)?.isRequired != true }
    guard kept == known, !isRequired else { return nil }
    for before in old.extensions {
      let after = new.extension(urn: before.schema.id)
      guard let after, keepsDocuments(old: before.schema, new: after.schema) else {
        affected.append(before.schema.id)
        continue
      }
    }
    return affected
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
        throw loss(of: member.value, in: normalized.document[member.key], at: member.key, type: type)
      }
    }
    return normalized.document
  }

  /// The first attribute in a value that the new type stores otherwise, and why. Values are told to nobody.
  private static func loss(of value: JSON, in carried: JSON?, at path: String, type: ResourceType) -> SCIMError {
    func error(_ reason: String) -> SCIMError { SCIMError(.invalidValue, "'\(path)' \(reason).", attribute: path) }
    let known = AttributeName.resolve(path, in: type, profile: .strict)?.path ?? type.extension(urn: path)?.schema.id
    guard let known else { return error("has a value and is not in the new definition") }
    guard known == path else { return error("is '\(known)' in the new definition") }
    switch (value, carried) {
    case (.object(let before), nil), (.object(let before), .object?):
      let after = carried?.objectValue ?? JSONObject()
      let separator = type.extension(urn: path) == nil ? "." : ":"
      for member in before.members where after[member.key].map(sorted) != sorted(member.value) {
        return loss(of: member.value, in: after[member.key], at: path + separator + member.key, type: type)
      }
    case (.array(let before), .array(let after)?) where before.count == after.count:
      for (element, kept) in zip(before, after) where sorted(element) != sorted(kept) {
        guard case .object = element else { break }
        return loss(of: element, in: kept, at: path, type: type)
      }
    default: break
    }
    return error("would not keep its value")
  }

  /// True where two documents differ in the order of their members alone.
  public static func isSame(_ one: JSONObject, _ other: JSONObject) -> Bool {
    func content(_ document: JSONObject) -> JSON {
      var document = document
      document[CommonAttributes.schemas.name] = nil
      return sorted(.object(document))
    }
    return content(one) == content(other)
  }

  /// The names of attributes that are gone or changed; nil where that may touch a document that has none of them.
  private static func affected(old: [AttributeDefinition], new: [AttributeDefinition]) -> [String]? {
    let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let kept = old.map(\.name).filter { after[$0] != nil }
    let known = new.map(\.name).filter { before[$0] != nil }
    let isRequired = new.contains { $0.isRequired && before[$0.name]?.isRequired != true }
    guard kept == known, !isRequired else { return nil }
    return old.filter { before in
      guard let after = after[before.name] else { return true }
      return !keepsDocuments(old: before, new: after)
    }.map(\.name)
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
      // Texts with words of their own are not in the signature (`TextSignature.covers`).
      && old.canonicalValues.isEmpty == new.canonicalValues.isEmpty
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
