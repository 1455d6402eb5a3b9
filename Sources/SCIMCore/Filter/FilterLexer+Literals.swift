extension FilterLexer {
  /// Takes the value of a comparison: a JSON string, number, `true`, `false` or `null`; lenient also a single-quoted
  /// string (in which a doubled quote is one) and an unquoted word.
  mutating func literal() throws(SCIMError) -> Filter.Located<Filter.Literal> {
    let start = index
    let value: Filter.Literal
    switch next {
    case UInt8(ascii: "\""): value = .string(try quotedString())
    case UInt8(ascii: "'") where isLenient: value = .string(try singleQuotedString())
    default: value = try word()
    }
    return Filter.Located(value, at: position(of: start))
  }

  private mutating func quotedString() throws(SCIMError) -> String {
    let start = index
    var at = start + 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < bytes.count else { throw expected("the closing quote of the text that begins here", at: start) }
    index = at + 1
    return try jsonString(Array(bytes[start...at])) { start + $0 }
  }

  /// A single-quoted string is rewritten as the JSON string that says the same.
  private mutating func singleQuotedString() throws(SCIMError) -> String {
    let quote = UInt8(ascii: "'")
    let start = index
    var json = [UInt8(ascii: "\"")]
    var at = start + 1
    while at < bytes.count {
      let byte = bytes[at]
      let following = at + 1 < bytes.count ? bytes[at + 1] : nil
      switch (byte, following) {
      case (quote, quote), (UInt8(ascii: "\\"), quote):
        json.append(quote)
        at += 2
      case (UInt8(ascii: "\\"), let escaped?):
        json.append(contentsOf: [byte, escaped])
        at += 2
      case (quote, _):
        index = at + 1
        json.append(UInt8(ascii: "\""))
        return try jsonString(json) { _ in start }
      case (UInt8(ascii: "\""), _):
        json.append(contentsOf: [UInt8(ascii: "\\"), byte])
        at += 1
      default:
        json.append(byte)
        at += 1
      }
    }
    throw expected("the closing quote of the text that begins here", at: start)
  }

  /// Decodes a JSON string, quotes included; `place` gives the byte of the filter for an offset in it.
  private mutating func jsonString(_ json: [UInt8], place: (Int) -> Int) throws(SCIMError) -> String {
    do throws(JSONError) {
      guard case .string(let text) = try JSON(parsing: json) else { throw JSONError(.unexpectedByte, at: 0) }
      return text
    } catch {
      throw .invalidFilter(at: position(of: min(place(error.offset), bytes.count)), error.reason)
    }
  }

  private mutating func word() throws(SCIMError) -> Filter.Literal {
    let what = isLenient ? "a value" : "a value (a JSON string, a number, true, false or null)"
    let start = index
    while let byte = next, Self.isPartOfWord(byte) { index += 1 }
    let bytes = Array(self.bytes[start..<index])
    guard !bytes.isEmpty else { throw expected(what, at: start) }
    if let literal = Filter.Literal(json: bytes) { return literal }
    let text = String(decoding: bytes, as: UTF8.self)
    // With these a value was left out, and the next condition would be taken for it.
    guard isLenient, !["and", "or", "not"].contains(ASCII.lowercase(text)) else { throw expected(what, at: start) }
    return .string(text)
  }

  /// A word ends at a blank, a control character, or a sign of the filter's own.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F: false
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""): false
    default: true
    }
  }
}

extension Filter.Literal {
  /// The number, `true`, `false` or `null` that the word is in JSON; nil for all else.
  init?(json word: [UInt8]) {
    do throws(JSONError) {
      switch try JSON(parsing: word) {
      case .bool(let value): self = .boolean(value)
      case .null: self = .null
      case .integer, .double: self = .number(String(decoding: word, as: UTF8.self))
      default: return nil
      }
    } catch {
      // A number that JSON values cannot hold is one all the same; its attribute's type decides.
      guard error.kind == .numberOutOfRange else { return nil }
      self = .number(String(decoding: word, as: UTF8.self))
    }
  }
}
