/// The target of a PATCH operation (RFC 7644 section 3.5.2, figure 7), resolved against a resource type.
///
///     members                                       the whole attribute
///     name.familyName                               a sub-attribute
///     emails[type eq "work"]                        the elements that match
///     emails[type eq "work"].value                  a sub-attribute of each of them
///     tags[value eq "x"]                            the elements of a simple attribute: `value` is the element
///     urn:…:enterprise:2.0:User:manager.value       the same by full name
///     urn:…:enterprise:2.0:User                     a whole extension
public struct PatchPath: Sendable {
  /// The attribute, with the sub-attribute that is named behind a dot or behind the brackets; nil for a whole
  /// extension.
  public let reference: AttributeReference?
  /// The URN, as its schema spells it, where the path is a whole extension.
  public let extensionURN: String?
  /// What chooses the elements, for `FilterEvaluator.matches(_:element:)`; nil without brackets. The attribute is
  /// multi-valued then or, leniently, a single complex one, whose value it fits or not.
  public let filter: ResolvedFilter?
  /// What an element must hold to match, where the filter is a conjunction of equalities over different
  /// sub-attributes; nil for every other filter.
  public let equalities: [Equality]?

  /// `attribute eq value` with the value as the client spelt it, in the attribute's type.
  public struct Equality: Sendable {
    public let attribute: AttributeDefinition
    public let value: JSON
  }

  /// The sub-attribute; nil where the path names none.
  public var sub: AttributeDefinition? { reference?.sub }

  /// Parses and resolves a path.
  ///
  /// Lenient as `AttributeName.resolve` and `FilterParser` are. Refuses with `invalidPath` what does not follow the
  /// grammar, an attribute that the type lacks, and brackets behind an attribute that is not multi-valued, where there is
  /// nothing to choose from (leniently, only where it is not complex either); with `invalidFilter` what is wrong inside the brackets. The errors name the character.
  public static func parse(
    _ text: String, type: ResourceType, profile: Profile
  ) throws(SCIMError) -> PatchPath {
    guard text.utf8.count <= FilterLimits.bytes else {
      throw SCIMError(.invalidPath, "The path is longer than \(FilterLimits.bytes) bytes.")
    }
    var parser = FilterParser(text, profile: profile)
    parser.lexer.skipBlanks()
    guard let name = parser.lexer.name() else { throw parser.lexer.expectedInPath("an attribute name") }
    guard parser.lexer.take(UInt8(ascii: "[")) else {
      try parser.lexer.endPath("'[' or the end")
      return try PatchPath(name, type, profile)
    }

    let reference = try find(name, type, profile)
    let hasParts = reference.attribute.isMultiValued || (profile.isLenient && reference.attribute.type == .complex)
    guard reference.sub == nil, hasParts else {
      throw .invalidPath(at: name.position, "\(name.quoted) is not multi-valued and has no elements to choose from")
    }
    let filter = try parser.bracketed()
    let resolved = try FilterResolver.resolve(filter, inElementsOf: reference, type: type, profile: profile)
    var target = reference
    if parser.lexer.take(UInt8(ascii: ".")) {
      guard let sub = parser.lexer.name() else { throw parser.lexer.expectedInPath("a sub-attribute") }
      guard let found = reference.element(sub.value) else {
        throw .invalidPath(at: sub.position, "'\(reference.path)' has no sub-attribute \(sub.quoted)")
      }
      target = found
      try parser.lexer.endPath("the end")
    } else {
      try parser.lexer.endPath("'.' or the end")
    }
    return PatchPath(
      reference: target, extensionURN: nil, filter: resolved,
      equalities: equalities(filter, in: reference, profile))
  }

  private init(
    reference: AttributeReference?, extensionURN: String?, filter: ResolvedFilter?, equalities: [Equality]?
  ) {
    self.reference = reference
    self.extensionURN = extensionURN
    self.filter = filter
    self.equalities = equalities
  }

  /// A path without brackets.
  private init(_ name: Filter.Located<String>, _ type: ResourceType, _ profile: Profile) throws(SCIMError) {
    let whole = type.extension(urn: name.value)
    self.init(
      reference: whole == nil ? try Self.find(name, type, profile) : nil, extensionURN: whole?.schema.id, filter: nil,
      equalities: nil)
  }

  private static func find(
    _ name: Filter.Located<String>, _ type: ResourceType, _ profile: Profile
  ) throws(SCIMError) -> AttributeReference {
    guard let reference = AttributeName.resolve(name.value, in: type, profile: profile) else {
      if UnknownSchema.isURN(name.value), !type.hasSchema(inFrontOf: name.value) {
        throw .invalidPath(at: name.position, UnknownSchema.reason(name.value, of: type))
      }
      throw .invalidPath(at: name.position, UnknownSchema.reason(unqualified: name.value, of: type))
    }
    return reference
  }

  /// The equalities of a filter that has been resolved in the elements of that attribute.
  private static func equalities(
    _ filter: Filter, in reference: AttributeReference, _ profile: Profile
  ) -> [Equality]? {
    guard reference.attribute.type == .complex else { return nil }
    var result: [Equality] = []
    for part in filter.conjuncts {
      guard case .compare(let name, .eq, let literal) = part,
        let attribute = reference.attribute.subAttribute(named: name.value),
        !result.contains(where: { $0.attribute === attribute }),
        let value = literal.value.json(for: attribute, profile)
      else { return nil }
      result.append(Equality(attribute: attribute, value: value))
    }
    return result
  }
}

extension FilterLexer {
  fileprivate mutating func expectedInPath(_ what: String) -> SCIMError {
    .invalidPath(at: position(of: index), isAtEnd ? "it ends where \(what) is expected" : "expected \(what)")
  }

  fileprivate mutating func endPath(_ expected: String) throws(SCIMError) {
    skipBlanks()
    guard isAtEnd else { throw expectedInPath(expected) }
    if !isLenient, let stray = strayBlank() {
      throw .invalidPath(at: position(of: stray), "there is a blank too many")
    }
  }
}

extension Filter {
  /// The filters that must all hold: the parts of `and`s, however deep, or the filter itself.
  fileprivate var conjuncts: [Filter] {
    if case .and(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }
}

extension Filter.Literal {
  /// The value that an attribute must have to be equal; nil where none can.
  fileprivate func json(for attribute: AttributeDefinition, _ profile: Profile) -> JSON? {
    switch attribute.type {
    case .boolean: return boolean(profile).map(JSON.bool)
    case .integer:
      guard let number = number(profile) else { return nil }
      return (Int64(number) ?? Double(number).flatMap(Int64.init(exactly:))).map(JSON.integer)
    case .decimal:
      guard let number = number(profile) else { return nil }
      return Int64(number).map(JSON.integer) ?? Double(number).map(JSON.double)
    case .complex: return nil
    case .string, .reference, .binary, .dateTime: return text(profile).map(JSON.string)
    }
  }
}
