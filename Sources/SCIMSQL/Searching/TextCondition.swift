import SCIMCore

/// Conditions on a column or an expression that holds text, compared byte by byte.
enum TextCondition {
  /// What `column op text` is in SQL, for every operator but `ne`.
  static func make(_ column: SQLFragment, _ comparison: ComparisonOperator, _ text: String) -> SQLFragment {
    switch comparison {
    case .eq, .ne: return "\(column) = \(text)"
    case .gt: return "\(column) > \(text)"
    case .ge: return "\(column) >= \(text)"
    case .lt: return "\(column) < \(text)"
    case .le: return "\(column) <= \(text)"
    case .co: return text.isEmpty ? "\(column) IS NOT NULL" : "instr(\(column), \(text)) > 0"
    case .ew:
      if text.isEmpty { return "\(column) IS NOT NULL" }
      // As blobs: of text, substr counts characters.
      return "substr(CAST(\(column) AS BLOB), \(-Int64(text.utf8.count))) = CAST(\(text) AS BLOB)"
    case .sw:
      if text.isEmpty { return "\(column) IS NOT NULL" }
      guard let end = end(ofPrefix: text) else { return "\(column) >= \(text)" }
      return "\(column) >= \(text) AND \(column) < \(end)"
    }
  }

  /// True where the text fulfils the comparison; for what is known without the database.
  static func holds(_ text: String, _ comparison: ComparisonOperator, _ operand: String) -> Bool {
    let left = Array(text.utf8)
    let right = Array(operand.utf8)
    switch comparison {
    case .eq, .ne: return left == right
    case .gt: return right.lexicographicallyPrecedes(left)
    case .ge: return !left.lexicographicallyPrecedes(right)
    case .lt: return left.lexicographicallyPrecedes(right)
    case .le: return !right.lexicographicallyPrecedes(left)
    case .sw: return left.starts(with: right)
    case .ew: return left.count >= right.count && left.suffix(right.count).elementsEqual(right)
    case .co:
      guard right.count <= left.count else { return false }
      return (0...(left.count - right.count)).contains { left[$0...].starts(with: right) }
    }
  }

  /// The least text behind all that begin with the prefix; nil where there is none.
  static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Behind U+D7FF come the surrogates, which are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        scalars.append(scalar)
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
      }
    }
    return nil
  }
}
