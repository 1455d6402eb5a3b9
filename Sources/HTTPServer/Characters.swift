/// The character classes of RFC 9110 section 5.6 and RFC 3986, each as a bit set over ASCII.
enum Characters {
  /// `tchar`: what a method or a field name may hold.
  @inline(__always)
  static func isToken(_ c: UInt8) -> Bool {
    // Bits of ! # $ % & ' * + - . and 0-9; then A-Z ^ _ ` a-z | ~.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return c < 128 && ((c < 64 ? low : high) >> UInt64(c & 63)) & 1 == 1
  }

  @inline(__always)
  static func isDigit(_ c: UInt8) -> Bool { c &- 0x30 < 10 }

  @inline(__always)
  static func isAlphanumeric(_ c: UInt8) -> Bool { isDigit(c) || (c | 0x20) &- 0x61 < 26 }

  /// The value of a hexadecimal digit; nil for anything else.
  @inline(__always)
  static func hexadecimal(_ c: UInt8) -> UInt8? {
    if isDigit(c) { return c &- 0x30 }
    let letter = (c | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }

  /// Whether a byte may not stand in a field value: controls but the tab (RFC 9110 section 5.5).
  @inline(__always)
  static func isBarredFromValue(_ c: UInt8) -> Bool { (c < 0x20 && c != 0x09) || c == 0x7F }

  @inline(__always)
  static func isBlank(_ c: UInt8) -> Bool { c == 0x20 || c == 0x09 }

  /// Whether `bytes` spell `text`, which must be in lower case and of letters, digits and hyphens, in any letter case.
  @inline(__always)
  static func equal(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let expected = text.utf8Start
    for i in 0..<count {
      let c = bytes[i]
      guard (c &- 0x41 < 26 ? c | 0x20 : c) == expected[i] else { return false }
    }
    return true
  }
}
