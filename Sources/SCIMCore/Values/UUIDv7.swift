import Synchronization

/// Makes the ids of resources: UUIDs of version 7 (RFC 9562 section 5.7) in lower case, which sort by the time they were
/// made, so that new rows are added at the end of an index.
public enum ResourceID {
  /// A new id, greater than every one this process made before, on whichever thread.
  ///
  /// 48 bits of milliseconds since 1970, 12 bits of a counter that begins at random in the lower half for each
  /// millisecond, and 62 random bits. A counter that runs over, and a clock that is set back, borrow the next
  /// millisecond (RFC 9562 section 6.2).
  public static func make() -> String {
    var random = SystemRandomNumberGenerator()
    let (milliseconds, counter) = sequence.withLock { $0.next(at: Timestamp.now.milliseconds, using: &random) }
    return text(milliseconds: milliseconds, counter: counter, random: random.next())
  }

  /// True for a text that no id may be, in any letter case: Bulk takes it for the name of an operation (RFC 7643 section
  /// 3.1).
  public static func isReserved(_ id: String) -> Bool { ASCII.lowercase(id).contains("bulkid") }

  private static let sequence = Mutex(Sequence())

  /// What makes the ids of one process ascend.
  struct Sequence {
    private var milliseconds: UInt64 = 0
    private var counter: UInt64 = 0

    mutating func next(at clock: Int64, using random: inout some RandomNumberGenerator) -> (UInt64, UInt64) {
      let clock = UInt64(max(clock, 0))
      if clock > milliseconds {
        milliseconds = clock
        counter = random.next() & 0x7FF
      } else if counter < 0xFFF {
        counter += 1
      } else {
        milliseconds += 1
        counter = random.next() & 0x7FF
      }
      return (milliseconds, counter)
    }
  }

  static func text(milliseconds: UInt64, counter: UInt64, random: UInt64) -> String {
    let high = milliseconds << 16 | 0x7000 | counter & 0xFFF
    let low = random & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for half in [high, low] {
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
          if position == 8 || position == 13 || position == 18 || position == 23 {
            buffer[position] = UInt8(ascii: "-")
            position += 1
          }
          let nibble = UInt8(half >> shift & 15)
          buffer[position] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
          position += 1
        }
      }
      return position
    }
  }
}
