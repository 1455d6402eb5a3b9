import SCIMCore

/// Turns a resolved filter on one type into SQL.
///
/// Two forms of a filter are made: `rows`, a set that an index can list, and `condition`, which asks of one resource
/// whether it matches. Of an `and` the smallest set is listed and the rest are conditions on it; what no index can list
/// is a condition on all resources of the type. Conditions on a small set look each resource up; those on a large one
/// ask whether it is in a set that is made once, but for equality, which is one step in an index either way. What no
/// index can look up of one resource is read in the documents of a small set.
final class FilterCompiler {
  let reader: SQLReader
  let org: Int64
  let type: ResourceType
  let typeNumber: Int64
  let baseURL: String
  let registry: SchemaRegistry
  /// The type as the snapshot's registry has it, which knows its names in the index.
  private let stored: ResourceType
  private var aliases = 0

  init(
    reader: SQLReader, type: ResourceType, organization: OrganizationID, baseURL: String
  ) throws(SCIMError) {
    self.reader = reader
    self.org = organization.rawValue
    self.type = type
    self.baseURL = baseURL
    registry = try reader.registry(of: organization)
    stored = registry.type(named: type.name) ?? type
    typeNumber = try reader.number(ofType: type.name)
  }

  func alias(_ name: StaticString) -> SQLName {
    aliases += 1
    return SQLName(alias: name, number: aliases)
  }

  func number(of path: String) throws(SCIMError) -> Int64 {
    try reader.number(ofAttribute: stored.indexPath(path), type: typeNumber)
  }

  /// The number under which the signatures of the type are.
  func signatureNumber() throws(SCIMError) -> Int64 {
    stored.signatureName == type.name ? typeNumber : try reader.number(ofType: stored.signatureName)
  }

  /// All that match.
  func matches(_ filter: ResolvedFilter?) throws(SCIMError) -> RowSet {
    guard let filter else { return all() }
    guard fits(filter) else { return try splitRows(filter) }
    if let set = try rows(filter) { return set }
    let all = all()
    return all.adding(try condition(filter, on: all.resource, isSmall: false))
  }

  /// What a filter of the form `not` or `ne` leaves out, where an index can list it; nil for all other filters.
  func others(_ filter: ResolvedFilter?) throws(SCIMError) -> RowSet? {
    guard let filter, fits(filter) else { return nil }
    switch filter {
    case .not(let part): return try rows(part)
    case .compare(let reference, .ne, let operand) where operand != .null:
      return try rows(.compare(reference, .eq, operand))
    default: return nil
    }
  }

  /// All resources of the type.
  func all() -> RowSet {
    let alias = alias("r")
    return RowSet(
      source:
        "resource \(alias) WHERE \(alias.column("org")) = \(org) AND \(alias.column("type")) = \(typeNumber)",
      resource: alias.column("pk"), isDistinct: true, isOrdered: true, size: .large)
  }

  // MARK: Sets

  /// The set of what matches; nil where no index can list it.
  func rows(_ filter: ResolvedFilter) throws(SCIMError) -> RowSet? {
    switch filter {
    case .constant(let value): return value ? nil : none()
    case .not: return nil
    case .and(let parts): return try rows(ofAll: parts)
    case .or(let parts): return try rows(ofAny: parts)
    case .compare(_, .ne, let operand) where operand != .null: return nil
    case .compare(_, .eq, .null): return nil
    case .compare(let reference, let comparison, let operand):
      return try leafRows(reference, comparison == .ne ? .isAssigned : .compare(comparison, operand))
    case .present(let reference): return try leafRows(reference, .isPresent)
    case .element(let reference, let inner): return try elementRows(reference, inner)
    }
  }

  private func none() -> RowSet {
    let alias = alias("r")
    return RowSet(
      source: "resource \(alias) WHERE 0", resource: alias.column("pk"), isDistinct: true, isOrdered: true,
      size: .one)
  }

  private func rows(ofAll parts: [ResolvedFilter]) throws(SCIMError) -> RowSet? {
    var best: (index: Int, set: RowSet, estimate: Int)?
    for (index, part) in parts.enumerated() {
      guard let set = try rows(part) else { continue }
      let estimate = try estimate(set)
      if best.map({ estimate < $0.estimate }) ?? true { best = (index, set, estimate) }
      if estimate <= 1 { break }
    }
    guard let best else { return nil }
    let isSmall = best.estimate <= Self.small
    var result = best.set
    var inDocument: [ResolvedFilter] = []
    for (index, part) in parts.enumerated() where index != best.index {
      if isSmall, !Self.isEquality(part), isInDocument(part) {
        inDocument.append(part)
      } else {
        result = result.adding(try condition(part, on: result.resource, isSmall: isSmall))
      }
    }
    if !inDocument.isEmpty { return try verified(result, inDocument) }
    result.size = isSmall ? .countable : best.set.size
    return result
  }

  private func rows(ofAny parts: [ResolvedFilter]) throws(SCIMError) -> RowSet? {
    var sets: [SQLFragment] = []
    var size = RowSet.Size.countable
    for part in parts {
      guard let set = try rows(part) else { return nil }
      sets.append("SELECT \(set.resource) AS pk FROM \(set.source)")
      switch set.size {
      case .one, .countable: break
      case .scanned, .large: size = .large
      }
    }
    let alias = alias("u")
    return RowSet(
      source: "(\(sets.joined(" UNION "))) \(alias) WHERE 1", resource: alias.column("pk"), isDistinct: true,
      isOrdered: false, size: size)
  }

  /// Up to this many rows each is looked up by itself.
  static let small = 500

  func estimate(_ set: RowSet) throws(SCIMError) -> Int {
    switch set.size {
    case .one: return 1
    case .scanned: return 5_000
    case .large: return 50_000
    case .countable:
      let limit = Int64(Self.small) + 1
      let statement = try reader.statements.get(
        "SELECT count(*) FROM (SELECT 1 FROM \(set.source) LIMIT \(limit))")
      let count = try Int(statement.first { $0.integer(0) } ?? 0)
      return count <= Self.small ? count : 10_000
    }
  }

  // MARK: Conditions

  /// Whether the resource with the number in that column matches; 1 or 0, never NULL.
  func condition(
    _ filter: ResolvedFilter, on resource: SQLName, isSmall: Bool
  ) throws(SCIMError) -> SQLFragment {
    switch filter {
    case .constant(let value): return value ? "1" : "0"
    case .not(let part): return "NOT (\(try condition(part, on: resource, isSmall: isSmall)))"
    case .and(let parts):
      return "(\(try conditions(parts, on: resource, isSmall: isSmall).joined(" AND ")))"
    case .or(let parts):
      return "(\(try conditions(parts, on: resource, isSmall: isSmall).joined(" OR ")))"
    case .compare(let reference, .ne, let operand) where operand != .null:
      return "NOT (\(try leafCondition(reference, .compare(.eq, operand), on: resource, isSmall: isSmall)))"
    case .compare(let reference, .eq, .null):
      return "NOT (\(try leafCondition(reference, .isAssigned, on: resource, isSmall: isSmall)))"
    case .compare(let reference, let comparison, let operand):
      let test: LeafTest = comparison == .ne ? .isAssigned : .compare(comparison, operand)
      return try leafCondition(reference, test, on: resource, isSmall: isSmall)
    case .present(let reference):
      return try leafCondition(reference, .isPresent, on: resource, isSmall: isSmall)
    case .element(let reference, let inner):
      return try elementCondition(reference, inner, on: resource, isSmall: isSmall)
    }
  }

  private func conditions(
    _ parts: [ResolvedFilter], on resource: SQLName, isSmall: Bool
  ) throws(SCIMError) -> [SQLFragment] {
    var result: [SQLFragment] = []
    for part in parts { result.append(try condition(part, on: resource, isSmall: isSmall)) }
    return result
  }
}

/// What is asked of the values that a reference names: whether there is one of which this holds.
enum LeafTest {
  /// Any operator but `ne`, with a value that is not null.
  case compare(ComparisonOperator, FilterOperand)
  /// A value that is not empty.
  case isPresent
  /// A value, an empty text included.
  case isAssigned
}

extension FilterOperand {
  /// The value as the index has it.
  var key: String {
    switch self {
    case .text(let text): text
    case .boolean(let value): SortableKey.boolean(value).text
    case .integer(let value): SortableKey.integer(value).text
    case .decimal(let value): SortableKey.double(value).text
    case .instant(let value): SortableKey.instant(value).text
    case .null: ""
    }
  }
}
