import SCIMCore

/// Conditions on attributes whose elements are links: on the resource at the other end, and on the link itself.
extension FilterCompiler {
  /// The other end of a link as conditions see it.
  struct LinkEnd {
    /// The resource at the other end.
    var target: SQLName
    /// The link, where it carries something; a `memberOf` element has none.
    var link: SQLName?
    /// The types that the other end may have.
    var types: [ResourceType]
    /// For `memberOf`: whether the link is direct, which decides `type`.
    var isDirect: SQLFragment?
  }

  /// The set of what has an element that fulfils `inner`; nil where no index can list it.
  func linkRows(
    _ link: LinkDefinition, _ reference: AttributeReference, _ inner: ResolvedFilter
  ) throws(SCIMError) -> RowSet? {
    switch link.kind {
    case .members:
      guard Self.choosesTargets(inner) else { return nil }
      return try ownedRows(link, inner)
    case .catalog:
      guard let inheritance = link.inheritance else { return try catalogRows(link, reference, inner) }
      return try holderRows(link, inheritance, reference, inner)
    case .memberOf(let ownerType, let attribute):
      guard Self.choosesTargets(inner), !Self.mentions("type", inner) else { return nil }
      return try memberRows(ownerType: ownerType, attribute: attribute, inner)
    }
  }

  func linkCondition(
    _ link: LinkDefinition, _ reference: AttributeReference, _ inner: ResolvedFilter, on resource: SQLName,
    isSmall: Bool
  ) throws(SCIMError) -> SQLFragment {
    switch link.kind {
    case .members:
      // A group may have very many members, and a member is in few groups.
      if let rows = try linkRows(link, reference, inner) { return "\(resource) IN (\(rows.select))" }
      return try ownedCondition(link, inner, on: resource)
    case .catalog:
      guard let inheritance = link.inheritance else {
        return try catalogCondition(link, reference, inner, on: resource)
      }
      return try holderCondition(link, inheritance, reference, inner, on: resource, isSmall: isSmall)
    case .memberOf(let ownerType, let attribute):
      if !isSmall, let rows = try linkRows(link, reference, inner) {
        return "\(resource) IN (\(rows.select))"
      }
      return try aboveCondition(ownerType: ownerType, attribute: attribute, inner, on: resource)
    }
  }

  // MARK: Owners of links

  /// What holds an entry of the catalogue itself.
  func catalogRows(
    _ link: LinkDefinition, _ reference: AttributeReference, _ inner: ResolvedFilter
  ) throws(SCIMError) -> RowSet? {
    guard Self.choosesTargets(inner) else { return nil }
    // What matches nothing in the catalogue is in the document.
    let unlinked = try keyElementRows(reference, inner)
    if let rows = try assignedRows(link, inner, unlinked: unlinked) { return rows }
    return union([try ownedRows(link, inner), unlinked], size: .countable)
  }

  func catalogCondition(
    _ link: LinkDefinition, _ reference: AttributeReference, _ inner: ResolvedFilter, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let linked = try ownedCondition(link, inner, on: resource)
    let unlinked = try keyElementCondition(reference, inner, on: resource)
    return "(\(linked) OR \(unlinked))"
  }

  /// What is in one of the sets.
  func union(_ sets: [RowSet], size: RowSet.Size) -> RowSet {
    let alias = alias("u")
    let selects = sets.map { set -> SQLFragment in "SELECT \(set.resource) AS pk FROM \(set.source)" }
    return RowSet(
      source: "(\(selects.joined(" UNION "))) \(alias) WHERE 1", resource: alias.column("pk"), isDistinct: true,
      isOrdered: false, size: size)
  }

  func targetTypes(_ link: LinkDefinition) -> [ResourceType] {
    switch link.kind {
    case .members(let types): types.compactMap { registry.type(named: $0) }
    case .catalog(let schema): registry.catalogTypes(schema: schema)
    case .memberOf(let type, _): registry.type(named: type).map { [$0] } ?? []
    }
  }

  /// Owners of links to the targets that fulfil the filter, beginning with these.
  func ownedRows(_ link: LinkDefinition, _ inner: ResolvedFilter) throws(SCIMError) -> RowSet {
    let types = targetTypes(link)
    let target = alias("t")
    let edge = alias("l")
    let end = LinkEnd(target: target, link: edge, types: types)
    let number = try number(of: link.attribute)
    let source: SQLFragment =
      "resource \(target) CROSS JOIN link \(edge) WHERE \(target.column("org")) = \(org) AND \(try isOf(types, target)) AND \(try condition(inner, end)) AND \(edge.column("org")) = \(org) AND \(edge.column("target")) = \(target.column("pk")) AND \(edge.column("attr")) = \(number)"
    return RowSet(
      source: source, resource: edge.column("owner"), isDistinct: false, isOrdered: false, size: .countable)
  }

  /// Who holds the one entry of the catalogue that the filter names: a stretch of an index in the order of creation, so
  /// that a walk over very many holders costs no more for each page than the page. Nil where that is not all.
  private func assignedRows(
    _ link: LinkDefinition, _ inner: ResolvedFilter, unlinked: RowSet
  ) throws(SCIMError) -> RowSet? {
    guard Self.isAboutTargets(inner) else { return nil }
    let types = targetTypes(link)
    let target = alias("t")
    let end = LinkEnd(target: target, link: nil, types: types)
    var targets: [Int64] = []
    try reader.statements.get(
      "SELECT \(target.column("pk")) FROM resource \(target) WHERE \(target.column("org")) = \(org) AND \(try isOf(types, target)) AND \(try condition(inner, end)) LIMIT 2"
    ).forEach { targets.append($0.integer(0)) }
    if targets.isEmpty { return unlinked }
    guard targets.count == 1 else { return nil }
    let other = try reader.statements.get("SELECT 1 FROM \(unlinked.source) LIMIT 1")
    guard try other.first({ _ in true }) == nil else { return nil }
    let edge = alias("l")
    return RowSet(
      source:
        "link \(edge) WHERE \(edge.column("org")) = \(org) AND \(edge.column("target")) = \(targets[0]) AND \(edge.column("attr")) = \(try number(of: link.attribute))",
      resource: edge.column("owner"), isDistinct: true, isOrdered: true, size: .countable)
  }

  private func ownedCondition(
    _ link: LinkDefinition, _ inner: ResolvedFilter, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let target = alias("t")
    let edge = alias("l")
    let end = LinkEnd(target: target, link: edge, types: targetTypes(link))
    let number = try number(of: link.attribute)
    return
      "EXISTS (SELECT 1 FROM link \(edge) CROSS JOIN resource \(target) ON \(target.column("pk")) = \(edge.column("target")) WHERE \(edge.column("org")) = \(org) AND \(edge.column("owner")) = \(resource) AND \(edge.column("attr")) = \(number) AND \(try condition(inner, end)))"
  }

  // MARK: Members of groups, through other groups as well

  /// What is below the groups that fulfil the filter.
  private func memberRows(
    ownerType: String, attribute: String, _ inner: ResolvedFilter
  ) throws(SCIMError) -> RowSet {
    let ownerNumber = try reader.number(ofType: ownerType)
    let number = try reader.number(ofAttribute: attribute, type: ownerNumber)
    let group = alias("g")
    let end = LinkEnd(target: group, link: nil, types: registry.type(named: ownerType).map { [$0] } ?? [])
    let first = alias("l")
    let next = alias("l")
    let below = alias("below")
    let list = alias("b")
    let member = alias("r")
    let source: SQLFragment =
      """
      (WITH RECURSIVE \(below) (pk) AS (
        SELECT \(first.column("target")) FROM resource \(group) CROSS JOIN link \(first)
        WHERE \(group.column("org")) = \(org) AND \(group.column("type")) = \(ownerNumber) AND \(try condition(inner, end))
          AND \(first.column("org")) = \(org) AND \(first.column("owner")) = \(group.column("pk")) AND \(first.column("attr")) = \(number)
        UNION
        SELECT \(next.column("target")) FROM \(below) CROSS JOIN link \(next)
        WHERE \(next.column("org")) = \(org) AND \(next.column("owner")) = \(below.column("pk")) AND \(next.column("attr")) = \(number)
      ) SELECT pk FROM \(below)) \(list) CROSS JOIN resource \(member)
      WHERE \(member.column("pk")) = \(list.column("pk")) AND \(member.column("org")) = \(org) AND \(member.column("type")) = \(typeNumber)
      """
    return RowSet(
      source: source, resource: member.column("pk"), isDistinct: true, isOrdered: false, size: .countable)
  }

  /// Whether one of the groups above the resource fulfils the filter.
  private func aboveCondition(
    ownerType: String, attribute: String, _ inner: ResolvedFilter, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let ownerNumber = try reader.number(ofType: ownerType)
    let number = try reader.number(ofAttribute: attribute, type: ownerNumber)
    let group = alias("g")
    let edge = alias("l")
    let first = alias("l")
    let next = alias("l")
    let above = alias("above")
    let isDirect: SQLFragment =
      "EXISTS (SELECT 1 FROM link \(edge) WHERE \(edge.column("org")) = \(org) AND \(edge.column("target")) = \(resource) AND \(edge.column("attr")) = \(number) AND \(edge.column("owner")) = \(group.column("pk")))"
    let end = LinkEnd(
      target: group, link: nil, types: registry.type(named: ownerType).map { [$0] } ?? [], isDirect: isDirect)
    return
      """
      EXISTS (WITH RECURSIVE \(above) (pk) AS (
        SELECT \(first.column("owner")) FROM link \(first)
        WHERE \(first.column("org")) = \(org) AND \(first.column("target")) = \(resource) AND \(first.column("attr")) = \(number)
        UNION
        SELECT \(next.column("owner")) FROM \(above) CROSS JOIN link \(next)
        WHERE \(next.column("org")) = \(org) AND \(next.column("target")) = \(above.column("pk")) AND \(next.column("attr")) = \(number)
      ) SELECT 1 FROM \(above) CROSS JOIN resource \(group) ON \(group.column("pk")) = \(above.column("pk"))
      WHERE \(try condition(inner, end)))
      """
  }

  // MARK: Conditions on one link

  func isOf(_ types: [ResourceType], _ target: SQLName) throws(SCIMError) -> SQLFragment {
    var numbers: [SQLFragment] = []
    for type in types {
      let number = try reader.number(ofType: type.name)
      if number != SQLReader.unknown { numbers.append("\(number)") }
    }
    return "\(target.column("type")) IN (\(numbers.joined(", ")))"
  }

  func condition(_ filter: ResolvedFilter, _ end: LinkEnd) throws(SCIMError) -> SQLFragment {
    switch filter {
    case .constant(let value): return value ? "1" : "0"
    case .not(let part): return "NOT (\(try condition(part, end)))"
    case .and(let parts): return "(\(try conditions(parts, end).joined(" AND ")))"
    case .or(let parts): return "(\(try conditions(parts, end).joined(" OR ")))"
    case .compare(let reference, .ne, .null): return try condition(reference, .isAssigned, end)
    case .compare(let reference, .eq, .null):
      return "NOT (\(try condition(reference, .isAssigned, end)))"
    case .compare(let reference, .ne, let operand):
      return "NOT (\(try condition(reference, .compare(.eq, operand), end)))"
    case .compare(let reference, let comparison, let operand):
      return try condition(reference, .compare(comparison, operand), end)
    case .present(let reference): return try condition(reference, .isPresent, end)
    // Brackets hold no brackets.
    case .element: return "0"
    }
  }

  private func conditions(_ parts: [ResolvedFilter], _ end: LinkEnd) throws(SCIMError) -> [SQLFragment] {
    var result: [SQLFragment] = []
    for part in parts { result.append(try condition(part, end)) }
    return result
  }

  private func condition(
    _ reference: AttributeReference, _ test: LeafTest, _ end: LinkEnd
  ) throws(SCIMError) -> SQLFragment {
    let isCaseExact = reference.leaf.isCaseExact
    switch (reference.sub?.name, test) {
    // An element that there is has all of these.
    case (nil, _), ("value", .isPresent), ("value", .isAssigned), ("type", .isPresent), ("type", .isAssigned),
      ("$ref", .isPresent), ("$ref", .isAssigned):
      return "1"
    case ("value", .compare(let comparison, .text(let text))):
      if isCaseExact { return TextCondition.make("\(end.target.column("id"))", comparison, text) }
      if comparison == .eq { return Self.foldedID(end.target, text) }
      return TextCondition.make("lower(\(end.target.column("id")))", comparison, text)
    case ("type", .compare(let comparison, .text(let text))):
      return try typeCondition(comparison, text, isCaseExact: isCaseExact, end)
    case ("$ref", .compare(let comparison, .text(let text))):
      var parts: [SQLFragment] = []
      for type in end.types {
        let uri = self.reference(to: type, end.target, comparison, text, isCaseExact: isCaseExact)
        parts.append("(\(try isOf([type], end.target)) AND \(uri))")
      }
      return parts.isEmpty ? "0" : "(\(parts.joined(" OR ")))"
    case ("display", .compare(let comparison, .text(let text))):
      let column = end.target.column(isCaseExact ? "display" : "display_key")
      return "(\(column) IS NOT NULL AND \(TextCondition.make("\(column)", comparison, text)))"
    case ("display", .isPresent), ("display", .isAssigned):
      return "\(end.target.column("display")) IS NOT NULL"
    case (let name?, let test): return carried(name, test, isCaseExact: isCaseExact, end)
    }
  }

  /// `type` of an element is the name of the target's type; of a group above a member, how it is one.
  private func typeCondition(
    _ comparison: ComparisonOperator, _ text: String, isCaseExact: Bool, _ end: LinkEnd
  ) throws(SCIMError) -> SQLFragment {
    func holds(_ name: String) -> Bool {
      TextCondition.holds(isCaseExact ? name : Folding.fold(name), comparison, text)
    }
    if let isDirect = end.isDirect {
      switch (holds("direct"), holds("indirect")) {
      case (true, true): return "1"
      case (false, false): return "0"
      case (true, false): return isDirect
      case (false, true): return "NOT \(isDirect)"
      }
    }
    return try isOf(end.types.filter { holds($0.name) }, end.target)
  }

  /// A condition on what the link itself carries, such as `primary`.
  private func carried(
    _ name: String, _ test: LeafTest, isCaseExact: Bool, _ end: LinkEnd
  ) -> SQLFragment {
    guard let link = end.link else { return "0" }
    let value: SQLFragment = "json_extract(\(link.column("extra")), \("$.\"\(name)\"" as String))"
    let condition: SQLFragment
    switch test {
    case .isAssigned: return "\(value) IS NOT NULL"
    case .isPresent: return "coalesce(\(value) <> '', 0)"
    case .compare(_, .boolean(let wanted)): condition = "\(value) = \(wanted ? 1 : 0 as Int64)"
    case .compare(let comparison, .text(let text)):
      condition = TextCondition.make(isCaseExact ? value : "lower(\(value))", comparison, text)
    case .compare: return "0"
    }
    return "coalesce(\(condition), 0)"
  }

  // MARK: What a filter looks at

  /// True where the filter says something about the target, so that it is worth beginning with the targets.
  static func choosesTargets(_ filter: ResolvedFilter) -> Bool {
    switch filter {
    case .constant, .not, .present, .compare(_, .ne, _), .compare(_, _, .null), .element: false
    case .compare(let reference, _, _): ["value", "display", "$ref"].contains(reference.sub?.name)
    case .and(let parts): parts.contains(where: choosesTargets)
    case .or(let parts): parts.allSatisfy(choosesTargets)
    }
  }

  /// True where nothing is asked of what the link itself carries.
  static func isAboutTargets(_ filter: ResolvedFilter) -> Bool {
    switch filter {
    case .constant, .element: false
    case .compare(let reference, _, _), .present(let reference):
      ["value", "display", "$ref", "type"].contains(reference.sub?.name)
    case .not(let part): isAboutTargets(part)
    case .and(let parts), .or(let parts): parts.allSatisfy(isAboutTargets)
    }
  }

  private static func mentions(_ name: String, _ filter: ResolvedFilter) -> Bool {
    switch filter {
    case .constant: false
    case .compare(let reference, _, _), .present(let reference): reference.sub?.name == name
    case .not(let part), .element(_, let part): mentions(name, part)
    case .and(let parts), .or(let parts): parts.contains { mentions(name, $0) }
    }
  }
}
