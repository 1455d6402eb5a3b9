extension JSONParser {
  /// Reads a string; the index is at its opening quote.
  @inline(__always)
  mutating func string() throws(JSONError) -> String {
    let start = index + 1
    let span = try scanString()
    return try text(span, from: start)
  }

  /// Reads a member's name, with a fingerprint in which the case of ASCII letters does not count.
  @inline(__always)
  mutating func name() throws(JSONError) -> (String, UInt64) {
    let start = index + 1
    let span = try scanString()
    let text = try text(span, from: start)
    let fingerprint =
      span.hasEscapes
      ? unescaped.withUnsafeBytes { JSONNameSet.fingerprint($0) }
      : JSONNameSet.fingerprint(UnsafeRawBufferPointer(rebasing: bytes[start..<span.end]))
    return (text, fingerprint)
  }

  struct StringSpan {
    /// The offset of the closing quote.
    var end: Int
    var isASCII: Bool
    /// True when the text is in `unescaped` instead of between the quotes.
    var hasEscapes: Bool
  }

  private func text(_ span: StringSpan, from start: Int) throws(JSONError) -> String {
    if span.hasEscapes {
      // Escapes give whole characters, so the decoded bytes are valid exactly when the raw ones are.
      guard let text = String(validating: unescaped, as: UTF8.self) else {
        throw JSONError(.invalidUTF8, at: firstInvalid(from: start, to: span.end))
      }
      return text
    }
    let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<span.end])
    if span.isASCII { return String(decoding: raw, as: UTF8.self) }
    guard let text = raw.withMemoryRebound(to: UInt8.self, { String(validating: $0, as: UTF8.self) }) else {
      throw JSONError(.invalidUTF8, at: firstInvalid(from: start, to: span.end))
    }
    return text
  }

  /// Moves the index behind the closing quote.
  private mutating func scanString() throws(JSONError) -> StringSpan {
    let start = index + 1
    var at = start
    var seen: UInt8 = 0
    let stop = try scanRun(&at, &seen)
    if stop == UInt8(ascii: "\"") {
      index = at + 1
      return StringSpan(end: at, isASCII: seen < 0x80, hasEscapes: false)
    }
    return try scanEscapes(from: start, firstEscape: at)
  }

  /// Advances to the next quote or backslash and returns it; every byte passed is ORed into `seen`.
  @inline(__always)
  private func scanRun(_ at: inout Int, _ seen: inout UInt8) throws(JSONError) -> UInt8 {
    // Eight bytes at once: the lowest marked byte is the first quote, backslash or control character. Marks above it
    // may be false (a borrow), so only the lowest one counts.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var high: UInt64 = 0
    while at + 8 <= count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let marks =
        (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)) & tops
      // With a mark, only the bytes below it belong to the string; without one, all do.
      high |= word & ((marks & (0 &- marks)) &- 1)
      if marks != 0 {
        at += marks.trailingZeroBitCount >> 3
        break
      }
      at += 8
    }
    if high & tops != 0 { seen |= 0x80 }
    while at < count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return byte }
      if byte < 0x20 { throw JSONError(.controlCharacter, at: at) }
      seen |= byte
      at += 1
    }
    throw JSONError(.unexpectedEnd, at: count)
  }

  @inline(never)
  private mutating func scanEscapes(from start: Int, firstEscape: Int) throws(JSONError) -> StringSpan {
    unescaped.removeAll(keepingCapacity: true)
    var runStart = start
    var at = firstEscape
    var seen: UInt8 = 0
    while true {
      unescaped.append(contentsOf: bytes[runStart..<at])
      guard bytes[at] == UInt8(ascii: "\\") else { break }
      at = try escape(at)
      runStart = at
      _ = try scanRun(&at, &seen)
    }
    index = at + 1
    return StringSpan(end: at, isASCII: false, hasEscapes: true)
  }

  /// Decodes the escape at that offset into `unescaped` and returns the offset behind it.
  private mutating func escape(_ at: Int) throws(JSONError) -> Int {
    guard at + 1 < count else { throw JSONError(.unexpectedEnd, at: count) }
    switch bytes[at + 1] {
    case UInt8(ascii: "\""): unescaped.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): unescaped.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): unescaped.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): return try unicodeEscape(at)
    default: throw JSONError(.invalidEscape, at: at)
    }
    return at + 2
  }

  private mutating func unicodeEscape(_ at: Int) throws(JSONError) -> Int {
    let first = try codeUnit(at)
    if let scalar = Unicode.Scalar(first) {
      unescaped.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
      return at + 6
    }
    guard first < 0xDC00, at + 7 < count, bytes[at + 6] == UInt8(ascii: "\\"), bytes[at + 7] == UInt8(ascii: "u")
    else { throw JSONError(.loneSurrogate, at: at) }
    let second = try codeUnit(at + 6)
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw JSONError(.loneSurrogate, at: at) }
    unescaped.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
    return at + 12
  }

  /// The four hexadecimal digits of the `\u` at that offset.
  private func codeUnit(_ at: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for position in at + 2..<at + 6 {
      guard position < count else { throw JSONError(.unexpectedEnd, at: count) }
      let digit: UInt8
      switch bytes[position] {
      case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: digit = byte - UInt8(ascii: "0")
      case let byte where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte: digit = byte - UInt8(ascii: "a") + 10
      case let byte where UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte: digit = byte - UInt8(ascii: "A") + 10
      default: throw JSONError(.invalidEscape, at: at)
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// The first byte in the range that is no part of well-formed UTF-8 (Unicode table 3-7).
  private func firstInvalid(from start: Int, to end: Int) -> Int {
    var at = start
    while at < end {
      let lead = bytes[at]
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0...0x7F: length = 1
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF:
        length = 3
        if lead == 0xE0 { second = 0xA0...0xBF }
        if lead == 0xED { second = 0x80...0x9F }
      case 0xF0...0xF4:
        length = 4
        if lead == 0xF0 { second = 0x90...0xBF }
        if lead == 0xF4 { second = 0x80...0x8F }
      default: return at
      }
      guard at + length <= end else { return at }
      for position in 1..<max(length, 1) {
        let allowed = position == 1 ? second : 0x80...0xBF
        guard allowed ~= bytes[at + position] else { return at }
      }
      at += length
    }
    return start
  }
}
