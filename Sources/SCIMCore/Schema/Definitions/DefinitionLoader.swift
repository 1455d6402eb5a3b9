/// Makes the registry of an organisation from its own definitions on top of what all organisations have.
public enum DefinitionLoader {
  /// The registry of the base with the definitions behind it. What the base has is shared by reference, but for types
  /// that get more extensions.
  ///
  /// - Parameters:
  ///   - clashes: what becomes of definitions with a name, an endpoint or a URN that the base has as well.
  ///   - revision: the revision of the organisation's definitions, which the registry remembers.
  /// - Throws: `SchemaError` with every mistake found: what the loader of the built-in documents refuses, what clashes
  ///   with the base where that is refused, links of the organisation's own, and more than `DefinitionLimits` allow.
  public static func load(
    _ definitions: [Definition], extending base: SchemaRegistry, clashes: DefinitionClashes = .refused,
    revision: Int64 = 0
  ) throws(SchemaError) -> SchemaRegistry {
    try load(
      definitions, extending: base, clashes: clashes, revision: revision,
      attributesTogether: DefinitionLimits.attributesTogether, unreadable: [])
  }

  /// As above; may come without definitions that cannot be read.
  ///
  /// - Parameter attributesTogether: how many the types may have; nil where nothing is held against limits, as stored
  ///   definitions are.
  static func load(
    _ definitions: [Definition], extending base: SchemaRegistry, clashes: DefinitionClashes, revision: Int64,
    attributesTogether: Int?, unreadable: [UnreadableDefinition]
  ) throws(SchemaError) -> SchemaRegistry {
    let problems = ProblemList()
    if attributesTogether != nil { checkLimits(definitions, problems) }
    let retired = Retirement(definitions, base: base)
    var left: (types: Set<String>, schemas: Set<String>) =
      clashes == .ownWins ? DefinitionClash.leftOut(of: base, for: definitions) : ([], [])
    left.types.formUnion(retired.types)
    left.schemas.formUnion(retired.schemas)
    var schemas: [RegistryBuilder.Schema] = base.schemas.filter { !left.schemas.contains($0.id) }.map {
      .init(file: "the built-in schemas", definition: $0)
    }
    var types: [ResourceTypeDraft] = base.types.filter { !left.types.contains($0.name) }.map { type in
      var draft = ResourceTypeDraft(type)
      draft.file = builtInTypes
      return draft
    }
    for definition in definitions {
      let reader = MemberReader(file: definition.label, object: definition.document, problems: problems)
      switch definition.kind {
      case .schema:
        guard let schema = SchemaParser(reader: reader).parse() else { continue }
        // Where there are some with mistakes, these are noted.
        if schema.attributes.isEmpty, definition.document["attributes"]?.arrayValue?.isEmpty != false {
          reader.note("must define at least one attribute", at: "attributes")
        }
        schemas.append(.init(file: definition.label, definition: schema))
      case .type:
        guard var draft = ResourceTypeParser(reader: reader).parse() else { continue }
        if !draft.links.isEmpty { reader.note("only built-in types have links", at: "roster.links") }
        if !draft.defaults.isEmpty { reader.note("only built-in types have defaults", at: "roster.defaults") }
        let model = base.type(withBase: draft.schema, leavingOut: left.schemas)
        draft.links = model?.linksOfBase ?? []
        draft.defaults = model?.defaults ?? []
        types.append(draft)
      case .additions:
        guard
          let index = types.firstIndex(where: {
            $0.name == definition.name && ($0.file == builtInTypes || $0.file == definition.label)
          })
        else {
          if left.types.contains(definition.name) { continue }
          reader.note("there is no built-in type \"\(definition.name)\"")
          continue
        }
        var added = ResourceTypeParser(reader: reader).parseExtensions()
        if clashes == .ownWins {
          let present = types[index].extensions
          added.removeAll { one in present.contains { ASCII.equalIgnoringCase($0.schema, one.schema) } }
        }
        types[index].add(added)
        types[index].file = definition.label
      case .retired: continue
      }
    }
    try problems.throwIfAny()
    // A catalogue without an entry of a kind is one all the same.
    let bases = base.types.filter { left.types.contains($0.name) }.map(\.schema.id)
    let registry = RegistryBuilder(schemas: schemas, types: types, knownBases: bases, problems: problems)
      .build(settings: base.settings, revision: revision, leftOut: left.types, unreadable: unreadable)
    guard let attributesTogether else {
      try problems.throwIfAny()
      return registry
    }
    for type in registry.types where base.type(named: type.name) !== type {
      let count = type.attributeCount
      guard count > DefinitionLimits.attributes else { continue }
      problems.add(
        "has \(count) attributes with those of its extensions and their sub-attributes; at most"
          + " \(DefinitionLimits.attributes) are allowed", in: "resource type \(type.name)")
    }
    let together = registry.ownAttributes(beyond: base)
    if together > attributesTogether {
      problems.add(
        "the types of an organisation have at most \(DefinitionLimits.attributesTogether) attributes together, those of"
          + " their extensions counted for each; these have \(together)"
          + (attributesTogether > DefinitionLimits.attributesTogether ? ", and had \(attributesTogether)" : ""), in: "")
    }
    try problems.throwIfAny()
    return registry
  }

  /// Where a built-in type comes from, for messages.
  private static let builtInTypes = "the built-in types"

  static func checkLimits(_ definitions: [Definition], _ problems: ProblemList) {
    func check(_ count: Int, _ limit: Int, _ what: String) {
      if count > limit { problems.add("an organisation has at most \(limit) \(what) of its own", in: "") }
    }
    check(definitions.count { $0.kind == .schema }, DefinitionLimits.schemas, "schemas")
    check(definitions.count { $0.kind == .type }, DefinitionLimits.types, "resource types")
    let bytes = definitions.reduce(0) { $0 + JSON.object($1.document).encoded().count }
    check(bytes, DefinitionLimits.bytes, "bytes of definitions")
  }
}

extension SchemaRegistry {
  /// The built-in type of a base schema.
  fileprivate func type(withBase urn: String, leavingOut schemas: Set<String>) -> ResourceType? {
    types.first { ASCII.equalIgnoringCase($0.schema.id, urn) && !schemas.contains($0.schema.id) }
  }
}

extension ResourceType {
  /// The links that belong to the base schema: what a type of the organisation's own assigns, and whom it has as members,
  /// is held by the same rules. What shows through other links is the built-in type's alone.
  fileprivate var linksOfBase: [LinkDefinition] {
    links.compactMap { link in
      guard link.extensionURN == nil else { return nil }
      if case .memberOf = link.kind { return nil }
      return LinkDefinition(attribute: link.name, kind: link.kind)
    }
  }
}
