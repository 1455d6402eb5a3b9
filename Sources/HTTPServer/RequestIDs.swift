/// Names for requests that came without one: short, and unlike those of other loops and of other runs.
///
/// A name is a random part, made once, and a count: twelve characters, which a string holds without an allocation.
struct RequestIDs {
  /// The most characters of a client's own.
  static let longest = 64
  private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

  private var mark = UInt64.random(in: 0..<1 << 30)
  private var count: UInt64 = 0

  mutating func next() -> String {
    count += 1
    if count == 1 << 30 {
      mark = UInt64.random(in: 0..<1 << 30)
      count = 0
    }
    var rest = mark << 30 | count
    return String(unsafeUninitializedCapacity: 12) { text in
      for i in (0..<12).reversed() {
        text[i] = Self.alphabet.utf8Start[Int(rest & 31)]
        rest >>= 5
      }
      return 12
    }
  }

  /// Whether a client's own may stand in an answer and in the log: at most 64 letters, digits, dots, underscores and
  /// hyphens.
  static func isValid(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count > 0, count <= longest else { return false }
    for i in 0..<count {
      let c = bytes[i]
      guard
        Characters.isAlphanumeric(c) || c == UInt8(ascii: "-") || c == UInt8(ascii: ".") || c == UInt8(ascii: "_")
      else { return false }
    }
    return true
  }
}
