/// A table for people: columns as wide as their widest cell, two blanks between them.
///
/// A cell shows no more than `maximumWidth` columns of its text, so that one long value does not push the others out of
/// sight, and on a terminal the columns share its width; JSON has all of it.
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
  ///
  /// - Parameter width: the columns of the terminal; nil where lines may have any length.
  func text(hasStyle: Bool, width: Int? = nil) -> String {
    var titles = columns.map(\.title)
    var cells = rows.map { row in row.map(Self.shown) }
    var widths = columns.indices.map { column in
      ([titles] + cells).map { $0.indices.contains(column) ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
    }
    if let width, fit(&widths, to: width) {
      func cut(_ row: [String]) -> [String] { zip(row, widths).map { DisplayWidth.shortened($0, to: $1) } }
      titles = cut(titles)
      cells = cells.map(cut)
    }
    var text = hasStyle ? "\u{1B}[1m\(line(titles, widths))\u{1B}[0m\n" : line(titles, widths) + "\n"
    for row in cells { text += line(row, widths) + "\n" }
    return text
  }

  /// Takes columns from the widest until a line fits. An id is of no use in part and a number wrong, so that these are
  /// the last to be cut. Returns true where something is cut.
  private func fit(_ widths: inout [Int], to width: Int) -> Bool {
    var excess = widths.reduce(0, +) + 2 * (columns.count - 1) - width
    guard excess > 0 else { return false }
    let text = columns.indices.filter { !columns[$0].isTrailing && !columns[$0].title.hasSuffix("ID") }
    for (indices, least) in [(text, 12), (text, 5), (Array(columns.indices), 5)] {
      while excess > 0, let widest = indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > least {
        widths[widest] -= 1
        excess -= 1
      }
    }
    return true
  }

  private static func shown(_ text: String) -> String {
    DisplayWidth.shortened(DisplayWidth.printable(text), to: maximumWidth)
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in row.enumerated() where index < columns.count {
      let padding = String(repeating: " ", count: max(widths[index] - DisplayWidth.of(cell), 0))
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
