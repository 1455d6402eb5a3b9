/// A value as text whose order byte by byte is the value's order, for index keys compared as TEXT with BINARY collation.
///
/// Keys of one attribute are of one kind; keys of different kinds have no meaningful order.
public struct SortableKey: Sendable, Hashable {
  public let text: String

  private init(_ text: String) { self.text = text }

  /// Text that was folded or normalised already (`Folding`); it is its own key.
  public static func text(_ folded: String) -> SortableKey { SortableKey(folded) }

  /// "false" before "true".
  public static func boolean(_ value: Bool) -> SortableKey { SortableKey(value ? "true" : "false") }

  /// The fixed-width text of RFC 3339 in UTC.
  public static func instant(_ value: Timestamp) -> SortableKey { SortableKey(value.text) }

  /// A whole number; compares with the keys of doubles, and exactly.
  ///
  /// A number key is 19 hexadecimal digits: 16 for the greatest double not above the value, its bits turned so that
  /// they order as unsigned numbers do, and 3 for the distance from that double to the value. The distance is 0 for
  /// every double and every integer up to 2^53, and below 2^10 for all of Int64. So 7 and 7.0 have one key, and the
  /// integers between two neighbouring doubles sort between them.
  public static func integer(_ value: Int64) -> SortableKey {
    // Converting rounds to nearest, perhaps up, and Int64.max even out of Int64; step down then.
    var floor = Double(value)
    while true {
      if let whole = Int64(exactly: floor), whole <= value { return number(floor, distance: UInt64(value - whole)) }
      floor = floor.nextDown
    }
  }

  /// A number; -0 and 0 have one key. Infinities sort at the ends.
  public static func double(_ value: Double) -> SortableKey { number(value, distance: 0) }

  private static func number(_ value: Double, distance: UInt64) -> SortableKey {
    let bits = (value == 0 ? 0.0 : value).bitPattern
    // Negative numbers order the other way round and below.
    let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
    return SortableKey(
      String(unsafeUninitializedCapacity: 19) { buffer in
        for position in 0..<16 { buffer[position] = hexDigit(ordered >> UInt64(60 - position * 4)) }
        for position in 0..<3 { buffer[16 + position] = hexDigit(distance >> UInt64(8 - position * 4)) }
        return 19
      })
  }

  private static func hexDigit(_ value: UInt64) -> UInt8 {
    let nibble = UInt8(value & 15)
    return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}

extension SortableKey: Comparable {
  /// The order of the bytes, as SQL's BINARY collation has it.
  public static func < (left: SortableKey, right: SortableKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  public static func == (left: SortableKey, right: SortableKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
