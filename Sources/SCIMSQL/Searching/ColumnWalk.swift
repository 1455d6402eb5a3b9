import SCIMCore

/// Walks all resources of a type in the order of a column that every resource has and an index knows.
struct ColumnWalk {
  let part: SearchPart
  let org: Int64
  let column: SQLName
  let isNumber: Bool
  let isDescending: Bool

  func statement(after: CursorPosition?, offset: Int, limit: Int) -> SQLFragment {
    var condition: SQLFragment = ""
    if let after, let key = after.key {
      let bound: SQLFragment = isNumber ? "\(Int64(key) ?? 0)" : "\(key)"
      condition =
        isDescending
        ? " AND r.\(column) <= \(bound) AND (r.\(column) < \(bound) OR r.pk > \(after.handle))"
        : " AND r.\(column) >= \(bound) AND (r.\(column) > \(bound) OR r.pk > \(after.handle))"
    }
    let order: SQLFragment = isDescending ? "r.\(column) DESC, r.pk" : "r.\(column), r.pk"
    return
      "SELECT r.pk, r.\(column) FROM resource r WHERE r.org = \(org) AND r.type = \(part.number)\(condition) ORDER BY \(order) LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
  }
}
