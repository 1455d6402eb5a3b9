/// One segment of a URI's path (RFC 3986 section 3.3).
enum URISegment {
  /// Appends the text with all bytes percent-encoded that are not unreserved; what is left needs no escapes in JSON.
  static func append(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
    for byte in text {
      if isUnreserved(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(hexDigit(byte >> 4))
        output.append(hexDigit(byte & 15))
      }
    }
  }

  static func encoded(_ text: String) -> String {
    if text.utf8.allSatisfy(isUnreserved) { return text }
    var bytes: [UInt8] = []
    append(text.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Letters, digits and `-._~`.
  @inline(__always)
  static func isUnreserved(_ byte: UInt8) -> Bool {
    // A bit for each: - . and 0-9 below 64; A-Z _ a-z ~ above.
    let low: UInt64 = 0x03FF_6000_0000_0000
    let high: UInt64 = 0x47FF_FFFE_87FF_FFFE
    return byte < 128 && ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 == 1
  }

  /// 1 for letters, digits and `-`, which the ids are made of that the server gives; else 0. Without a branch.
  @inline(__always)
  static func isWordOrDash(_ byte: UInt8) -> UInt8 {
    let letter: UInt8 = (byte | 0x20) &- UInt8(ascii: "a") < 26 ? 1 : 0
    let digit: UInt8 = byte &- UInt8(ascii: "0") < 10 ? 1 : 0
    let dash: UInt8 = byte == UInt8(ascii: "-") ? 1 : 0
    return letter | digit | dash
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
