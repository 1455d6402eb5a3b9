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
    case (.string, .string), (.reference, .string), (.boolean, .bool), (.integer, .integer), (.decimal, .integer),
      (.decimal, .double):
      value
    case (.dateTime, .string(let text)): Timestamp(parsing: text) == nil ? none : value
    case (.binary, .string(let text)): isBase64(text) ? value : none
    case (.boolean, .string(let text)) where isLenient: boolean(text).map(JSON.bool)
    case (.integer, .string(let text)) where isLenient: isNumber(text) ? Int64(text).map(JSON.integer) : none
    case (.decimal, .string(let text)) where isLenient: decimal(text)
    default: none
    }
  }

  /// What an error says that a value of the type should have been.
  static func expectation(_ type: AttributeDefinition.DataType) -> String {
    switch type {
    case .string: "a string"
    case .boolean: "a boolean"
    case .decimal: "a number"
    case .integer: "an integer"
    case .dateTime: "a dateTime such as 2026-01-31T09:30:00Z"
    case .binary: "base64 text"
    case .reference: "a URI as a string"
    case .complex: "an object"
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    if ASCII.equalIgnoringCase(text, "true") { return true }
    return ASCII.equalIgnoringCase(text, "false") ? false : nil
  }

  private static func decimal(_ text: String) -> JSON? {
    guard isNumber(text) else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else { return nil }
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
