import SCIMCore

/// Finds the places of one page, and counts.
///
/// A page asks for one resource more than it shows, so that what is shown often tells the total as well.
struct Search {
  let reader: SQLReader
  let parts: [SearchPart]
  let organization: OrganizationID
  let isSorted: Bool
  let isDescending: Bool

  struct Found {
    var total: Int
    var positions: [CursorPosition]
    var next: CursorPosition?
  }

  func run(_ window: SearchQuery.Window) throws(SCIMError) -> Found {
    let count = max(window.count, 0)
    guard count > 0 else { return Found(total: try total(), positions: []) }
    switch window {
    case .index(let offset, _): return try page(at: max(offset, 0), count: count)
    case .cursor(let after, _):
      var positions = try positions(after: after, offset: 0, limit: count + 1)
      let isLast = positions.count <= count
      if !isLast { positions.removeLast() }
      return Found(
        total: isLast && after == nil ? positions.count : try total(), positions: positions,
        next: isLast ? nil : positions.last)
    }
  }

  private func page(at offset: Int, count: Int) throws(SCIMError) -> Found {
    if let numbers = try scanned() {
      let positions = numbers.dropFirst(offset).prefix(count).map { CursorPosition(key: nil, handle: $0) }
      return Found(total: numbers.count, positions: positions)
    }
    let memory = offset > 0 ? try memory() : nil
    let known = memory.map {
      reader.pages.recall($0.query, state: $0.state, offset: offset, isStable: isStable)
    }
    let start = known?.start
    var positions = try positions(
      after: start?.position, offset: offset - (start?.offset ?? 0), limit: count + 1)
    let isLast = positions.count <= count
    if !isLast { positions.removeLast() }
    // A page that is the last, and not empty behind others, ends where the whole does.
    let isTotal = isLast && (offset == 0 || !positions.isEmpty)
    var total = offset + positions.count
    if !isTotal {
      if let known = known?.total { total = known } else { total = try self.total() }
    }
    if !isLast, let position = positions.last {
      var place = memory
      if place == nil { place = try self.memory() }
      guard let place else { return Found(total: total, positions: positions) }
      reader.pages.remember(
        place.query, state: place.state, end: offset + positions.count, position: position, total: total,
        isStable: isStable)
    }
    return Found(total: total, positions: positions)
  }

  /// All that match, where all keys of an attribute are read to find them, or they are found already, so that they are
  /// read once: for the page and for the total.
  private func scanned() throws(SCIMError) -> [Int64]? {
    guard !isSorted, parts.count == 1 else { return nil }
    if case .scanned = parts[0].rows.size {} else if !parts[0].rows.isListed { return nil }
    return try reader.numbers(of: parts[0].rows)
  }

  /// All of one type in the order of creation: what is new comes last.
  private var isStable: Bool { !isSorted && parts.count == 1 && parts[0].isAll }

  /// A longer query, such as one with a list of what matches, is not remembered: many of them are.
  private static let longestRemembered = 16 << 10

  /// The name of the query in the page memory, and the state of what it looks at; nil inside of transactions, whose
  /// state nobody else sees.
  private func memory() throws(SCIMError) -> (query: String, state: PageMemory.State)? {
    guard reader.isSnapshot else { return nil }
    var changes: Int64 = 0
    var count: Int64 = 0
    try reader.statements.get(
      "SELECT type, count, changes, deletions FROM resource_count WHERE org = \(organization.rawValue)"
    ).forEach { row in
      let isAsked = parts.contains { $0.number == row.integer(0) }
      if isAsked { count += row.integer(1) }
      // A filter may look at resources of other types through links.
      changes += isStable ? (isAsked ? row.integer(3) : 0) : row.integer(2)
    }
    var query = "\(organization.rawValue) \(isSorted) \(isDescending)"
    for part in parts {
      query += " \(part.number) \(part.rows.source.text) \(part.rows.source.values)"
      switch part.sort {
      case .column(let column, _): query += " \(column.text)"
      case .key(let attribute, _, _): query += " \(attribute)"
      case nil: break
      }
    }
    guard query.utf8.count <= Self.longestRemembered else { return nil }
    return (query, PageMemory.State(changes: changes, count: count))
  }

  /// How many match in all.
  private func total() throws(SCIMError) -> Int {
    var total = 0
    for part in parts {
      if part.isAll {
        total += try reader.count(ofType: part.number, in: organization)
      } else if let others = try part.compiler.others(part.filter) {
        let left = try Int(reader.statements.get(others.count).first { $0.integer(0) } ?? 0)
        total += try reader.count(ofType: part.number, in: organization) - left
      } else {
        total += try Int(reader.statements.get(part.rows.count).first { $0.integer(0) } ?? 0)
      }
    }
    return total
  }

  private func positions(
    after: CursorPosition?, offset: Int, limit: Int
  ) throws(SCIMError) -> [CursorPosition] {
    guard isSorted, parts.contains(where: { $0.sort != nil }) else {
      let page = unsorted(after: after?.handle, offset: offset, limit: limit)
      return try read(page)
    }
    if parts.contains(where: { !$0.isAll }),
      let few = try SmallSort(search: self).positions(after: after, offset: offset, limit: limit)
    {
      return few
    }
    if parts.count == 1, case .key(let attribute, _, let isRequired) = parts[0].sort {
      let walk = SortedWalk(
        search: self, part: parts[0], attribute: attribute, isRequired: isRequired, isDescending: isDescending)
      return try walk.positions(
        after: after, offset: offset, limit: limit,
        total: { () throws(SCIMError) in
          try total()
        })
    }
    if parts.count == 1, parts[0].isAll, case .column(let column, let isNumber) = parts[0].sort {
      let walk = ColumnWalk(
        part: parts[0], org: organization.rawValue, column: column, isNumber: isNumber, isDescending: isDescending)
      return try read(walk.statement(after: after, offset: offset, limit: limit))
    }
    return try read(SortedSet(search: self).statement(after: after, offset: offset, limit: limit))
  }

  /// The places that a statement with the columns handle and key gives.
  func read(_ fragment: SQLFragment) throws(SCIMError) -> [CursorPosition] {
    var positions: [CursorPosition] = []
    try reader.statements.get(fragment).forEach {
      positions.append(CursorPosition(key: $0.optionalText(1), handle: $0.integer(0)))
    }
    return positions
  }

  /// In the order of creation.
  func unsorted(after: Int64?, offset: Int, limit: Int) -> SQLFragment {
    if parts.count == 1 {
      var rows = parts[0].rows
      if let after { rows = rows.adding("\(rows.resource) > \(after)") }
      // The plus keeps the engine from reading another index, which has this order, instead of the one that finds.
      let order: SQLFragment = rows.isOrdered ? "\(rows.resource)" : "+\(rows.resource)"
      let distinct: SQLFragment = rows.isDistinct ? "" : "DISTINCT "
      return
        "SELECT \(distinct)\(rows.resource), NULL FROM \(rows.source) ORDER BY \(order) LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
    }
    var selects: [SQLFragment] = []
    for part in parts {
      var rows = part.rows
      if let after { rows = rows.adding("\(rows.resource) > \(after)") }
      selects.append(rows.distinct)
    }
    return
      "SELECT pk, NULL FROM (\(selects.unionAll)) ORDER BY pk LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
  }
}
