import Foundation
import Testing

@testable import SCIMCore

struct TimestampTests {
  struct Row: CustomTestStringConvertible {
    let input: String
    /// The canonical form, or nil where the input is refused.
    let text: String?
    var testDescription: String { "\"\(input)\"" }

    init(_ input: String, _ text: String?) {
      self.input = input
      self.text = text
    }
  }

  static let rows: [Row] = [
    .init("2026-11-30T03:46:09.123Z", "2026-11-30T03:46:09.123Z"),
    .init("2026-11-30T03:46:09Z", "2026-11-30T03:46:09.000Z"),
    .init("2026-11-30t03:46:09.5z", "2026-11-30T03:46:09.500Z"),
    .init("2026-11-30T03:46:09", "2026-11-30T03:46:09.000Z"),
    .init("2026-11-30T03:46:09.1239999999999Z", "2026-11-30T03:46:09.123Z"),
    .init("2026-11-30T03:46:09.01Z", "2026-11-30T03:46:09.010Z"),
    .init("2026-11-30T03:46:09+01:00", "2026-11-30T02:46:09.000Z"),
    .init("2026-11-30T03:46:09.25-05:30", "2026-11-30T09:16:09.250Z"),
    .init("2026-12-31T23:30:00-14:00", "2027-01-01T13:30:00.000Z"),
    .init("2026-01-01T00:30:00+14:00", "2025-12-31T10:30:00.000Z"),
    .init("2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00.000Z"),
    .init("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
    .init("2000-02-29T23:59:59.999Z", "2000-02-29T23:59:59.999Z"),
    .init("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
    .init("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    .init("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    .init("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    // Dates and times that do not exist.
    .init("2025-02-29T00:00:00Z", nil),
    .init("1900-02-29T00:00:00Z", nil),
    .init("2026-04-31T00:00:00Z", nil),
    .init("2026-13-01T00:00:00Z", nil),
    .init("2026-00-01T00:00:00Z", nil),
    .init("2026-01-00T00:00:00Z", nil),
    .init("2026-01-01T24:00:00Z", "2026-01-02T00:00:00.000Z"), .init("2026-01-01T24:00:01Z", nil),
    .init("2026-01-01T24:00:00.001Z", nil), .init("2026-01-01T24:01:00Z", nil),
    .init("2026-12-31T24:00:00+01:00", "2026-12-31T23:00:00.000Z"),
    .init("2026-01-01T23:60:00Z", nil),
    .init("2026-12-31T23:59:60Z", nil),
    .init("0000-01-01T00:00:00Z", nil),
    .init("0001-01-01T00:00:00+00:01", nil),
    .init("9999-12-31T23:59:59-00:01", nil),
    // Forms that are no date with time.
    .init("", nil),
    .init("2026-11-30", nil),
    .init("03:46:09Z", nil),
    .init("2026-11-30 03:46:09Z", nil),
    .init("2026-11-30T03:46Z", nil),
    .init("2026-11-30T03:46:09.Z", nil),
    .init("2026-11-30T03:46:09,5Z", nil),
    .init("2026-11-30T03:46:09+01", nil),
    .init("2026-11-30T03:46:09+0100", nil),
    .init("2026-11-30T03:46:09+14:01", nil),
    .init("2026-11-30T03:46:09+01:60", nil),
    .init("2026-11-30T03:46:09ZZ", nil),
    .init(" 2026-11-30T03:46:09Z", nil),
    .init("2026-11-30T03:46:09Z ", nil),
    .init("-2026-11-30T03:46:09Z", nil),
    .init("12026-11-30T03:46:09Z", nil),
    .init("2026-1-30T03:46:09Z", nil),
    .init("+026-11-30T03:46:09Z", nil),
    .init("２０２６-11-30T03:46:09Z", nil),
    .init("1790000000", nil),
  ]

  @Test(arguments: rows) func parses(row: Row) {
    #expect(Timestamp(parsing: row.input)?.text == row.text)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (.min, "0001-01-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)]) func text(milliseconds: Int64, text: String)
  {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
  }

  /// Each day of the calendar's 400-year cycle against Foundation's formatter, and back.
  @Test func agreesWithFoundation() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for day in stride(from: Int64(-146_097), through: 146_097, by: 1) {
      let instant = Timestamp(milliseconds: day * 86_400_000 + (day &* 7_919 & 0x3FF_FFFF))
      let text = instant.text
      guard Timestamp(parsing: text) == instant else {
        Issue.record("\(text) is not read back")
        continue
      }
      // Before October 1582 Foundation counts by the Julian calendar.
      guard day % 7 == 0, day > -141_427 else { continue }
      // Whole seconds: Foundation's doubles may round the last millisecond.
      let seconds = instant.milliseconds - instant.milliseconds.modulo(1000)
      #expect(
        Date(timeIntervalSince1970: Double(seconds / 1000)).formatted(style)
          == Timestamp(milliseconds: seconds).text)
    }
  }

  @Test func nowIsNow() {
    let before = Date().timeIntervalSince1970
    let now = Double(Timestamp.now.milliseconds) / 1000
    let after = Date().timeIntervalSince1970
    #expect(before - 0.002 <= now && now <= after + 0.002)
  }

  @Test func ordersByInstant() {
    #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
    #expect(Timestamp(parsing: "2026-01-01T01:00:00+02:00") == Timestamp(parsing: "2025-12-31T23:00:00Z"))
  }
}

extension Int64 {
  fileprivate func modulo(_ divisor: Int64) -> Int64 { (self % divisor + divisor) % divisor }
}
