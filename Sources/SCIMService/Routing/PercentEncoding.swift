/// Percent-decoding of paths and query strings (RFC 3986 section 2.1), once and into valid UTF-8 or not at all.
enum PercentEncoding {
  /// The text with its percent triplets decoded; nil where a triplet is broken, or the result holds a NUL or is no
  /// UTF-8.
  ///
  /// - Parameter plusIsBlank: true in query strings, where `+` stands for a blank.
  static func decode(_ source: UnsafeBufferPointer<UInt8>, plusIsBlank: Bool) -> String? {
    let isPlain = source.allSatisfy { $0 != UInt8(ascii: "%") && !(plusIsBlank && $0 == UInt8(ascii: "+")) }
    if isPlain { return String(validating: source, as: UTF8.self) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: source.count) { bytes in
      var count = 0
      var index = 0
      while index < source.count {
        var byte = source[index]
        index += 1
        if byte == UInt8(ascii: "%") {
          guard index + 1 < source.count, let high = hexDigit(source[index]), let low = hexDigit(source[index + 1])
          else { return nil }
          index += 2
          byte = high << 4 | low
          guard byte != 0 else { return nil }
        } else if plusIsBlank, byte == UInt8(ascii: "+") {
          byte = UInt8(ascii: " ")
        }
        bytes.initializeElement(at: count, to: byte)
        count += 1
      }
      return String(validating: UnsafeBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
    }
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
