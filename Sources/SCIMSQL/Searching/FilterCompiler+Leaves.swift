import SCIMCore

/// Single conditions: by where the values of an attribute are kept.
extension FilterCompiler {
  /// Where the values of an attribute are.
  enum Place {
    /// In a column of `resource`.
    case column(ResourceColumn)
    /// In `schemas`: in the index, but for the base URN, which every resource has.
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
      if let link = type.link(for: reference.attribute.name) { return .link(link) }
      return .index
    case .extension(let urn):
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
      return holdsForBase(reference, test) ? nil : try keyRows(reference, test)
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
      return holdsForBase(reference, test)
        ? "1" : try keyCondition(reference, test, on: resource)
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
      let base = JSON.string(type.schema.id)
      return FilterEvaluator.matches(inner, element: base) ? nil : try keyElementRows(reference, inner)
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
      let base = JSON.string(type.schema.id)
      if FilterEvaluator.matches(inner, element: base) { return "1" }
      return try keyElementCondition(reference, inner, on: resource)
    case .link(let link):
      return try linkCondition(link, reference, inner, on: resource, isSmall: isSmall)
    }
  }

  private func holdsForBase(_ reference: AttributeReference, _ test: LeafTest) -> Bool {
    FilterEvaluator.matches(Self.filter(reference, test), element: .string(type.schema.id))
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
