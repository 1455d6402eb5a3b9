import SCIMCore

/// Filters that one statement could not hold: each part that fits is a statement of its own, which finds the numbers of
/// what matches, and the sets are joined here.
///
/// An engine bounds how deep a statement may be nested (SQLite reads it with a stack of 100 symbols, which 19 levels of
/// brackets can fill) and how many values are bound to it.
extension FilterCompiler {
  /// How many levels of `and`, `or` and `not` one statement may have; as many again inside the brackets of an attribute.
  private static let maximumNesting = 6
  /// How many values may be bound to one statement, in part: SQLite takes 32,766.
  private static let maximumValues = 16_000

  /// True where one statement can hold the filter.
  func fits(_ filter: ResolvedFilter) -> Bool {
    filter.nesting <= Self.maximumNesting && filter.nestingInBrackets <= Self.maximumNesting
      && values(in: filter) <= Self.maximumValues
  }

  /// What matches a filter that does not fit, as a list.
  func splitRows(_ filter: ResolvedFilter) throws(SCIMError) -> RowSet {
    listed(try numbers(of: filter, among: nil))
  }

  /// The numbers of what matches, in the order of creation.
  ///
  /// - Parameter among: where not nil, of these alone.
  private func numbers(of filter: ResolvedFilter, among: [Int64]?) throws(SCIMError) -> [Int64] {
    if fits(filter) { return try joined(reader.numbers(of: matches(filter)), among) }
    switch filter {
    case .and(let parts):
      var left = among
      for part in grouped(parts, by: ResolvedFilter.and) {
        left = try numbers(of: part, among: left)
        if left?.isEmpty == true { break }
      }
      return try self.among(left)
    case .or(let parts):
      var found: [Int64] = []
      // The deepest first, so that nothing is kept meanwhile.
      for part in grouped(parts, by: ResolvedFilter.or).reversed() {
        found = try reader.merged(found, numbers(of: part, among: among)) { $0 || $1 }
      }
      return found
    case .not(let part):
      let left = try numbers(of: part, among: among)
      return try reader.merged(self.among(among), left) { $0 && !$1 }
    case .element(let reference, let inner): return try elements(reference, inner, among: among)
    case .compare, .present, .constant: return try joined(reader.numbers(of: matches(filter)), among)
    }
  }

  private func among(_ numbers: [Int64]?) throws(SCIMError) -> [Int64] {
    if let numbers { return numbers }
    return try reader.numbers(of: all())
  }

  private func joined(_ numbers: [Int64], _ among: [Int64]?) throws(SCIMError) -> [Int64] {
    guard let among else { return numbers }
    return try reader.merged(numbers, among) { $0 && $1 }
  }

  /// The parts, as many together as one statement can hold; first those that fit.
  private func grouped(
    _ parts: [ResolvedFilter], by join: ([ResolvedFilter]) -> ResolvedFilter
  ) -> [ResolvedFilter] {
    var groups: [ResolvedFilter] = []
    var others: [ResolvedFilter] = []
    var group: [ResolvedFilter] = []
    var values = 0
    func close() {
      if !group.isEmpty { groups.append(group.count == 1 ? group[0] : join(group)) }
      group = []
      values = 0
    }
    for part in parts {
      guard fits(part), part.nesting < Self.maximumNesting else {
        others.append(part)
        continue
      }
      let more = self.values(in: part)
      if values + more > Self.maximumValues { close() }
      group.append(part)
      values += more
    }
    close()
    return groups + others
  }

  // MARK: Brackets of an attribute

  private func elements(
    _ reference: AttributeReference, _ inner: ResolvedFilter, among: [Int64]?
  ) throws(SCIMError) -> [Int64] {
    // "Some element is a or b" is "some element is a, or some element is b".
    if case .or(let parts) = inner {
      return try numbers(of: .or(parts.map { .element(reference, $0) }), among: among)
    }
    let filter = ResolvedFilter.element(reference, inner)
    switch place(of: reference) {
    // `meta` has one element: what holds of it holds of the resource.
    case .column: return try numbers(of: inner, among: among)
    case .schemas:
      // Its elements are the few URNs that the type has.
      let urns = [type.schema.id] + type.extensions.map(\.schema.id)
      let terms = urns.filter { FilterEvaluator.matches(inner, element: .string($0)) }.map {
        ResolvedFilter.compare(reference, .eq, .text(reference.leaf.comparable($0)))
      }
      return try numbers(of: ResolvedFilter.or(terms).simplified(), among: among)
    case .index, .counted:
      let candidates = try joined(reader.numbers(of: keyElementRows(reference, .constant(true))), among)
      return try matching(candidates, [filter])
    case .link(let link):
      return try shown(self.among(among), fulfilling: filter, links: .only([link.attribute]))
    }
  }

  /// Those of the numbers that fulfil the filter as they are shown: what is asked of links is asked of each resource,
  /// which takes longest of all.
  private func shown(
    _ numbers: [Int64], fulfilling filter: ResolvedFilter, links: LinkSelection
  ) throws(SCIMError) -> [Int64] {
    let organization = OrganizationID(rawValue: org)
    let renderer = ResourceRenderer(baseURL: baseURL)
    let evaluator = FilterEvaluator(filter)
    var found: [Int64] = []
    for number in numbers {
      guard let stored = try reader.resource(number: number, links: links, types: [typeNumber: type], in: organization)
      else { continue }
      try reader.budget.take(ReadCost.parsing(stored.document.count))
      let document = try renderer.json(stored, type: type, registry: registry)
      if try evaluator.matches(resource: document, budget: reader.budget) { found.append(number) }
    }
    return found
  }

  // MARK: Size

  /// About how many values a statement with that filter has.
  private func values(in filter: ResolvedFilter) -> Int {
    switch filter {
    case .constant: return 0
    case .and(let parts), .or(let parts): return parts.reduce(0) { $0 + values(in: $1) }
    case .not(let part): return values(in: part)
    case .compare(let reference, _, _), .present(let reference): return values(for: reference)
    case .element(let reference, let inner):
      return values(for: reference) + inner.terms * values(for: reference)
    }
  }

  private func values(for reference: AttributeReference) -> Int {
    let base = 8 + reference.attribute.subAttributes.count
    switch place(of: reference) {
    case .column, .schemas, .index: return base
    case .counted:
      // All attributes by which there may be assignments.
      return base + registry.types.reduce(0) { $0 + $1.links.count }
    case .link(let link):
      // Each type is named, and for `$ref` its address as well; what groups grant is asked for once more.
      return (base + targetTypes(link).count * 3) * (link.inheritance == nil ? 1 : 2)
    }
  }
}

extension ResolvedFilter {
  /// How many `and`, `or` and `not` stand in each other, brackets of attributes aside.
  fileprivate var nesting: Int {
    switch self {
    case .constant, .compare, .present, .element: 0
    case .not(let part): 1 + part.nesting
    case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.nesting).max() ?? 0)
    }
  }

  /// The same inside the brackets of attributes.
  fileprivate var nestingInBrackets: Int {
    switch self {
    case .constant, .compare, .present: 0
    case .element(_, let inner): inner.nesting
    case .not(let part): part.nestingInBrackets
    case .and(let parts), .or(let parts): parts.lazy.map(\.nestingInBrackets).max() ?? 0
    }
  }
}

extension SQLReader {
  /// The numbers of a set, each once, in the order of creation.
  func numbers(of rows: RowSet) throws(SCIMError) -> [Int64] {
    var numbers: [Int64] = []
    try statements.get(rows.select).forEach { numbers.append($0.integer(0)) }
    numbers.sort()
    if rows.isDistinct { return numbers }
    var previous: Int64?
    numbers.removeAll { number in
      defer { previous = number }
      return number == previous
    }
    return numbers
  }

  /// What two such lists make together.
  ///
  /// - Parameter isWanted: told whether a number is in the first and in the second list.
  func merged(
    _ first: [Int64], _ second: [Int64], isWanted: (Bool, Bool) -> Bool
  ) throws(SCIMError) -> [Int64] {
    try budget.take((first.count + second.count) / 8)
    var merged: [Int64] = []
    var (left, right) = (0, 0)
    while left < first.count || right < second.count {
      let isFirst = left < first.count && (right == second.count || first[left] <= second[right])
      let isSecond = right < second.count && (left == first.count || second[right] <= first[left])
      if isWanted(isFirst, isSecond) { merged.append(isFirst ? first[left] : second[right]) }
      if isFirst { left += 1 }
      if isSecond { right += 1 }
    }
    return merged
  }
}
