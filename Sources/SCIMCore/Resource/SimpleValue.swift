/// Checks one simple value against a data type of RFC 7643 section 2.3.
enum SimpleValue {
  /// The value as it is stored; nil where it does not have the type.
  ///
  /// Text stays as sent, instants and base64 included. A number with a fraction or an exponent, such as 7.0, is no
  /// integer (RFC 7643 section 2.3.4). `isLenient` reads booleans and numbers from text.
  static func normalize(_ value: JSON, as type: AttributeDefinition.DataType, isLenient: Bool) -> JSON? {
    // A bare nil beside a JSON would be read as JSON's null.
    let none: JSON? = .none
    return switch (type, value) {
    case (.reference, .string) where isLenient: value
    case (.string, .string), (.boolean, .bool), (.integer, .integer), (.decimal, .integer),
      (.decimal, .double):
      value
    case (.reference, .string(let text)) where !isLenient: isURIReference(text) ? value : none
    case (.dateTime, .string(let text)): isDateTime(text, isLenient: isLenient) ? value : none
    case (.binary, .string(let text)): isBase64(text) ? value : none
    case (.boolean, .string(let text)) where isLenient: boolean(text).map(JSON.bool)
    case (.integer, .string(let text)) where isLenient: isNumber(text) ? Int64(text).map(JSON.integer) : none
    case (.decimal, .string(let text)) where isLenient: decimal(text)
    default: none
    }
  }

  /// What an error says that a value of the type must be.
  static func expectation(_ type: AttributeDefinition.DataType) -> String {
    switch type {
    case .string: "a string"
    case .boolean: "true or false"
    case .decimal: "a number"
    case .integer: "an integer"
    case .dateTime: "a dateTime such as 2026-01-31T09:30:00Z"
    case .binary: "base64 text"
    case .reference: "a URI as a string"
    case .complex: "an object"
    }
  }

  /// True for a date and time of xsd:dateTime; leniently also with a lower-case `t` and `z`, which RFC 3339 allows.
  private static func isDateTime(_ text: String, isLenient: Bool) -> Bool {
    Timestamp(parsing: text) != nil
      && (isLenient || !text.utf8.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") })
  }

  /// True for what RFC 3986 section 4.1 calls a URI reference, as far as its characters tell.
  private static func isURIReference(_ text: String) -> Bool {
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case _ where URISegment.isUnreserved(byte): continue
      case UInt8(ascii: "%"):
        guard bytes.prefix(2).count == 2, bytes.prefix(2).allSatisfy(isHexDigit) else { return false }
        bytes = bytes.dropFirst(2)
      default: guard ":/?#[]@!$&'()*+,;=".utf8.contains(byte) else { return false }
      }
    }
    return true
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

  private static func boolean(_ text: String) -> Bool? {
    if ASCII.equalIgnoringCase(text, "true") { return true }
    return ASCII.equalIgnoringCase(text, "false") ? false : nil
  }

  private static func decimal(_ text: String) -> JSON? {
    guard isNumber(text) else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    // As a number without quotes: one that would lose digits is none.
    guard case .double(let double)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
    return .double(double)
  }

  /// True where the text has only what numbers are written with; keeps out the hexadecimal and the named forms that
  /// the standard library reads as well.
  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "e"), UInt8(ascii: "E"):
          true
        default: false
        }
      }
  }

  /// True for the standard alphabet (RFC 4648 section 4); the padding may be left out (RFC 7643 section 2.3.6).
  static func isBase64(_ text: String) -> Bool {
    var digits = 0
    var padding = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        guard padding == 0 else { return false }
        digits += 1
      case UInt8(ascii: "="): padding += 1
      default: return false
      }
    }
    guard digits % 4 != 1 else { return false }
    return padding == 0 || (padding < 3 && (digits + padding) % 4 == 0)
  }
}
