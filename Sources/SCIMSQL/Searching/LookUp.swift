import SCIMCore

/// Finds the few resources that have one value of an attribute, by a statement that is always the same: what identity
/// providers ask before each write. Other values that the filter asks for are looked up in the index as well; whatever
/// else it says is read in their documents.
struct LookUp {
  private let compiler: FilterCompiler
  private let reader: SQLReader
  private let filter: ResolvedFilter
  private let lead: Lead

  /// The value to begin with.
  private struct Lead {
    var reference: AttributeReference
    var key: String
    /// What else is asked, where that is for values alone; nil where it is more.
    var rest: [Condition]?
    /// True where the rest is asked of the element that has the value.
    var isOfElement: Bool
    /// True where one resource at most has the value.
    var isUnique: Bool
    /// True where the value is the resource's id, which no index of values has.
    var isID = false
    /// The fewer resources are expected to share the value, the lower.
    var rank: Int
  }

  /// That some value is there, or is not.
  private struct Condition {
    var reference: AttributeReference
    var key: String
    var isWanted: Bool
  }

  /// Where a value stands.
  private struct Place {
    var resource: Int64
    var element: Int64
  }

  /// Nil where the filter does not begin with such a value, or asks what documents do not tell.
  init?(_ filter: ResolvedFilter, compiler: FilterCompiler) {
    guard let lead = Self.lead(filter, compiler), lead.rest != nil || compiler.isInDocument(filter) else { return nil }
    self.compiler = compiler
    self.reader = compiler.reader
    self.filter = filter
    self.lead = lead
  }

  /// The numbers of all that match, in the order of creation; nil where more than `limit` have the value.
  func numbers(limit: Int) throws(SCIMError) -> [Int64]? {
    let places = try places(limit: limit)
    try reader.budget.take(places.count * ReadCost.row)
    guard places.count <= limit else { return nil }
    try reader.budget.expect(places.count * ReadCost.resource)
    let chosen = try lead.rest.map { (rest) throws(SCIMError) in try choose(places, rest) } ?? places
    var numbers: [Int64] = []
    // Two elements of one resource may have the value.
    for place in chosen where numbers.last != place.resource { numbers.append(place.resource) }
    return lead.rest == nil ? try compiler.matching(numbers, [filter]) : numbers
  }

  /// Where the leading value stands; one more than `limit` at most.
  private func places(limit: Int) throws(SCIMError) -> [Place] {
    let attribute = lead.isID ? compiler.typeNumber : try compiler.number(of: lead.reference.path)
    guard attribute != SQLReader.unknown else { return [] }
    if !lead.isID { try reader.settle(attribute) }
    let statement = try reader.statements.get(
      lead.isID ? .linkTarget : lead.isUnique ? .uniqueOwner : .resourcesWithKey)
    statement.bind(compiler.org, at: 1)
    statement.bind(attribute, at: 2)
    statement.bind(lead.key, at: 3)
    let isOne = lead.isUnique || lead.isID
    if !isOne { statement.bind(Int64(limit) + 1, at: 4) }
    var places: [Place] = []
    try statement.forEach { row in
      places.append(Place(resource: row.integer(0), element: isOne ? 0 : row.integer(1)))
    }
    return places
  }

  /// Those of the places of which all conditions hold, each by one step in the index.
  private func choose(_ places: [Place], _ conditions: [Condition]) throws(SCIMError) -> [Place] {
    var left = places
    for condition in conditions where !left.isEmpty {
      try reader.budget.take(left.count * ReadCost.row)
      let attribute = try compiler.number(of: condition.reference.path)
      try reader.settle(attribute)
      let statement = try reader.statements.get(lead.isOfElement ? .elementHasKey : .resourceHasKey)
      statement.bind(compiler.org, at: 1)
      statement.bind(attribute, at: 2)
      statement.bind(condition.key, at: 3)
      var chosen: [Place] = []
      for place in left {
        statement.bind(place.resource, at: 4)
        if lead.isOfElement { statement.bind(place.element, at: 5) }
        if try statement.first({ _ in true }) ?? false == condition.isWanted { chosen.append(place) }
      }
      left = chosen
    }
    return left
  }

  // MARK: Where to begin

  private static func lead(_ filter: ResolvedFilter, _ compiler: FilterCompiler) -> Lead? {
    switch filter {
    case .compare(let reference, .eq, let operand): return lead(reference, operand, compiler)
    case .and(let parts): return best(parts, isOfElement: false, compiler)
    case .element(let reference, let inner):
      guard case .index = compiler.place(of: reference) else { return nil }
      if case .and(let parts) = inner { return best(parts, isOfElement: true, compiler) }
      return lead(inner, compiler)
    case .constant, .not, .or, .compare, .present: return nil
    }
  }

  /// Of more, a document is read sooner than the index is asked for each.
  private static let maximumParts = 8

  private static func best(_ parts: [ResolvedFilter], isOfElement: Bool, _ compiler: FilterCompiler) -> Lead? {
    var best: (index: Int, lead: Lead)?
    for (index, part) in parts.enumerated() {
      guard let lead = lead(part, compiler) else { continue }
      if best.map({ lead.rank < $0.lead.rank }) ?? true { best = (index, lead) }
    }
    guard let best else { return nil }
    var lead = best.lead
    // What is left of the best part itself is asked of an element of its own.
    var rest: [Condition]? = lead.rest?.isEmpty == true && parts.count <= maximumParts ? [] : nil
    for (index, part) in parts.enumerated() where index != best.index {
      guard let condition = condition(part, compiler) else {
        rest = nil
        break
      }
      rest?.append(condition)
    }
    lead.rest = rest
    lead.isOfElement = isOfElement
    // Where an element stands, only the index of all values says.
    if isOfElement { lead.isUnique = false }
    return lead
  }

  /// The part as a condition that one step in the index decides; nil where it is none.
  private static func condition(_ part: ResolvedFilter, _ compiler: FilterCompiler) -> Condition? {
    guard case .compare(let reference, let comparison, let operand) = part, comparison == .eq || comparison == .ne,
      operand != .null, reference.leaf.type != .complex, case .index = compiler.place(of: reference)
    else { return nil }
    return Condition(reference: reference, key: operand.key, isWanted: comparison == .eq)
  }

  private static func lead(
    _ reference: AttributeReference, _ operand: FilterOperand, _ compiler: FilterCompiler
  ) -> Lead? {
    let leaf = reference.leaf
    guard operand != .null, leaf.type != .complex, !operand.key.isEmpty else { return nil }
    if case .boolean = operand { return nil }
    if case .column(.id) = compiler.place(of: reference) {
      return Lead(
        reference: reference, key: operand.key, rest: [], isOfElement: false, isUnique: true, isID: true, rank: 0)
    }
    guard case .index = compiler.place(of: reference) else { return nil }
    let isUnique = reference.sub == nil && leaf.uniqueness != .none
    let isKind = !leaf.canonicalValues.isEmpty || leaf.name == "type"
    return Lead(
      reference: reference, key: operand.key, rest: [], isOfElement: false, isUnique: isUnique,
      rank: isUnique ? 0 : isKind ? 2 : 1)
  }
}
