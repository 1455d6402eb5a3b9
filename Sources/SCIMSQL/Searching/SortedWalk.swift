import SCIMCore

/// Walks the resources of a type in the order of an indexed attribute: first those that have it, as the index has them,
/// then those without; the other way round when descending. A page costs its own length, and what it skips: what comes
/// before it and what does not match.
struct SortedWalk {
  let search: Search
  let part: SearchPart
  let attribute: Int64
  /// True where no resource lacks the attribute.
  let isRequired: Bool
  let isDescending: Bool

  func positions(
    after: CursorPosition?, offset: Int, limit: Int, total: () throws(SCIMError) -> Int
  ) throws(SCIMError) -> [CursorPosition] {
    if isRequired { return try search.read(keyed(after: after, offset: offset, limit: limit)) }
    let isKeyed = after.map { $0.key != nil } ?? !isDescending
    let beginsWithKeyed = !isDescending
    var found: [CursorPosition] = []
    var skipped = 0
    if isDescending, after == nil {
      // Mostly few or none lack the attribute, which two counts tell faster than looking for them.
      let missingCount = try total() - keyedCount()
      if missingCount <= offset {
        return try search.read(keyed(after: nil, offset: offset - missingCount, limit: limit))
      }
    }
    if isKeyed == beginsWithKeyed {
      // In the first of the two stretches.
      found = try search.read(
        beginsWithKeyed
          ? keyed(after: after, offset: offset, limit: limit) : missing(after: after, offset: offset, limit: limit))
      if found.count >= limit { return found }
      if offset > 0, found.isEmpty {
        let keyedCount = try keyedCount()
        skipped = beginsWithKeyed ? keyedCount : try total() - keyedCount
      } else {
        skipped = offset
      }
    }
    // What is left of the page is in the second, from its beginning or behind a cursor in it.
    let rest = limit - found.count
    let isInSecond = isKeyed != beginsWithKeyed
    let start = isInSecond ? offset : max(offset - skipped, 0)
    let position = isInSecond ? after : nil
    found += try search.read(
      beginsWithKeyed
        ? missing(after: position, offset: start, limit: rest) : keyed(after: position, offset: start, limit: rest))
    return found
  }

  private var org: Int64 { search.organization.rawValue }

  private func keyedCount() throws(SCIMError) -> Int {
    let statement = try search.reader.statements.get(
      "SELECT count(*) FROM key k WHERE k.org = \(org) AND k.attr = \(attribute) AND k.sort = 1\(isMatch)")
    return try Int(statement.first { $0.integer(0) } ?? 0)
  }

  private var isMatch: SQLFragment {
    part.isAll ? "" : " AND +k.resource IN (\(part.rows.select))"
  }

  private func keyed(after: CursorPosition?, offset: Int, limit: Int) -> SQLFragment {
    var condition: SQLFragment = ""
    if let after, let key = after.key {
      // The first condition is what the index can begin with.
      condition =
        isDescending
        ? " AND k.key <= \(key) AND (k.key < \(key) OR k.resource > \(after.handle))"
        : " AND k.key >= \(key) AND (k.key > \(key) OR k.resource > \(after.handle))"
    }
    let order: SQLFragment = isDescending ? "k.key DESC, k.resource" : "k.key, k.resource"
    return
      "SELECT k.resource, k.key FROM key k WHERE k.org = \(org) AND k.attr = \(attribute) AND k.sort = 1\(condition)\(isMatch) ORDER BY \(order) LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
  }

  private func missing(after: CursorPosition?, offset: Int, limit: Int) -> SQLFragment {
    let condition: SQLFragment = if let after { " AND m.pk > \(after.handle)" } else { "" }
    return
      "SELECT m.pk, NULL FROM (\(part.rows.distinct)) m WHERE m.pk NOT IN (SELECT s.resource FROM key s WHERE s.org = \(org) AND s.attr = \(attribute) AND s.sort = 1)\(condition) ORDER BY m.pk LIMIT \(Int64(limit)) OFFSET \(Int64(offset))"
  }
}
