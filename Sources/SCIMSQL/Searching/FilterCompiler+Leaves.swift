import SCIMCore

/// Single conditions: by where the values of an attribute are kept.
extension FilterCompiler {
  /// Where the values of an attribute are.
  enum Place {
    /// In a column of `resource`.
    case column(ResourceColumn)
    /// In `schemas`: in the index, but for the base URN, which every resource has, and for extensions of which a
    /// resource has nothing but links.
    case schemas
    /// In links, and for a catalogue attribute in the index as well: elements that match nothing stay in the document.
    case link(LinkDefinition)
    case index
    /// Nowhere: counted from the links to the resource when it is read.
    case counted
  }

  func place(of reference: AttributeReference) -> Place {
    switch reference.home {
    case .common:
      if reference.attribute.name == CommonAttributes.schemas.name { return .schemas }
      if let column = ResourceColumn(reference) { return .column(column) }
      return .index
    case .core:
      if let link = type.link(for: reference) { return .link(link) }
      return .index
    case .extension(let urn):
      if let link = type.link(for: reference) { return .link(link) }
      return type.isCatalog && reference.attribute.name == "totalAssignmentsUsed" && urn == type.countedExtension
        ? .counted : .index
    }
  }

  func leafRows(_ reference: AttributeReference, _ test: LeafTest) throws(SCIMError) -> RowSet? {
    switch place(of: reference) {
    case .column(let column): return columnRows(column, test)
    case .index: return try keyRows(reference, test)
    case .counted: return nil
    case .schemas:
      let filter = Self.filter(reference, test)
      return holdsForBase(filter) ? nil : try withLinks(try keyRows(reference, test), schemas: filter)
    case .link(let link):
      let inner = Self.filter(reference, test)
      return try linkRows(link, reference, inner)
    }
  }

  func leafCondition(
    _ reference: AttributeReference, _ test: LeafTest, on resource: SQLName, isSmall: Bool
  ) throws(SCIMError) -> SQLFragment {
    switch place(of: reference) {
    case .column(let column): return columnCondition(column, test, on: resource)
    case .index: return try keyCondition(reference, test, on: resource)
    case .counted: return try countedCondition(reference, test, on: resource)
    case .schemas:
      let filter = Self.filter(reference, test)
      if holdsForBase(filter) { return "1" }
      return try withLinks(
        try keyCondition(reference, test, on: resource), schemas: filter, on: resource)
    case .link(let link):
      let inner = Self.filter(reference, test)
      return try linkCondition(link, reference, inner, on: resource, isSmall: isSmall)
    }
  }

  func elementRows(_ reference: AttributeReference, _ inner: ResolvedFilter) throws(SCIMError) -> RowSet? {
    // "Some element is a or b" is "some element is a, or some element is b".
    if case .or(let parts) = inner { return try rows(.or(parts.map { .element(reference, $0) })) }
    switch place(of: reference) {
    case .column: return try rows(inner)
    case .index, .counted: return try keyElementRows(reference, inner)
    case .schemas:
      return holdsForBase(inner) ? nil : try withLinks(try keyElementRows(reference, inner), schemas: inner)
    case .link(let link): return try linkRows(link, reference, inner)
    }
  }

  func elementCondition(
    _ reference: AttributeReference, _ inner: ResolvedFilter, on resource: SQLName, isSmall: Bool
  ) throws(SCIMError) -> SQLFragment {
    if case .or(let parts) = inner {
      return try condition(.or(parts.map { .element(reference, $0) }), on: resource, isSmall: isSmall)
    }
    switch place(of: reference) {
    // `meta` has one element: what holds of it holds of the resource.
    case .column: return try condition(inner, on: resource, isSmall: isSmall)
    case .index, .counted: return try keyElementCondition(reference, inner, on: resource)
    case .schemas:
      if holdsForBase(inner) { return "1" }
      return try withLinks(
        try keyElementCondition(reference, inner, on: resource), schemas: inner, on: resource)
    case .link(let link):
      return try linkCondition(link, reference, inner, on: resource, isSmall: isSmall)
    }
  }

  private func holdsForBase(_ filter: ResolvedFilter) -> Bool {
    FilterEvaluator.matches(filter, element: .string(type.schema.id))
  }

  /// The links whose extension is in `schemas` where there is such a link, and fulfils the filter on its elements.
  private func links(schemas filter: ResolvedFilter) -> [LinkDefinition] {
    type.links.filter { link in
      link.extensionURN.map { FilterEvaluator.matches(filter, element: .string($0)) } ?? false
    }
  }

  private func withLinks(_ rows: RowSet, schemas filter: ResolvedFilter) throws(SCIMError) -> RowSet {
    let links = links(schemas: filter)
    guard !links.isEmpty else { return rows }
    var sets = [rows]
    for link in links { sets.append(try ownedRows(link, .constant(true))) }
    return union(sets, size: .large)
  }

  private func withLinks(
    _ condition: SQLFragment, schemas filter: ResolvedFilter, on resource: SQLName
  ) throws(SCIMError) -> SQLFragment {
    var parts = [condition]
    for link in links(schemas: filter) {
      let edge = alias("l")
      parts.append(
        "EXISTS (SELECT 1 FROM link \(edge) WHERE \(edge.column("org")) = \(org) AND \(edge.column("owner")) = \(resource) AND \(edge.column("attr")) = \(try number(of: link.attribute)))"
      )
    }
    return parts.count == 1 ? condition : "(\(parts.joined(" OR ")))"
  }

  /// The test as a filter on one element.
  private static func filter(_ reference: AttributeReference, _ test: LeafTest) -> ResolvedFilter {
    switch test {
    case .compare(let comparison, let operand): .compare(reference, comparison, operand)
    case .isPresent: .present(reference)
    case .isAssigned: .compare(reference, .ne, .null)
    }
  }
}
