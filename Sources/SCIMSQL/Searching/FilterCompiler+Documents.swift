import SCIMCore

/// What is found by reading documents: of few resources, which an index or the signatures have chosen.
extension FilterCompiler {
  /// True where the stored document alone says whether a resource matches.
  func isInDocument(_ filter: ResolvedFilter) -> Bool {
    switch filter {
    case .constant: true
    case .not(let part): isInDocument(part)
    case .and(let parts), .or(let parts): parts.allSatisfy(isInDocument)
    case .compare(let reference, _, _), .present(let reference), .element(let reference, _):
      switch place(of: reference) {
      case .index: true
      // What is derived for links is not in it.
      case .schemas: type.links.allSatisfy { $0.extensionURN == nil }
      case .column, .link, .counted: false
      }
    }
  }

  /// Those of a small set that fulfil all of the filters, by their documents.
  func verified(_ set: RowSet, _ filters: [ResolvedFilter]) throws(SCIMError) -> RowSet {
    var numbers: [Int64] = []
    try reader.statements.get(set.select).forEach { numbers.append($0.integer(0)) }
    return try verified(numbers, filters)
  }

  private func verified(_ numbers: [Int64], _ filters: [ResolvedFilter]) throws(SCIMError) -> RowSet {
    listed(try matching(Set(numbers).sorted(), filters))
  }

  /// A set of numbers that are found already.
  func listed(_ found: [Int64]) -> RowSet {
    let alias = alias("j")
    return RowSet(
      source: "json_each(\("[" + found.map(String.init).joined(separator: ",") + "]")) \(alias) WHERE 1",
      resource: alias.column("value"), isDistinct: true, isOrdered: false, size: .countable, isListed: true)
  }

  /// Those of the numbers whose documents fulfil all of the filters, in their order.
  func matching(_ numbers: [Int64], _ filters: [ResolvedFilter]) throws(SCIMError) -> [Int64] {
    var found: [Int64] = []
    var names: Set<String> = []
    for filter in filters { Self.addMembers(of: filter, to: &names) }
    let members = Array(names)
    let evaluator = FilterEvaluator(filters.count == 1 ? filters[0] : .and(filters))
    let statement = try reader.statements.get(.document)
    for number in numbers {
      statement.bind(number, at: 1)
      statement.bind(org, at: 2)
      statement.bind(typeNumber, at: 3)
      let read = try statement.first { (row) throws(SCIMError) in try self.members(members, of: row) }
      guard let document = read else { continue }
      if try evaluator.matches(resource: document, budget: reader.budget) { found.append(number) }
    }
    return found
  }

  private func members(_ names: [String], of row: Statement) throws(SCIMError) -> JSONObject {
    var size = 0
    row.withBytes(0) { size = $0.count }
    try reader.budget.take(ReadCost.row + ReadCost.parsing(size))
    var document: JSONObject?
    row.withBytes(0) { document = try? JSONMemberReader.members(names, of: $0) }
    guard let document else { throw SQLReader.brokenDocument }
    return document
  }

  /// The members of a document that a filter looks at.
  private static func addMembers(of filter: ResolvedFilter, to names: inout Set<String>) {
    switch filter {
    case .constant: break
    case .not(let part): addMembers(of: part, to: &names)
    case .and(let parts), .or(let parts): for part in parts { addMembers(of: part, to: &names) }
    case .compare(let reference, _, _), .present(let reference), .element(let reference, _):
      if case .extension(let urn) = reference.home { names.insert(urn) } else { names.insert(reference.attribute.name) }
    }
  }

  /// How many documents are read for a part of a text; where more may have it, reading all keys is faster. Looking
  /// into one document takes as long as reading some keys.
  private func maximumCandidates() throws(SCIMError) -> Int {
    let count = try reader.count(ofType: typeNumber, in: OrganizationID(rawValue: org))
    return max(500, count / Self.keysForOneDocument)
  }

  private static let keysForOneDocument = 16

  /// The resources of which a text contains another one, or ends with it, found by the signatures; nil where these
  /// do not know of the attribute, or let too many through.
  func signatureRows(_ reference: AttributeReference, _ test: LeafTest) throws(SCIMError) -> RowSet? {
    guard case .compare(let comparison, .text(let text)) = test, comparison == .co || comparison == .ew,
      text.utf8.count >= TextSignature.minimumLength,
      type.indexedLeaves.contains(where: { $0.isInSignature && $0.path == reference.path })
    else { return nil }
    try reader.settle()
    var signature = TextSignature()
    signature.insert(text)
    let wanted = signature.wanted
    let maximum = try maximumCandidates()
    let statement = try reader.statements.get(.signatures)
    statement.bind(org, at: 1)
    statement.bind(try signatureNumber(), at: 2)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() {
      let block = statement.integer(0)
      var size = 0
      statement.withBytes(1) {
        size = $0.count
        SignatureBlock.collect(wanted, from: $0, block: block, to: &numbers)
      }
      try reader.budget.take(ReadCost.row + ReadCost.copying(size))
      if numbers.count > maximum { return nil }
    }
    return try verified(numbers, [.compare(reference, comparison, .text(text))])
  }
}
