import SCIMCore

/// Conditions on what is in the index.
extension FilterCompiler {
  func keyRows(_ reference: AttributeReference, _ test: LeafTest) throws(SCIMError) -> RowSet {
    if let unique = try uniqueRows(reference, test) { return unique }
    if let found = try signatureRows(reference, test) { return found }
    let alias = alias("k")
    return RowSet(
      source:
        "key \(alias) WHERE \(alias.column("org")) = \(org) AND \(try attribute(reference, alias)) AND \(key(alias, test))",
      resource: alias.column("resource"), isDistinct: Self.isSingle(reference), isOrdered: Self.isEquality(test),
      size: Self.size(test))
  }

  /// A value that only one resource can have is in a smaller index.
  private func uniqueRows(_ reference: AttributeReference, _ test: LeafTest) throws(SCIMError) -> RowSet? {
    guard case .compare(.eq, let operand) = test, reference.sub == nil, reference.leaf.uniqueness != .none,
      reference.leaf.type != .complex, !operand.key.isEmpty
    else { return nil }
    let alias = alias("k")
    let number = try number(of: reference.path)
    return RowSet(
      source:
        "unique_key \(alias) WHERE \(alias.column("org")) = \(org) AND \(alias.column("attr")) = \(number) AND \(alias.column("key")) = \(operand.key)",
      resource: alias.column("resource"), isDistinct: true, isOrdered: true, size: .one)
  }

  func keyCondition(
    _ reference: AttributeReference, _ test: LeafTest, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    guard Self.isEquality(test) else { return "\(resource) IN (\(try keyRows(reference, test).select))" }
    let alias = alias("k")
    return
      "EXISTS (SELECT 1 FROM key \(alias) WHERE \(try lookup(reference, test, alias, resource)))"
  }

  // MARK: Elements

  /// One element is known by a row of it; the other conditions are looked up by resource and element.
  func keyElementRows(_ reference: AttributeReference, _ inner: ResolvedFilter) throws(SCIMError) -> RowSet {
    let (lead, rest) = Self.lead(of: inner)
    guard let lead else {
      let alias = alias("k")
      var source: SQLFragment =
        "key \(alias) WHERE \(alias.column("org")) = \(org) AND \(try attribute(reference, alias))"
      source += try conditions(rest, on: alias)
      return RowSet(
        source: source, resource: alias.column("resource"), isDistinct: false, isOrdered: false, size: .large)
    }
    if rest.isEmpty { return try keyRows(lead.reference, lead.test) }
    let leading = try keyRows(lead.reference, lead.test)
    // Few are asked for their documents, which know all of it.
    if !Self.isEquality(lead.test) || !rest.allSatisfy(Self.isEquality), try estimate(leading) <= Self.small {
      return try verified(leading, [.element(reference, inner)])
    }
    let alias = alias("k")
    var source: SQLFragment =
      "key \(alias) WHERE \(alias.column("org")) = \(org) AND \(try attribute(lead.reference, alias)) AND \(key(alias, lead.test))"
    source += try conditions(rest, on: alias)
    return RowSet(
      source: source, resource: alias.column("resource"), isDistinct: false, isOrdered: Self.isEquality(lead.test),
      size: Self.size(lead.test))
  }

  func keyElementCondition(
    _ reference: AttributeReference, _ inner: ResolvedFilter, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let (lead, rest) = Self.lead(of: inner)
    guard let lead, Self.isEquality(lead.test) else {
      return "\(resource) IN (\(try keyElementRows(reference, inner).select))"
    }
    let alias = alias("k")
    var condition = try lookup(lead.reference, lead.test, alias, resource)
    condition += try conditions(rest, on: alias)
    return "EXISTS (SELECT 1 FROM key \(alias) WHERE \(condition))"
  }

  /// What else is asked of the element that the row is of.
  private func conditions(_ rest: [ResolvedFilter], on alias: SQLName) throws(SCIMError) -> SQLFragment {
    var result: SQLFragment = ""
    for part in rest {
      result += " AND "
      result += try ofElement(part, resource: alias.column("resource"), element: alias.column("element"))
    }
    return result
  }

  private typealias Lead = (reference: AttributeReference, test: LeafTest)

  /// Of the conditions that one element has to fulfil, the one whose rows to begin with, and the others.
  private static func lead(of inner: ResolvedFilter) -> (Lead?, [ResolvedFilter]) {
    let parts: [ResolvedFilter] = if case .and(let parts) = inner { parts } else { [inner] }
    var best: (index: Int, lead: Lead, rank: Int)?
    for (index, part) in parts.enumerated() {
      guard let lead = lead(part) else { continue }
      let rank = rank(lead)
      if best.map({ rank < $0.rank }) ?? true { best = (index, lead, rank) }
    }
    guard let best else { return (nil, parts.filter { if case .constant(true) = $0 { false } else { true } }) }
    return (best.lead, parts.enumerated().filter { $0.offset != best.index }.map(\.element))
  }

  private static func lead(_ filter: ResolvedFilter) -> Lead? {
    switch filter {
    case .compare(let reference, .ne, .null): (reference, .isAssigned)
    case .compare(_, .ne, _), .compare(_, _, .null): nil
    case .compare(let reference, let comparison, let operand): (reference, .compare(comparison, operand))
    case .present(let reference): (reference, .isPresent)
    default: nil
    }
  }

  /// The fewer elements are expected to share the value, the lower: `value` before `type` before `primary`.
  private static func rank(_ lead: Lead) -> Int {
    switch lead.test {
    case .compare(.eq, .boolean): 3
    case .compare(.eq, _): lead.reference.leaf.canonicalValues.isEmpty && lead.reference.leaf.name != "type" ? 0 : 2
    case .compare: 1
    case .isPresent, .isAssigned: 4
    }
  }

  /// Whether the element at that place fulfils the filter.
  private func ofElement(
    _ filter: ResolvedFilter, resource: SQLName, element: SQLName
  ) throws(SCIMError) -> SQLFragment {
    switch filter {
    case .constant(let value): return value ? "1" : "0"
    case .not(let part): return "NOT (\(try ofElement(part, resource: resource, element: element)))"
    case .and(let parts):
      return "(\(try ofElement(parts, resource: resource, element: element).joined(" AND ")))"
    case .or(let parts):
      return "(\(try ofElement(parts, resource: resource, element: element).joined(" OR ")))"
    case .compare(let reference, .ne, .null):
      return try elementLookup(reference, .isAssigned, resource, element)
    case .compare(let reference, .eq, .null):
      return "NOT \(try elementLookup(reference, .isAssigned, resource, element))"
    case .compare(let reference, .ne, let operand):
      return "NOT \(try elementLookup(reference, .compare(.eq, operand), resource, element))"
    case .compare(let reference, let comparison, let operand):
      return try elementLookup(reference, .compare(comparison, operand), resource, element)
    case .present(let reference): return try elementLookup(reference, .isPresent, resource, element)
    // Brackets hold no brackets.
    case .element: return "0"
    }
  }

  private func ofElement(
    _ parts: [ResolvedFilter], resource: SQLName, element: SQLName
  ) throws(SCIMError) -> [SQLFragment] {
    var result: [SQLFragment] = []
    for part in parts { result.append(try ofElement(part, resource: resource, element: element)) }
    return result
  }

  private func elementLookup(
    _ reference: AttributeReference, _ test: LeafTest, _ resource: SQLName, _ element: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let alias = alias("e")
    guard Self.isEquality(test) else {
      // No index finds the rows of one resource: a set of all that pass is made once.
      return
        "(\(resource), \(element)) IN (SELECT \(alias.column("resource")), \(alias.column("element")) FROM key \(alias) WHERE \(alias.column("org")) = \(org) AND \(try attribute(reference, alias)) AND \(key(alias, test)))"
    }
    return
      "EXISTS (SELECT 1 FROM key \(alias) WHERE \(try lookup(reference, test, alias, resource)) AND \(alias.column("element")) = \(element))"
  }

  // MARK: Pieces

  /// The rows of one resource that have that very value.
  private func lookup(
    _ reference: AttributeReference, _ test: LeafTest, _ alias: SQLName, _ resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    "\(alias.column("org")) = \(org) AND \(try attribute(reference, alias)) AND \(key(alias, test)) AND \(alias.column("resource")) = \(resource)"
  }

  /// That a row is of the attribute; of a complex one, of any of its sub-attributes.
  private func attribute(_ reference: AttributeReference, _ alias: SQLName) throws(SCIMError) -> SQLFragment {
    guard reference.sub == nil, reference.attribute.type == .complex else {
      let number = try number(of: reference.path)
      try reader.settle(number)
      return "\(alias.column("attr")) = \(number)"
    }
    var numbers: [SQLFragment] = []
    for sub in reference.attribute.subAttributes {
      let path = AttributeReference(home: reference.home, attribute: reference.attribute, sub: sub).path
      let number = try number(of: path)
      if number != SQLReader.unknown { numbers.append("\(number)") }
      try reader.settle(number)
    }
    return "\(alias.column("attr")) IN (\(numbers.joined(", ")))"
  }

  private func key(_ alias: SQLName, _ test: LeafTest) -> SQLFragment {
    switch test {
    case .compare(let comparison, let operand):
      TextCondition.make("\(alias.column("key"))", comparison, operand.key)
    // The index has an empty text as "".
    case .isPresent: "\(alias.column("key")) <> ''"
    case .isAssigned: "1"
    }
  }

  /// True where each condition is that a value is equal or not, or such ones joined: one step in the index each.
  static func isEquality(_ filter: ResolvedFilter) -> Bool {
    switch filter {
    case .constant: true
    case .compare(_, .eq, let operand), .compare(_, .ne, let operand): operand != .null
    case .compare, .present: false
    case .not(let part): isEquality(part)
    case .and(let parts), .or(let parts): parts.allSatisfy(isEquality)
    case .element(_, let inner): isEquality(inner)
    }
  }

  private static func isEquality(_ test: LeafTest) -> Bool {
    if case .compare(.eq, _) = test { true } else { false }
  }

  private static func isSingle(_ reference: AttributeReference) -> Bool {
    !reference.attribute.isMultiValued && reference.sub?.isMultiValued != true && reference.leaf.type != .complex
  }

  private static func size(_ test: LeafTest) -> RowSet.Size {
    switch test {
    case .compare(.co, _), .compare(.ew, _): .scanned
    case .compare: .countable
    case .isPresent, .isAssigned: .large
    }
  }
}
