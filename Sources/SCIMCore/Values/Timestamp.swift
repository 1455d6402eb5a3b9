import Foundation

/// An instant with milliseconds in the years 0001 to 9999, as RFC 7643 section 2.3.5 writes it.
public struct Timestamp: Sendable, Hashable {
  /// Milliseconds since 1970-01-01T00:00:00Z without leap seconds.
  public let milliseconds: Int64

  /// The first and the last instant that the text form can hold.
  public static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// An instant by its distance from 1970 in UTC; beyond the years 0001 to 9999 it stays at the bound.
  public init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// The present instant by the system's clock.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

extension Timestamp: Comparable {
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with exactly three digits of a second: `2026-11-30T03:46:09.123Z`. Of fixed width, so texts
  /// compare as the instants do.
  public var text: String {
    String(unsafeUninitializedCapacity: Self.textLength) { buffer in
      write(to: buffer)
      return Self.textLength
    }
  }

  /// The length of `text` in bytes.
  static let textLength = 24

  /// Writes `text` into a buffer of at least `textLength` bytes.
  func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    let (days, time) = milliseconds.quotientAndFloorRemainder(by: 86_400_000)
    let (year, month, day) = Calendar.date(days: days)
    var position = 0
    func put(_ value: Int64, digits: Int, then separator: UInt8) {
      var rest = value
      for offset in (0..<digits).reversed() {
        buffer[position + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      buffer[position + digits] = separator
      position += digits + 1
    }
    put(year, digits: 4, then: UInt8(ascii: "-"))
    put(month, digits: 2, then: UInt8(ascii: "-"))
    put(day, digits: 2, then: UInt8(ascii: "T"))
    put(time / 3_600_000, digits: 2, then: UInt8(ascii: ":"))
    put(time / 60_000 % 60, digits: 2, then: UInt8(ascii: ":"))
    put(time / 1000 % 60, digits: 2, then: UInt8(ascii: "."))
    put(time % 1000, digits: 3, then: UInt8(ascii: "Z"))
  }

  public var description: String { text }
}

extension Timestamp {
  /// Reads an xsd:dateTime with date and time, for example `2026-11-30T03:46:09.5+01:00`.
  ///
  /// The offset is `Z`, or up to 14:00 to either side, or missing, which is read as UTC. Of a fraction of any length
  /// the milliseconds are kept and the rest is cut off. `t` and `z` are taken too, and 24:00:00 is the end of the day.
  /// Refused are dates that do not exist, second 60, and what in UTC is outside the years 0001 to 9999.
  public init?(parsing text: String) {
    var reader = Reader(text.utf8)
    guard
      let year = reader.number(digits: 4, in: 1...9999), reader.take("-"),
      let month = reader.number(digits: 2, in: 1...12), reader.take("-"),
      let day = reader.number(digits: 2, in: 1...Calendar.days(inMonth: month, of: year)),
      reader.take("T") || reader.take("t"),
      let hour = reader.number(digits: 2, in: 0...24), reader.take(":"),
      let minute = reader.number(digits: 2, in: 0...59), reader.take(":"),
      let second = reader.number(digits: 2, in: 0...59)
    else { return nil }
    var fraction: Int64 = 0
    if reader.take(".") {
      guard let value = reader.fraction() else { return nil }
      fraction = value
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    guard hour < 24 || (minute == 0 && second == 0 && fraction == 0) else { return nil }

    let minutes = (Calendar.days(year: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
    let milliseconds = (minutes * 60 + second) * 1000 + fraction
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Takes the parts of a date and time from the front of a text.
  private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String.UTF8View) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func digit() -> Int64? {
      guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      rest.removeFirst()
      return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func number(digits: Int, in range: ClosedRange<Int64>) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return range.contains(value) ? value : nil
    }

    /// Milliseconds of the digits behind the point, of which there must be one.
    mutating func fraction() -> Int64? {
      guard let first = digit() else { return nil }
      var value = first * 100
      var unit: Int64 = 10
      while let digit = digit() {
        value += digit * unit
        unit /= 10
      }
      return value
    }

    /// Minutes east of UTC; 0 where there is no offset, nil where it is malformed.
    mutating func offset() -> Int64? {
      if isAtEnd || take("Z") || take("z") { return 0 }
      let isWest = take("-")
      guard isWest || take("+"), let hours = number(digits: 2, in: 0...14), take(":"),
        let minutes = number(digits: 2, in: 0...(hours == 14 ? 0 : 59))
      else { return nil }
      return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
  }

  /// The proleptic Gregorian calendar; days count from 1970-01-01.
  private enum Calendar {
    /// Days in the 400 years after which the calendar repeats.
    private static let cycle: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epoch: Int64 = 719_468

    static func days(inMonth month: Int64, of year: Int64) -> Int64 {
      switch month {
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }

    // Years are counted from March, so that the leap day is a year's last and the months before it have a fixed
    // pattern: 153 days in each five.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
      let marchYear = month > 2 ? year : year - 1
      let marchMonth = (month + 9) % 12
      return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + (marchMonth * 153 + 2) / 5 + day - 1
        - epoch
    }

    static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
      let (cycles, day) = (days + epoch).quotientAndFloorRemainder(by: cycle)
      // Take the leap days out, then the year is a division.
      let yearOfCycle = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
      let dayOfYear = day - (yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100)
      let marchMonth = (dayOfYear * 5 + 2) / 153
      let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
      let year = cycles * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
      return (year, month, dayOfYear - (marchMonth * 153 + 2) / 5 + 1)
    }
  }
}

extension Int64 {
  /// Division rounded down, so that the remainder is not negative.
  fileprivate func quotientAndFloorRemainder(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
