/// Comma-separated values (RFC 4180): CRLF behind each record, a cell in quotes where it holds a comma, a quote or a
/// line break.
struct CSV {
  /// For programs that calculate: begins with a byte order mark, by which they know UTF-8, and puts an apostrophe before
  /// cells that they would take for formulas.
  var isForSpreadsheets = false

  /// What stands before the first record.
  var preamble: [UInt8] { isForSpreadsheets ? [0xEF, 0xBB, 0xBF] : [] }

  /// Appends one record.
  func append(_ cells: some Sequence<String>, to output: inout [UInt8]) {
    var isFirst = true
    for cell in cells {
      if isFirst { isFirst = false } else { output.append(UInt8(ascii: ",")) }
      append(cell, to: &output)
    }
    output.append(UInt8(ascii: "\r"))
    output.append(UInt8(ascii: "\n"))
  }

  private func append(_ cell: String, to output: inout [UInt8]) {
    var cell = cell
    if isForSpreadsheets, Self.isFormula(cell) { cell = "'" + cell }
    cell.withUTF8 { bytes in
      guard bytes.contains(where: Self.needsQuotes) else { return output.append(contentsOf: bytes) }
      output.append(UInt8(ascii: "\""))
      for byte in bytes {
        if byte == UInt8(ascii: "\"") { output.append(byte) }
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }

  /// The beginnings that OWASP names (CSV injection), and their full-width forms.
  private static func isFormula(_ cell: String) -> Bool {
    guard let first = cell.unicodeScalars.first else { return false }
    return "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
  }
}
