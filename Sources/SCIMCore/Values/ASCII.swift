/// Letter case of the ASCII letters alone, which is what attribute names, URNs and operators ask for.
public enum ASCII {
  /// True where both texts are equal but for the case of their ASCII letters.
  public static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
    let left = left.utf8
    let right = right.utf8
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { lowercase($0) == lowercase($1) }
  }

  /// The byte in lower case where it is an ASCII letter.
  @inline(__always)
  public static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// The text with its ASCII letters in lower case; all else stays.
  public static func lowercase(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 &- 0x41 < 26 }) else { return text }
    return String(decoding: text.utf8.map(lowercase), as: UTF8.self)
  }
}
