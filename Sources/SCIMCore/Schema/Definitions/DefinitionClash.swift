/// What becomes of an organisation's definition that has the name, the endpoint or the URN of something built in.
public enum DefinitionClashes: Sendable {
  /// It is a mistake: so for definitions that are about to be made.
  case refused
  /// It stands, and what is built in is left out for that organisation: so for definitions that were there first. An
  /// extension that both add to a type is taken once.
  case ownWins
}

/// A stored definition that clashes with something built in, which came with a later version or with `--schemas`.
public struct DefinitionClash: Sendable, Hashable, CustomStringConvertible {
  public let kind: Definition.Kind
  /// The organisation's own type or schema.
  public let own: String
  /// The built-in type or schema that is left out for it.
  public let builtIn: String

  public var description: String {
    switch kind {
    case .schema: "its own schema \(own) replaces the built-in one"
    case .type, .additions, .retired: "its own resource type \(own) replaces the built-in type \(builtIn)"
    }
  }

  /// The clashes of these definitions with the base, names and endpoints compared without regard to letter case.
  public static func all(in definitions: [Definition], with base: SchemaRegistry) -> [DefinitionClash] {
    let retired = Retirement(definitions, base: base)
    return definitions.flatMap { definition -> [DefinitionClash] in
      switch definition.kind {
      case .additions, .retired: return []
      case .schema:
        guard let schema = base.schema(id: definition.name), !retired.schemas.contains(schema.id) else { return [] }
        return [DefinitionClash(kind: .schema, own: definition.name, builtIn: schema.id)]
      case .type:
        let endpoint = definition.document["endpoint"]?.stringValue ?? ""
        return base.types.filter {
          (ASCII.equalIgnoringCase($0.name, definition.name) || ASCII.equalIgnoringCase($0.endpoint, endpoint))
            && !retired.types.contains($0.name)
        }.map { DefinitionClash(kind: .type, own: definition.name, builtIn: $0.name) }
      }
    }
  }

  /// The names of the types and the URNs of the schemas of the base for which the organisation has its own.
  static func leftOut(
    of base: SchemaRegistry, for definitions: [Definition]
  ) -> (types: Set<String>, schemas: Set<String>) {
    let clashes = all(in: definitions, with: base)
    func names(_ kind: Definition.Kind) -> Set<String> { Set(clashes.filter { $0.kind == kind }.map(\.builtIn)) }
    return (names(.type), names(.schema))
  }
}
