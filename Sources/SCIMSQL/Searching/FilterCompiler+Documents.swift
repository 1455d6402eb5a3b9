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
      case .index, .schemas: true
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

  func verified(_ numbers: [Int64], _ filters: [ResolvedFilter]) throws(SCIMError) -> RowSet {
    var found: [Int64] = []
    let statement = try reader.statements.get(.document)
    for number in Set(numbers).sorted() {
      try reader.checkDeadline()
      statement.bind(number, at: 1)
      statement.bind(org, at: 2)
      statement.bind(typeNumber, at: 3)
      guard let document = try statement.first({ (row) throws(SCIMError) in try SQLReader.object(row.bytes(0)) })
      else { continue }
      if filters.allSatisfy({ FilterEvaluator.matches($0, resource: document) }) { found.append(number) }
    }
    let alias = alias("j")
    return RowSet(
      source: "json_each(\("[" + found.map(String.init).joined(separator: ",") + "]")) \(alias) WHERE 1",
      resource: alias.column("value"), isDistinct: true, isOrdered: false, size: .countable)
  }

  /// Up to this many documents are read for a part of a text; where more may have it, reading all keys is faster.
  private static let maximumCandidates = 500

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
    let statement = try reader.statements.get(.signatures)
    statement.bind(org, at: 1)
    statement.bind(typeNumber, at: 2)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while try statement.step() {
      try reader.checkDeadline()
      let block = statement.integer(0)
      statement.withBytes(1) { SignatureBlock.collect(wanted, from: $0, block: block, to: &numbers) }
      if numbers.count > Self.maximumCandidates { return nil }
    }
    return try verified(numbers, [.compare(reference, comparison, .text(text))])
  }
}
