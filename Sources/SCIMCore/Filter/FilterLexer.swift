/// The words of a filter or a PATCH path, read one by one as the parser asks for them.
///
/// There is no list of tokens, since what a run of characters is depends on its place: `true` is a name in front of an
/// operator and a value behind it.
struct FilterLexer {
  let bytes: [UInt8]
  let isLenient: Bool
  /// The next byte to read.
  var index = 0
  /// The last byte whose position was asked for, with that position: positions are asked for in rising order.
  private var mark = (index: 0, position: 1)

  init(_ text: String, isLenient: Bool) {
    bytes = Array(text.utf8)
    self.isLenient = isLenient
  }

  var isAtEnd: Bool { index == bytes.count }

  /// The first blank that the grammar of RFC 7644 figure 1 does not have, quoted texts aside: at an end, beside another
  /// one, inside a bracket or in front of a square one; nil where there is none.
  func strayBlank() -> Int? {
    var isQuoted = false
    var previous: UInt8?
    for (at, byte) in bytes.enumerated() {
      if isQuoted {
        if byte == UInt8(ascii: "\""), previous != UInt8(ascii: "\\") { isQuoted = false }
        // Two backslashes are one that escapes nothing.
        previous = previous == UInt8(ascii: "\\") && byte == UInt8(ascii: "\\") ? nil : byte
        continue
      }
      if byte == UInt8(ascii: "\t") { return at }
      if byte == UInt8(ascii: " ") {
        let following = at + 1 < bytes.count ? bytes[at + 1] : nil
        let isInside = previous == UInt8(ascii: "(") || previous == UInt8(ascii: "[")
        let closes = following == UInt8(ascii: ")") || following == UInt8(ascii: "]") || following == UInt8(ascii: "[")
        if previous == nil || following == nil || previous == UInt8(ascii: " ") || isInside || closes { return at }
      }
      isQuoted = byte == UInt8(ascii: "\"")
      previous = byte
    }
    return nil
  }

  /// The next byte; nil at the end.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The character at that byte, counted in Unicode scalars from 1.
  mutating func position(of index: Int) -> Int {
    if index < mark.index { mark = (0, 1) }
    // A scalar is counted by the one byte of it that is no continuation byte.
    for byte in bytes[mark.index..<index] where byte & 0xC0 != 0x80 { mark.position += 1 }
    mark.index = index
    return mark.position
  }

  /// The error for something else standing at that byte, or at the next one.
  mutating func expected(_ what: String, at index: Int? = nil) -> SCIMError {
    let index = index ?? self.index
    let reason = index < bytes.count ? "expected \(what)" : "it ends where \(what) is expected"
    return .invalidFilter(at: position(of: index), reason)
  }

  /// True where the byte read last is a blank.
  var isBehindBlank: Bool { index > 0 && Self.isBlank(bytes[index - 1]) }

  /// Skips blanks and tells whether there were any.
  @discardableResult
  mutating func skipBlanks() -> Bool {
    let start = index
    while let byte = next, Self.isBlank(byte) { index += 1 }
    return index > start
  }

  /// Takes that byte where it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// Takes an attribute name, with URN and sub-attribute where it has them; nil where none begins here.
  ///
  /// Letters, digits, `$`, `-`, `_`, dots and colons; behind the first colon also the other signs that URIs have.
  mutating func name() -> Filter.Located<String>? {
    guard let first = next, Self.isLetter(first) || first == UInt8(ascii: "$") || first == UInt8(ascii: "_") else {
      return nil
    }
    let start = index
    skipName()
    return Filter.Located(String(decoding: bytes[start..<index], as: UTF8.self), at: position(of: start))
  }

  /// Takes the run of name characters that stands here, which may be empty; in lower case.
  mutating func keyword() -> String {
    let start = index
    skipName()
    // No keyword is longer than three letters; a long run is not worth its copy.
    return index - start > 3 ? "…" : String(decoding: bytes[start..<index].map(ASCII.lowercase), as: UTF8.self)
  }

  private mutating func skipName() {
    var isURN = false
    while let byte = next {
      switch byte {
      case _ where Self.isLetter(byte) || Self.isDigit(byte): break
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "$"): break
      case UInt8(ascii: ":"): isURN = true
      case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "~"), UInt8(ascii: "+"),
        UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: ","),
        UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "?"):
        if !isURN { return }
      default: return
      }
      index += 1
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
