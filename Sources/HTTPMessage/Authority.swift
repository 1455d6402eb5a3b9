/// `host [":" port]`, as in a Host field, an absolute target, or what a proxy forwards.
public enum Authority {
  /// Whether the bytes are a host name or address, and a port up to 65535 or none; user information is refused.
  ///
  /// Of a name only the unreserved characters are taken. RFC 3986 section 3.2.2 also has percent signs and
  /// sub-delimiters, but no host is called so, and the name goes into the addresses that an answer holds.
  public static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = bytes.count
    var at = 0
    if count > 0, bytes[0] == UInt8(ascii: "[") {
      at = 1
      while at < count, isAddress(bytes[at]) { at += 1 }
      guard at > 2, at < count, bytes[at] == UInt8(ascii: "]") else { return false }
      at += 1
    } else {
      while at < count, isName(bytes[at]) { at += 1 }
      guard at > 0 else { return false }
    }
    if at == count { return true }
    guard bytes[at] == UInt8(ascii: ":"), count - at <= 6 else { return false }
    var port = 0
    for i in at + 1..<count {
      guard bytes[i] &- 0x30 < 10 else { return false }
      port = port * 10 + Int(bytes[i] &- 0x30)
    }
    return port <= 65535
  }

  /// As for bytes.
  public static func isValid(_ text: String) -> Bool {
    var text = text
    return text.utf8.withContiguousStorageIfAvailable { isValid($0) } ?? text.withUTF8 { isValid($0) }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
    default: false
    }
  }
}
