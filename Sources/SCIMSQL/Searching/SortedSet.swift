import SCIMCore

/// Sorts what matches: each with its sort key, those without one last when ascending and first when descending, then
/// by creation (RFC 7644 section 3.4.2.3).
struct SortedSet {
  let search: Search

  func statement(after: CursorPosition?, offset: Int, limit: Int) -> SQLFragment {
    var selects: [SQLFragment] = []
    for part in search.parts {
      let rows = part.rows
      let set: SQLFragment = "(\(rows.distinct)) m"
      switch part.sort {
      case nil: selects.append("SELECT m.pk AS pk, NULL AS key FROM \(set)")
      case .column(let column, _):
        selects.append("SELECT m.pk AS pk, c.\(column) AS key FROM \(set) CROSS JOIN resource c ON c.pk = m.pk")
      case .key(let attribute, _, _):
        let org = search.organization.rawValue
        let keyed: SQLFragment = "key s WHERE s.org = \(org) AND s.attr = \(attribute) AND s.sort = 1"
        selects.append(
          "SELECT s.resource AS pk, s.key AS key FROM \(keyed) AND +s.resource IN (\(rows.select))")
        selects.append("SELECT m.pk AS pk, NULL AS key FROM \(set) WHERE m.pk NOT IN (SELECT s.resource FROM \(keyed))")
      }
    }
    let condition = after.map { Self.condition(after: $0, isNumber: isNumber, isDescending: search.isDescending) }
    let order: SQLFragment =
      search.isDescending ? "key IS NOT NULL, key DESC, pk" : "key IS NULL, key, pk"
    return
      "SELECT pk, key FROM (\(selects.unionAll)) WHERE \(condition ?? "1") ORDER BY \(order) LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
  }

  private var isNumber: Bool {
    search.parts.contains { if case .column(_, isNumber: true) = $0.sort { true } else { false } }
  }

  private static func condition(
    after position: CursorPosition, isNumber: Bool, isDescending: Bool
  ) -> SQLFragment {
    guard let key = position.key else {
      return isDescending
        ? "(key IS NOT NULL OR pk > \(position.handle))" : "(key IS NULL AND pk > \(position.handle))"
    }
    let bound: SQLFragment = isNumber ? "\(Int64(key) ?? 0)" : "\(key)"
    return isDescending
      ? "(key < \(bound) OR (key = \(bound) AND pk > \(position.handle)))"
      : "(key > \(bound) OR (key = \(bound) AND pk > \(position.handle)) OR key IS NULL)"
  }
}
