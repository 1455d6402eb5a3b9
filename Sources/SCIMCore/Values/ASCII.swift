import Foundation

/// Letter case of the ASCII letters alone, which is what attribute names, URNs and operators ask for.
public enum ASCII {
  /// True where both texts are equal but for the case of their ASCII letters.
  public static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let isEqual = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        // Mostly they are spelt alike.
        if let first = left.baseAddress, let second = right.baseAddress, memcmp(first, second, left.count) == 0 {
          return true
        }
        for index in 0..<left.count where lowercase(left[index]) != lowercase(right[index]) { return false }
        return true
      }
    }
    return (isEqual ?? nil) ?? zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  /// True where both texts have the same bytes; Swift's `==` takes canonically equivalent ones for equal as well.
  public static func equal(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let isEqual = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
      }
    }
    return (isEqual ?? nil) ?? left.utf8.elementsEqual(right.utf8)
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
