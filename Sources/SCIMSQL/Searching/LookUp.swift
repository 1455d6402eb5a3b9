import SCIMCore

/// Finds the few resources that have one value of an attribute, by a statement that is always the same: what identity
/// providers ask before each write. Whatever else the filter says of them is read in their documents.
struct LookUp {
  private let compiler: FilterCompiler
  private let reader: SQLReader
  private let filter: ResolvedFilter
  private let lead: Lead

  /// The value to begin with.
  private struct Lead {
    var reference: AttributeReference
    var key: String
    /// True where nothing else is asked.
    var isAll: Bool
    /// True where one resource at most has the value.
    var isUnique: Bool
    /// The fewer resources are expected to share the value, the lower.
    var rank: Int
  }

  /// Nil where the filter does not begin with such a value, or asks what documents do not tell.
  init?(_ filter: ResolvedFilter, compiler: FilterCompiler) {
    guard let lead = Self.lead(filter, compiler), lead.isAll || compiler.isInDocument(filter) else { return nil }
    self.compiler = compiler
    self.reader = compiler.reader
    self.filter = filter
    self.lead = lead
  }

  /// The numbers of all that match, in the order of creation; nil where more than `limit` have the value.
  func numbers(limit: Int) throws(SCIMError) -> [Int64]? {
    let attribute = try compiler.number(of: lead.reference.path)
    guard attribute != SQLReader.unknown else { return [] }
    try reader.settle(attribute)
    let statement = try reader.statements.get(lead.isUnique ? .uniqueOwner : .resourcesWithKey)
    statement.bind(compiler.org, at: 1)
    statement.bind(attribute, at: 2)
    statement.bind(lead.key, at: 3)
    if !lead.isUnique { statement.bind(Int64(limit) + 1, at: 4) }
    var numbers: [Int64] = []
    var count = 0
    try statement.forEach { row in
      count += 1
      // Two elements of one resource may have the value.
      if numbers.last != row.integer(0) { numbers.append(row.integer(0)) }
    }
    guard count <= limit else { return nil }
    return lead.isAll ? numbers : try compiler.matching(numbers, [filter])
  }

  // MARK: Where to begin

  private static func lead(_ filter: ResolvedFilter, _ compiler: FilterCompiler) -> Lead? {
    switch filter {
    case .compare(let reference, .eq, let operand): return lead(reference, operand, compiler)
    case .and(let parts): return best(parts, compiler)
    case .element(let reference, let inner):
      guard case .index = compiler.place(of: reference) else { return nil }
      if case .and(let parts) = inner { return best(parts, compiler) }
      return lead(inner, compiler)
    case .constant, .not, .or, .compare, .present: return nil
    }
  }

  private static func best(_ parts: [ResolvedFilter], _ compiler: FilterCompiler) -> Lead? {
    var best: Lead?
    for part in parts {
      guard let lead = lead(part, compiler) else { continue }
      if best.map({ lead.rank < $0.rank }) ?? true { best = lead }
    }
    best?.isAll = false
    return best
  }

  private static func lead(
    _ reference: AttributeReference, _ operand: FilterOperand, _ compiler: FilterCompiler
  ) -> Lead? {
    let leaf = reference.leaf
    guard operand != .null, leaf.type != .complex, !operand.key.isEmpty else { return nil }
    if case .boolean = operand { return nil }
    guard case .index = compiler.place(of: reference) else { return nil }
    let isUnique = reference.sub == nil && leaf.uniqueness != .none
    let isKind = !leaf.canonicalValues.isEmpty || leaf.name == "type"
    return Lead(
      reference: reference, key: operand.key, isAll: true, isUnique: isUnique, rank: isUnique ? 0 : isKind ? 2 : 1)
  }
}
