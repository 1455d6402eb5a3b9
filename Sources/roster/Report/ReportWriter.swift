import SCIMCore

/// How a report is written.
enum ReportFormat: String, CaseIterable {
  /// For people: at most `ReportWriter.tableLimit` rows.
  case table
  case csv
  /// One array, an object on each line.
  case json
}

/// Writes the rows of a report, one at a time, in any of the formats.
final class ReportWriter {
  /// A table is as wide as its widest cell, so its rows are kept until the end: no more than these.
  static let tableLimit = 1000

  private let columns: [String]
  private let format: ReportFormat
  private let csv: CSV
  private let output: ReportOutput
  private let hasStyle: Bool
  private let isTerminal: Bool
  private let width: Int?
  private var table = Table()
  private(set) var rows = 0

  /// - Parameters:
  ///   - columns: the names of the cells, as CSV's first record and JSON's members have them.
  ///   - numbers: those of them that hold numbers.
  init(
    columns: [String], numbers: Set<String> = [], format: ReportFormat, csv: CSV, output: ReportOutput, hasStyle: Bool
  ) throws(CommandFailure) {
    self.columns = columns
    self.format = format
    self.csv = csv
    self.output = output
    self.hasStyle = hasStyle
    isTerminal = output.isTerminal
    width = output.isTerminal ? Console.output.width : nil
    switch format {
    case .table:
      table.columns = columns.map { Table.Column(title: Self.title($0), isTrailing: numbers.contains($0)) }
    case .csv:
      try output.append { bytes in
        bytes.append(contentsOf: csv.preamble)
        csv.append(columns, to: &bytes)
      }
    case .json: break
    }
  }

  /// True where a row was left out, as all further ones will be.
  private(set) var isFull = false

  /// Writes a row: a value for each column. Leaves it out where a table has all the rows that it may have.
  func write(_ values: [ReportValue]) throws(CommandFailure) {
    guard format != .table || rows < Self.tableLimit else {
      isFull = true
      return
    }
    rows += 1
    switch format {
    case .table: table.rows.append(values.map(\.text))
    case .csv:
      // CSV has no escapes; a file or a pipe gets what is stored.
      try output.append {
        csv.append(values.lazy.map { self.isTerminal ? DisplayWidth.printable($0.text) : $0.text }, to: &$0)
      }
    case .json: try output.append { append(values, to: &$0) }
    }
  }

  /// Writes what ends the report, and what is left of it.
  func finish() throws(CommandFailure) {
    switch format {
    case .table: try output.append { $0.append(contentsOf: table.text(hasStyle: hasStyle, width: width).utf8) }
    case .csv: break
    case .json: try output.append { $0.append(contentsOf: (rows == 0 ? "[]\n" : "\n]\n").utf8) }
    }
    try output.finish()
  }

  private func append(_ values: [ReportValue], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: (rows == 1 ? "[\n{" : ",\n{").utf8)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.appendString(columns[index], to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      switch value {
      case .text(let text): append(text, to: &bytes)
      case .number, .flag: bytes.append(contentsOf: value.text.utf8)
      case .none: bytes.append(contentsOf: "null".utf8)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    if text.utf8.allSatisfy({ $0 < 0x7F }) { return JSON.appendString(text, to: &bytes) }
    let json = String(decoding: JSON.string(text).encoded(), as: UTF8.self)
    bytes.append(contentsOf: DisplayWidth.escaped(json).utf8)
  }

  /// `viaDisplay` as `VIA DISPLAY`.
  private static func title(_ column: String) -> String {
    column.reduce(into: "") { title, letter in
      title += letter.isUppercase ? " " + String(letter) : letter.uppercased()
    }
  }
}
