/// How many columns text takes in a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    var width = 0
    for scalar in text.unicodeScalars { width += columns(of: scalar) }
    return width
  }

  /// 0 for marks that stand on the letter before and for invisible characters, 2 for wide East Asian letters and
  /// pictures (Unicode Standard Annex 11), else 1.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615, 0x2E80...0x303E,
    0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  /// The text without control characters and without invisible ones that turn the direction of writing: what others
  /// have stored must not steer the terminal of the one who looks at it.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isUnprintable(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  /// Lines of text with these characters as the escapes of JSON: `\u009B` for the one that begins a terminal's command.
  /// JSON says the same with them; it has no raw control characters itself but the line breaks between its lines.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isUnprintable($0) && $0 != "\n" }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard isUnprintable(scalar), scalar != "\n" else {
        result.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
    }
    return String(result)
  }

  /// The text where it takes no more than so many columns, else its beginning with an ellipsis.
  static func shortened(_ text: String, to columns: Int) -> String {
    // What has no more bytes has no more columns.
    guard text.utf8.count > columns, of(text) > columns else { return text }
    var result = String.UnicodeScalarView()
    var width = 0
    for scalar in text.unicodeScalars {
      width += self.columns(of: scalar)
      if width >= columns { break }
      result.append(scalar)
    }
    return String(result) + "…"
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
