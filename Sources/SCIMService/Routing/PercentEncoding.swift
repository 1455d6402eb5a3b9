/// Percent-decoding of paths and query strings (RFC 3986 section 2.1), once and into valid UTF-8 or not at all.
enum PercentEncoding {
  /// The text with its percent triplets decoded; nil where a triplet is broken, or the result holds a NUL or is no
  /// UTF-8.
  ///
  /// - Parameter plusIsBlank: true in query strings, where `+` stands for a blank.
  static func decode(_ text: Substring, plusIsBlank: Bool) -> String? {
    let source = text.utf8
    guard source.contains(where: { $0 == UInt8(ascii: "%") || (plusIsBlank && $0 == UInt8(ascii: "+")) }) else {
      return String(text)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var index = source.startIndex
    while index < source.endIndex {
      let byte = source[index]
      source.formIndex(after: &index)
      switch byte {
      case UInt8(ascii: "%"):
        guard index < source.endIndex, let high = hexDigit(source[index]) else { return nil }
        source.formIndex(after: &index)
        guard index < source.endIndex, let low = hexDigit(source[index]) else { return nil }
        source.formIndex(after: &index)
        let decoded = high << 4 | low
        guard decoded != 0 else { return nil }
        bytes.append(decoded)
      case UInt8(ascii: "+") where plusIsBlank:
        bytes.append(UInt8(ascii: " "))
      default:
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
