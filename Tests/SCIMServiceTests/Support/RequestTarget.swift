import Foundation

/// Request targets as clients write them.
enum RequestTarget {
  /// Percent-encodes what a target may not hold; reserved characters and percent signs stay, so that a test can choose.
  static func encode(_ target: String) -> String {
    let safe = Set("%/:?#[]@!$&'()*+,;=-._~\\".utf8)
    var encoded = ""
    for byte in target.utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      encoded += isPlain || safe.contains(byte) ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
    }
    return encoded
  }
}
