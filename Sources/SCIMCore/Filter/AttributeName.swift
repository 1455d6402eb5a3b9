/// Attribute names as clients write them (RFC 7644 section 3.10).
public enum AttributeName {
  /// Gives the name that another spelling of it stands for, before it is resolved; what it does not know it gives as it is.
  public typealias Alias = @Sendable (_ name: String, _ type: ResourceType, _ profile: Profile) -> String

  /// Resolves a name against a resource type; nil where the type has no such attribute.
  ///
  /// `userName`, `name.givenName`, `meta.created`, `members.$ref`; qualified by the URN of the base schema, which may
  /// stand before common attributes too, or of an extension: `urn:…:User:manager.value`. ASCII letter case counts
  /// nowhere. URNs hold dots and colons themselves: the longest URN of the type's schemas that the name begins with
  /// is its schema. When lenient, a dot may stand for the colon behind a URN, and a plain name that neither the base
  /// schema nor the common attributes have, and exactly one extension, is that extension's.
  public static func resolve(
    _ name: String, in type: ResourceType, profile: Profile
  ) -> AttributeReference? {
    if name.utf8.contains(UInt8(ascii: ":")) { return resolveQualified(name, in: type, profile) }
    let (attribute, sub) = split(name)
    if let found = coreAttribute(named: attribute, in: type) { return reference(found, sub: sub) }
    guard profile.isLenient else { return nil }
    var result: AttributeReference?
    for candidate in type.extensions {
      guard let definition = candidate.schema.attribute(named: attribute) else { continue }
      guard result == nil else { return nil }
      result = AttributeReference(home: .extension(candidate.schema.id), attribute: definition)
    }
    return result.flatMap { reference(($0.home, $0.attribute), sub: sub) }
  }

  /// Resolves a name as it stands inside the object of an extension; nil where the schema has no such attribute.
  public static func resolve(_ name: String, inExtension schema: SchemaDefinition) -> AttributeReference? {
    let (attribute, sub) = split(name)
    return schema.attribute(named: attribute).flatMap { reference((.extension(schema.id), $0), sub: sub) }
  }

  private static func resolveQualified(
    _ name: String, in type: ResourceType, _ profile: Profile
  ) -> AttributeReference? {
    var schema: SchemaDefinition?
    for candidate in [type.schema] + type.extensions.map(\.schema)
    where hasPrefix(name, urn: candidate.id, profile) && candidate.id.utf8.count > schema?.id.utf8.count ?? 0 {
      schema = candidate
    }
    guard let schema else { return nil }
    let (attribute, sub) = split(String(name.utf8.dropFirst(schema.id.utf8.count + 1)) ?? "")
    if schema === type.schema {
      return coreAttribute(named: attribute, in: type).flatMap { reference($0, sub: sub) }
    }
    return schema.attribute(named: attribute).flatMap { reference((.extension(schema.id), $0), sub: sub) }
  }

  /// A common attribute goes first: some schemas list `id` as theirs.
  private static func coreAttribute(
    named name: String, in type: ResourceType
  ) -> (AttributeReference.Home, AttributeDefinition)? {
    if let common = CommonAttributes.attribute(named: name) { return (.common, common) }
    return type.schema.attribute(named: name).map { (.core, $0) }
  }

  private static func reference(
    _ found: (home: AttributeReference.Home, attribute: AttributeDefinition), sub: String?
  ) -> AttributeReference? {
    guard let sub else { return AttributeReference(home: found.home, attribute: found.attribute) }
    return found.attribute.subAttribute(named: sub).map {
      AttributeReference(home: found.home, attribute: found.attribute, sub: $0)
    }
  }

  /// Parts `name.givenName` at its first dot.
  private static func split(_ name: String) -> (attribute: String, sub: String?) {
    guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return (name, nil) }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }

  /// True where the name is the URN, in any ASCII letter case, a colon (or when lenient a dot) and more.
  private static func hasPrefix(_ name: String, urn: String, _ profile: Profile) -> Bool {
    var rest = name.utf8.makeIterator()
    for byte in urn.utf8 {
      guard let next = rest.next(), ASCII.lowercase(next) == ASCII.lowercase(byte) else { return false }
    }
    let next = rest.next()
    return next == UInt8(ascii: ":") || (profile.isLenient && next == UInt8(ascii: "."))
  }
}
