/// Resolves parsed filters against resource types: each name to an attribute, each value to the attribute's type.
///
/// Refused with `invalidFilter` are unknown attributes, operators that the attribute's type does not have, and values
/// that it cannot take. Beyond RFC 7644 section 3.4.2.2:
///
/// - A complex attribute without a named sub-attribute stands for its `value` sub-attribute; where it has none, only
///   `pr` is legal.
/// - `tags[value eq "x"]` works on a multi-valued attribute of a simple type: `value` is the element itself.
/// - `primary` of an element is false where it is absent (RFC 7643 section 2.4), and so is what marks inherited ones.
/// - A condition on what is never returned (`password`) is refused, so that no filter tells anything about it.
public enum FilterResolver {
  /// Resolves against one type; the result is simplified.
  public static func resolve(
    _ filter: Filter, in type: ResourceType, profile: Profile
  ) throws(SCIMError) -> ResolvedFilter {
    var resolver = TypeFilterResolver(type: type, profile: profile)
    let resolved = try resolver.resolve(filter)
    if let name = resolver.unknown.first?.name {
      throw .invalidFilter(at: name.position, "\(type.name) has no attribute \(name.quoted)")
    }
    return resolved.simplified()
  }

  /// Resolves against each of several types, for a search over all of them, in their order.
  ///
  /// An attribute that a type lacks has no value in its resources (RFC 7644 section 3.4.2.1): only `ne` and
  /// `eq null` hold. One that all types lack is refused.
  public static func resolve(
    _ filter: Filter, in types: [ResourceType], profile: Profile, alias: AttributeName.Alias? = nil
  ) throws(SCIMError) -> [(type: ResourceType, filter: ResolvedFilter)] {
    var result: [(type: ResourceType, filter: ResolvedFilter)] = []
    var unknown: [TypeFilterResolver.Unknown]?
    for type in types {
      var resolver = TypeFilterResolver(type: type, profile: profile)
      resolver.alias = alias
      result.append((type, try resolver.resolve(filter).simplified()))
      let lacking = Set(resolver.unknown.map(\.key))
      unknown = unknown?.filter { lacking.contains($0.key) } ?? resolver.unknown
    }
    if let name = unknown?.first?.name {
      let who = types.count == 1 ? types[0].name + " has no" : "no resource type has an"
      throw .invalidFilter(at: name.position, "\(who) attribute \(name.quoted)")
    }
    return result
  }

  /// Resolves what stands in the brackets behind an attribute.
  static func resolve(
    _ filter: Filter, inElementsOf reference: AttributeReference, type: ResourceType, profile: Profile
  ) throws(SCIMError) -> ResolvedFilter {
    var resolver = TypeFilterResolver(type: type, profile: profile)
    resolver.seesShown = true
    let resolved = try resolver.resolve(filter, in: .element(reference))
    if let name = resolver.unknown.first?.name {
      throw .invalidFilter(at: name.position, "'\(reference.path)' has no sub-attribute \(name.quoted)")
    }
    return resolved.simplified()
  }
}

extension ResolvedFilter {
  /// Parses a filter and resolves it against one type; the errors are those of `FilterParser` and `FilterResolver`.
  public init(parsing text: String, type: ResourceType, profile: Profile) throws(SCIMError) {
    self = try FilterResolver.resolve(FilterParser.parse(text, profile: profile), in: type, profile: profile)
  }
}

/// One walk over a filter for one type.
private struct TypeFilterResolver {
  /// What a name is a name in.
  enum Scope {
    case resource
    /// The elements of an attribute: its sub-attributes.
    case element(AttributeReference)
    /// The elements of an attribute that the type lacks, by its name.
    case nothing(String)
  }

  /// A name that the type lacks.
  struct Unknown {
    /// Equal for the same name in the same brackets.
    var key: String
    var name: Filter.Located<String>
  }

  let type: ResourceType
  let profile: Profile
  /// The names that the type lacks, in the order of the filter; resolved as attributes without a value.
  var unknown: [Unknown] = []
  /// Other spellings of the names of attributes.
  var alias: AttributeName.Alias?
  /// True where resources are seen as clients see them.
  var seesShown = false

  init(type: ResourceType, profile: Profile) {
    self.type = type
    self.profile = profile
  }

  mutating func resolve(_ filter: Filter, in scope: Scope = .resource) throws(SCIMError) -> ResolvedFilter {
    switch filter {
    case .and(let parts): return .and(try resolve(parts, in: scope))
    case .or(let parts): return .or(try resolve(parts, in: scope))
    case .not(let part): return .not(try resolve(part, in: scope))
    case .present(let name):
      guard let reference = find(name, in: scope) else { return .constant(false) }
      try refuseHidden(reference, name)
      try refuseFilled(reference, name)
      return .present(reference)
    case .compare(let name, let comparison, let literal):
      guard let named = find(name, in: scope) else {
        return .constant((comparison == .ne) != (literal.value == .null))
      }
      try refuseHidden(named, name)
      try refuseFilled(named, name)
      return try FilterComparison(
        reference: Self.simple(named, name), comparison: comparison, literal: literal, position: name.position,
        isInElement: scope.isElement, profile: profile
      ).resolved()
    case .element(let name, let inner):
      guard !scope.isElement else {
        throw .invalidFilter(at: name.position, "a value path cannot contain another")
      }
      guard let reference = find(name, in: scope) else {
        _ = try resolve(inner, in: .nothing(name.value))
        return .constant(false)
      }
      guard reference.sub == nil, reference.attribute.type == .complex || reference.attribute.isMultiValued else {
        throw .invalidFilter(at: name.position, "\(name.quoted) has no elements that brackets could choose from")
      }
      try refuseHidden(reference, name)
      return .element(reference, try resolve(inner, in: .element(reference)))
    }
  }

  private mutating func resolve(
    _ parts: [Filter], in scope: Scope
  ) throws(SCIMError) -> [ResolvedFilter] {
    var result: [ResolvedFilter] = []
    for part in parts { result.append(try resolve(part, in: scope)) }
    return result
  }

  private mutating func find(_ name: Filter.Located<String>, in scope: Scope) -> AttributeReference? {
    let found: AttributeReference?
    var key = name.value
    switch scope {
    case .resource:
      found = AttributeName.resolve(
        alias?(name.value, type, profile) ?? name.value, in: type, profile: profile)
    case .element(let reference):
      found = reference.element(name.value)
      key = reference.path + "[" + key
    case .nothing(let outer):
      found = nil
      key = outer + "[" + key
    }
    if found == nil { unknown.append(Unknown(key: ASCII.lowercase(key), name: name)) }
    return found
  }

  private func refuseHidden(
    _ reference: AttributeReference, _ name: Filter.Located<String>
  ) throws(SCIMError) {
    guard reference.isHidden else { return }
    throw .invalidFilter(at: name.position, "\(name.quoted) is never shown, so that no filter can name it")
  }

  /// What is filled in when a resource is shown stands in no index. The filter in a path sees the resource as it is shown.
  private func refuseFilled(
    _ reference: AttributeReference, _ name: Filter.Located<String>
  ) throws(SCIMError) {
    guard !seesShown, let sub = reference.sub, type.isFilled(reference) else { return }
    throw .invalidFilter(
      at: name.position,
      "'\(sub.name)' of '\(reference.attribute.name)' is filled in when it is shown; filter by its 'value'")
  }

  /// What a comparison with that attribute means: the `value` sub-attribute of a complex one.
  private static func simple(
    _ reference: AttributeReference, _ name: Filter.Located<String>
  ) throws(SCIMError) -> AttributeReference {
    guard reference.leaf.type == .complex else { return reference }
    guard reference.sub == nil, let value = reference.attribute.subAttribute(named: "value") else {
      throw .invalidFilter(at: name.position, "of the complex attribute \(name.quoted) a sub-attribute must be named")
    }
    return AttributeReference(home: reference.home, attribute: reference.attribute, sub: value)
  }
}

extension TypeFilterResolver.Scope {
  var isElement: Bool { if case .resource = self { false } else { true } }
}

extension AttributeReference {
  /// The reference that a name inside the brackets behind this attribute means: its sub-attribute, or the element
  /// itself for `value` of a simple attribute.
  func element(_ name: String) -> AttributeReference? {
    if attribute.type != .complex { return ASCII.equalIgnoringCase(name, "value") ? self : nil }
    return attribute.subAttribute(named: name).map { AttributeReference(home: home, attribute: attribute, sub: $0) }
  }

  /// True where no client ever sees the value, so that no filter and no order may depend on it.
  public var isHidden: Bool { attribute.isNeverShown || sub?.isNeverShown == true }
}
