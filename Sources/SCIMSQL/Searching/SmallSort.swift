import SCIMCore

/// Sorts few resources by what their documents say: the index by an attribute would be read whole for them.
struct SmallSort {
  let search: Search

  /// Up to this many are sorted here.
  private static let maximum = 1000

  /// Those behind `after` and an offset; nil where there are too many.
  func positions(
    after: CursorPosition?, offset: Int, limit: Int
  ) throws(SCIMError) -> [CursorPosition]? {
    guard try isSmall() else { return nil }
    var positions: [CursorPosition] = []
    for part in search.parts {
      guard case .key(_, let path, _)? = part.sort else { return nil }
      let source: SQLFragment =
        "SELECT m.pk, r.doc FROM (\(part.rows.distinct)) m CROSS JOIN resource r ON r.pk = m.pk"
      try search.reader.statements.get(source).forEach { (row) throws(SCIMError) in
        let bytes = row.bytes(1)
        try search.reader.budget.take(ReadCost.row + ReadCost.parsing(bytes.count))
        let document = try SQLReader.object(bytes)
        positions.append(
          CursorPosition(
            key: DocumentIndex.sortKey(of: document, leaf: path, type: part.type), handle: row.integer(0)))
      }
    }
    positions.sort(by: precedes)
    if let after { positions.removeAll { !precedes(after, $0) } }
    return Array(positions.dropFirst(offset).prefix(limit))
  }

  private func isSmall() throws(SCIMError) -> Bool {
    var left = Int64(Self.maximum)
    for part in search.parts {
      guard case .key? = part.sort else { return false }
      left -=
        try search.reader.statements.get("SELECT count(*) FROM (\(part.rows.select) LIMIT \(left + 1))").first {
          $0.integer(0)
        } ?? 0
      if left < 0 { return false }
    }
    return true
  }

  /// As the SQL has it: without a key last, or first when descending; then by creation.
  private func precedes(_ left: CursorPosition, _ right: CursorPosition) -> Bool {
    switch (left.key, right.key) {
    case (nil, nil): return left.handle < right.handle
    case (nil, _): return search.isDescending
    case (_, nil): return !search.isDescending
    case (let one?, let other?):
      if one.utf8.elementsEqual(other.utf8) { return left.handle < right.handle }
      return one.utf8.lexicographicallyPrecedes(other.utf8) != search.isDescending
    }
  }
}
