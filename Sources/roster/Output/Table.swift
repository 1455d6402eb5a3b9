/// A table for people: columns as wide as their widest cell, two blanks between them.
///
/// A cell shows no more than `maximumWidth` columns of its text, so that one long value does not push the others out of
/// sight; JSON has all of it.
struct Table {
  static let maximumWidth = 80

  struct Column {
    var title: String
    /// True for numbers: their ends are aligned.
    var isTrailing = false
  }

  var columns: [Column]
  var rows: [[String]] = []

  init(_ titles: String..., trailing: Set<String> = []) {
    columns = titles.map { Column(title: $0, isTrailing: trailing.contains($0)) }
  }

  /// The lines of the table, each ended by a line break; the titles in bold where `hasStyle`.
  func text(hasStyle: Bool) -> String {
    let titles = columns.map(\.title)
    let cells = rows.map { row in row.map(Self.shown) }
    let widths = columns.indices.map { column in
      ([titles] + cells).map { $0.indices.contains(column) ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
    }
    var text = hasStyle ? "\u{1B}[1m\(line(titles, widths))\u{1B}[0m\n" : line(titles, widths) + "\n"
    for row in cells { text += line(row, widths) + "\n" }
    return text
  }

  private static func shown(_ text: String) -> String {
    DisplayWidth.shortened(DisplayWidth.printable(text), to: maximumWidth)
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in row.enumerated() where index < columns.count {
      let padding = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell))
      if index > 0 { line += "  " }
      if columns[index].isTrailing {
        line += padding + cell
      } else {
        line += cell + (index == row.count - 1 ? "" : padding)
      }
    }
    // Empty cells at the end leave blanks behind.
    while line.last == " " { line.removeLast() }
    return line
  }
}
