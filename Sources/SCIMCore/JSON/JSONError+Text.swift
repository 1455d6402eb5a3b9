extension JSONError {
  /// So many bytes around the place are looked at.
  private static let lookBack = 256
  private static let lookAhead = 400
  private static let shownCharacters = 80

  /// The reason in words with what stands at the place: the character, the common mistake that it is of, or the name that
  /// is given twice. Of values there is never more than one character, since errors are logged.
  ///
  /// - Parameter text: the text that was parsed.
  public func reason(in text: some RandomAccessCollection<UInt8>) -> String {
    let before = Array(text.prefix(max(offset, 0)).suffix(Self.lookBack))
    let after = Array(text.dropFirst(max(offset, 0)).prefix(Self.lookAhead))
    guard let first = after.first else { return reason }
    switch kind {
    case .unexpectedByte:
      return Self.commonMistake(after, behind: before) ?? "the character \(Self.character(after)) is not allowed here"
    case .trailingContent:
      return Self.isComment(after)
        ? Self.comment : "content after the JSON value, from the character \(Self.character(after)) on"
    case .controlCharacter where first < 0x20:
      return "the control character \(Self.character(after)) in a string must be escaped"
    case .duplicateName:
      return Self.name(after).map { "an object names the member '\($0)' twice" } ?? reason
    default: return reason
    }
  }

  private static let comment = "a comment, which JSON does not have"

  private static func isComment(_ after: [UInt8]) -> Bool {
    after.first == UInt8(ascii: "#") || after.starts(with: "//".utf8) || after.starts(with: "/*".utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// What a byte that cannot stand there is of, where that is plain.
  private static func commonMistake(_ after: [UInt8], behind before: [UInt8]) -> String? {
    guard let byte = after.first else { return nil }
    let last = before.last { !isBlank($0) }
    if isComment(after) { return comment }
    switch byte {
    case UInt8(ascii: "}") where last == UInt8(ascii: ","), UInt8(ascii: "]") where last == UInt8(ascii: ","):
      return "a comma in front of \(character(after))"
    case UInt8(ascii: "'"): return "a single quote; JSON has double quotes"
    case 0xE2 where after.count > 2 && after[1] == 0x80 && (0x98...0x9F).contains(after[2]):
      return "a typographic quote; JSON has straight double quotes"
    default: break
    }
    let word = after.prefix { $0 == UInt8(ascii: "_") || isDigit($0) || ($0 | 0x20) &- 0x61 < 26 }
    if !word.isEmpty, !isDigit(byte) {
      let text = String(decoding: word, as: UTF8.self)
      let known = [
        "True": "true", "False": "false", "None": "null", "undefined": "null", "TRUE": "true", "FALSE": "false",
      ]
      if let meant = known[text] { return "'\(text)' is written \(meant)" }
      if text == "NaN" || text == "Infinity" { return "'\(text)' is no number of JSON" }
      if after.dropFirst(word.count).first(where: { !isBlank($0) }) == UInt8(ascii: ":"),
        last == UInt8(ascii: "{") || last == UInt8(ascii: ",")
      {
        return "a name must stand in double quotes"
      }
    }
    return missingSeparator(byte, behind: before).map { "\($0) is missing in front of \(character(after))" }
  }

  /// What is missing between a value, or a name, and the beginning of a value.
  private static func missingSeparator(_ byte: UInt8, behind before: [UInt8]) -> String? {
    let isNumber = (isDigit(byte) || byte == UInt8(ascii: "-")) && before.last.map(isBlank) == true
    guard "\"{[".utf8.contains(byte) || isNumber, let last = before.last(where: { !isBlank($0) }) else { return nil }
    if last == UInt8(ascii: "\"") { return "a comma or a colon" }
    return "}]".utf8.contains(last) || isDigit(last) || (last | 0x20) &- 0x61 < 26 ? "a comma" : nil
  }

  /// The character at the beginning in quotes, or its number where it cannot be shown.
  private static func character(_ bytes: [UInt8]) -> String {
    guard let scalar = String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first, scalar != "\u{FFFD}"
    else {
      return bytes.first.map { "0x" + String($0, radix: 16, uppercase: true) } ?? ""
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate, .nonspacingMark:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(scalar)'"
    }
  }

  /// The name at the beginning as it is written there, its escapes too; the first part of one that is long.
  private static func name(_ bytes: [UInt8]) -> String? {
    guard bytes.first == UInt8(ascii: "\"") else { return nil }
    var end = 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    let text = String(decoding: bytes[1..<min(end, bytes.count)], as: UTF8.self)
    guard end >= bytes.count || text.unicodeScalars.count > shownCharacters else { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.prefix(shownCharacters))
    return String(scalars) + "…"
  }
}
