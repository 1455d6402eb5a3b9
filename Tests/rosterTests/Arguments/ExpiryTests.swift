import SCIMCore
import Testing

@testable import roster

@Suite struct ExpiryTests {
  static let now = Timestamp(milliseconds: 1_000)

  @Test(
    arguments: [
      ("45s", 46_000), ("30m", 1_801_000), ("12h", 43_201_000), ("90d", 7_776_001_000), ("2w", 1_209_601_000),
      ("1970-01-01", 0), ("2000-02-29", 951_782_400_000), ("2026-12-31T23:59:59Z", 1_798_761_599_000),
      ("2026-12-31T23:59:59", 1_798_761_599_000), ("1969-12-31", -86_400_000), ("2400-02-29", 13_574_563_200_000),
    ] as [(String, Int64)])
  func accepted(_ text: String, _ expected: Int64) {
    #expect(Expiry.parse(text, from: Self.now) == Timestamp(milliseconds: expected))
  }

  @Test(arguments: [
    "", "d", "90", "-1d", "1.5d", "90x", "999999999w", "2026-13-01", "2026-02-29", "2100-02-29", "2026-1-1",
    "2026-01-01T24:00:01Z", "2026-01-01T00:00Z", "tomorrow", "２d", "2026-00-10", "2026-01-00",
  ])
  func refused(_ text: String) {
    #expect(Expiry.parse(text, from: Self.now) == nil)
  }
}
