/// The secret part of a bearer key: what a client sends, shown once and kept only as a digest.
public enum APIKeySecret {
  /// What every generated secret begins with, so that people and secret scanners can tell what they are looking at.
  public static let prefix = "rst_"

  /// Makes a secret with 256 random bits: the prefix and 43 characters of base64url (RFC 4648 section 5), unpadded.
  public static func generate() -> String {
    prefix + base64URL(RandomBytes.make(count: 32))
  }

  /// Base64url without padding.
  static func base64URL(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var bits: UInt32 = 0
    var pending = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      pending += 8
      while pending >= 6 {
        pending -= 6
        text.append(alphabet[Int(bits >> UInt32(pending) & 0x3F)])
      }
    }
    if pending > 0 { text.append(alphabet[Int(bits << UInt32(6 - pending) & 0x3F)]) }
    return String(decoding: text, as: UTF8.self)
  }
}
