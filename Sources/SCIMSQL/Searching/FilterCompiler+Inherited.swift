import SCIMCore

/// Conditions on catalogue attributes that also show what groups grant: a resource holds an entry itself, or is below a
/// group that has a link to it.
///
/// An entry that is held and granted is shown once, as the holder's own. That makes a difference to a filter only where
/// it asks for more than the entry says of itself (`inherited`, `primary`): there, what is held is left out of what is
/// granted.
extension FilterCompiler {
  /// What holds an entry that fulfils the filter; nil where no index can list it.
  func holderRows(
    _ link: LinkDefinition, _ inheritance: LinkDefinition.Inheritance, _ reference: AttributeReference,
    _ inner: ResolvedFilter
  ) throws(SCIMError) -> RowSet? {
    let own = inner.onOwnElements
    let granted = inner.onInheritedElements
    if Self.isNever(granted) { return try catalogRows(link, reference, own) }
    guard Self.choosesTargets(granted), let way = try way(link, inheritance) else { return nil }
    guard try isGranted(granted, way) else { return try catalogRows(link, reference, own) }
    let below = try belowRows(granted, way, leavesOut: !Self.isAboutTargets(inner))
    if Self.isNever(own) { return below }
    guard let held = try catalogRows(link, reference, own) else { return nil }
    return union([held, below], size: .scanned)
  }

  /// Whether a resource holds an entry that fulfils the filter.
  func holderCondition(
    _ link: LinkDefinition, _ inheritance: LinkDefinition.Inheritance, _ reference: AttributeReference,
    _ inner: ResolvedFilter, on resource: SQLName, isSmall: Bool
  ) throws(SCIMError) -> SQLFragment {
    let own = inner.onOwnElements
    let granted = inner.onInheritedElements
    var parts: [SQLFragment] = []
    if !Self.isNever(own) {
      parts.append(try catalogCondition(link, reference, own, on: resource))
    }
    if !Self.isNever(granted), let way = try way(link, inheritance) {
      let leavesOut = !Self.isAboutTargets(inner)
      if !isSmall, Self.choosesTargets(granted) {
        parts.append("\(resource) IN (\(try belowRows(granted, way, leavesOut: leavesOut).select))")
      } else {
        parts.append(try grantedCondition(granted, way, leavesOut: leavesOut, on: resource))
      }
    }
    return parts.isEmpty ? "0" : "(\(parts.joined(" OR ")))"
  }

  private static func isNever(_ filter: ResolvedFilter) -> Bool {
    if case .constant(false) = filter { true } else { false }
  }

  /// The attributes by which a resource has what groups grant.
  private struct Way {
    /// The types of the entries.
    var types: [ResourceType]
    /// Of the attribute by which the resource holds entries itself.
    var held: Int64
    /// Of the attribute by which a group grants.
    var granted: Int64
    /// Of the attribute by which a group has members.
    var members: Int64
  }

  private func way(
    _ link: LinkDefinition, _ inheritance: LinkDefinition.Inheritance
  ) throws(SCIMError) -> Way? {
    guard case .memberOf(let owner, let attribute)? = type.link(for: inheritance.through)?.kind else { return nil }
    let ownerNumber = try reader.number(ofType: owner)
    return Way(
      types: targetTypes(link), held: try number(of: link.attribute),
      granted: try reader.number(ofAttribute: inheritance.attribute, type: ownerNumber),
      members: try reader.number(ofAttribute: attribute, type: ownerNumber))
  }

  /// That an entry fulfils the filter and a link grants it.
  private func condition(
    _ filter: ResolvedFilter, _ way: Way, entry: SQLName, grant: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let end = LinkEnd(target: entry, link: nil, types: way.types)
    return
      "\(entry.column("org")) = \(org) AND \(try isOf(way.types, entry)) AND \(try condition(filter, end)) AND \(grant.column("org")) = \(org) AND \(grant.column("target")) = \(entry.column("pk")) AND \(grant.column("attr")) = \(way.granted)"
  }

  /// True where a group grants such an entry. Most entries are granted by none, and their holders are one stretch of an
  /// index.
  private func isGranted(_ filter: ResolvedFilter, _ way: Way) throws(SCIMError) -> Bool {
    let entry = alias("t")
    let grant = alias("l")
    let condition = try condition(filter, way, entry: entry, grant: grant)
    let found = try reader.statements.get(
      "SELECT 1 FROM resource \(entry) CROSS JOIN link \(grant) WHERE \(condition) LIMIT 1")
    return try found.first { _ in true } ?? false
  }

  /// What is below the groups that grant such an entry.
  ///
  /// - Parameter leavesOut: leaves out what holds the entry itself.
  private func belowRows(_ filter: ResolvedFilter, _ way: Way, leavesOut: Bool) throws(SCIMError) -> RowSet {
    let entry = alias("t")
    let grant = alias("l")
    let first = alias("l")
    let next = alias("l")
    let below = alias("below")
    let list = alias("b")
    let member = alias("r")
    // Where nothing is left out it does not matter by which entry a resource is found.
    let key: SQLFragment = leavesOut ? "\(entry.column("pk"))" : "0"
    let found: SQLFragment =
      leavesOut
      ? "SELECT DISTINCT pk FROM \(below) WHERE NOT \(isHeld(by: below.column("pk"), entry: below.column("entry"), way))"
      : "SELECT pk FROM \(below)"
    let source: SQLFragment =
      """
      (WITH RECURSIVE \(below) (pk, entry) AS (
        SELECT \(first.column("target")), \(key) FROM resource \(entry) CROSS JOIN link \(grant) CROSS JOIN link \(first)
        WHERE \(try condition(filter, way, entry: entry, grant: grant))
          AND \(first.column("org")) = \(org) AND \(first.column("owner")) = \(grant.column("owner")) AND \(first.column("attr")) = \(way.members)
        UNION
        SELECT \(next.column("target")), \(below.column("entry")) FROM \(below) CROSS JOIN link \(next)
        WHERE \(next.column("org")) = \(org) AND \(next.column("owner")) = \(below.column("pk")) AND \(next.column("attr")) = \(way.members)
      ) \(found)) \(list) CROSS JOIN resource \(member)
      WHERE \(member.column("pk")) = \(list.column("pk")) AND \(member.column("org")) = \(org) AND \(member.column("type")) = \(typeNumber)
      """
    return RowSet(
      source: source, resource: member.column("pk"), isDistinct: true, isOrdered: false, size: .scanned)
  }

  /// Whether a group above the resource grants such an entry.
  private func grantedCondition(
    _ filter: ResolvedFilter, _ way: Way, leavesOut: Bool, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    let entry = alias("t")
    let grant = alias("l")
    let first = alias("l")
    let next = alias("l")
    let above = alias("above")
    let end = LinkEnd(target: entry, link: nil, types: way.types)
    let kept: SQLFragment = leavesOut ? "NOT \(isHeld(by: resource, entry: entry.column("pk"), way))" : "1"
    return
      """
      EXISTS (WITH RECURSIVE \(above) (pk) AS (
        SELECT \(first.column("owner")) FROM link \(first)
        WHERE \(first.column("org")) = \(org) AND \(first.column("target")) = \(resource) AND \(first.column("attr")) = \(way.members)
        UNION
        SELECT \(next.column("owner")) FROM \(above) CROSS JOIN link \(next)
        WHERE \(next.column("org")) = \(org) AND \(next.column("target")) = \(above.column("pk")) AND \(next.column("attr")) = \(way.members)
      ) SELECT 1 FROM \(above) CROSS JOIN link \(grant) CROSS JOIN resource \(entry) ON \(entry.column("pk")) = \(grant.column("target"))
      WHERE \(grant.column("org")) = \(org) AND \(grant.column("owner")) = \(above.column("pk")) AND \(grant.column("attr")) = \(way.granted)
        AND \(try condition(filter, end)) AND \(kept))
      """
  }

  private func isHeld(by resource: SQLName, entry: SQLName, _ way: Way) -> SQLFragment {
    let own = alias("l")
    return
      "EXISTS (SELECT 1 FROM link \(own) WHERE \(own.column("org")) = \(org) AND \(own.column("target")) = \(entry) AND \(own.column("attr")) = \(way.held) AND \(own.column("owner")) = \(resource))"
  }
}

extension ResolvedFilter {
  /// What the filter says of an element that a resource holds itself, which has no mark.
  fileprivate var onOwnElements: ResolvedFilter {
    reduced { $0.sub?.marksInherited == true ? .absent : .kept }
  }

  /// What the filter says of an element that comes from a group: it is marked, and has nothing but what the entry says
  /// of itself.
  fileprivate var onInheritedElements: ResolvedFilter {
    reduced { reference in
      guard let sub = reference.sub else { return .kept }
      if sub.marksInherited { return .marked }
      return ["value", "display", "$ref", "type"].contains(sub.name) ? .kept : .absent
    }
  }

  private enum Known {
    /// To be looked up.
    case kept
    /// Without a value.
    case absent
    /// True.
    case marked
  }

  /// The filter with the conditions decided that are known without looking; simplified.
  private func reduced(_ known: (AttributeReference) -> Known) -> ResolvedFilter {
    replaced(known).simplified()
  }

  private func replaced(_ known: (AttributeReference) -> Known) -> ResolvedFilter {
    switch self {
    case .constant, .element: self
    case .and(let parts): .and(parts.map { $0.replaced(known) })
    case .or(let parts): .or(parts.map { $0.replaced(known) })
    case .not(let part): .not(part.replaced(known))
    case .present(let reference):
      switch known(reference) {
      case .kept: self
      case .absent: .constant(false)
      case .marked: .constant(true)
      }
    case .compare(let reference, let comparison, let operand):
      switch known(reference) {
      case .kept: self
      case .absent: .constant((operand == .null) == (comparison != .ne))
      case .marked: .constant((operand == .boolean(true)) == (comparison != .ne))
      }
    }
  }
}
