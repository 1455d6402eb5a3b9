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
    case .index(let offset, _):
      var positions = try positions(after: nil, offset: max(offset, 0), limit: count + 1)
      let isLast = positions.count <= count
      if !isLast { positions.removeLast() }
      // A page that is the last, and not empty behind others, ends where the whole does.
      let isTotal = isLast && (offset == 0 || !positions.isEmpty)
      return Found(total: isTotal ? offset + positions.count : try total(), positions: positions)
    case .cursor(let after, _):
      var positions = try positions(after: after, offset: 0, limit: count + 1)
      let isLast = positions.count <= count
      if !isLast { positions.removeLast() }
      return Found(
        total: isLast && after == nil ? positions.count : try total(), positions: positions,
        next: isLast ? nil : positions.last)
    }
  }

  /// How many match in all.
  private func total() throws(SCIMError) -> Int {
    var total = 0
    for part in parts {
      if part.isAll {
        let statement = try reader.statements.get(.count)
        statement.bind(organization.rawValue, at: 1)
        statement.bind(part.number, at: 2)
        total += try Int(statement.first { $0.integer(0) } ?? 0)
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
    if parts.count == 1, parts[0].isAll, case .key(let attribute, let isRequired) = parts[0].sort {
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
      "SELECT pk, NULL FROM (\(selects.joined(" UNION ALL "))) ORDER BY pk LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
  }
}
