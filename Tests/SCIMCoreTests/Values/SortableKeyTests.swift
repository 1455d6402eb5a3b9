import TestSupport
import Testing

@testable import SCIMCore

struct SortableKeyTests {
  /// Numbers in ascending order; those of one row are equal.
  static let numbers: [[JSON]] = [
    [.double(-.infinity)], [.double(-.greatestFiniteMagnitude)], [-1e19], [.integer(.min), .double(-0x1p63)],
    [.integer(.min + 1)], [.integer(-9_007_199_254_740_993)], [-9_007_199_254_740_992, -9_007_199_254_740_992.0],
    [-7, -7.0],
    [-1.25], [-1], [.double(-.leastNonzeroMagnitude)], [0, 0.0, .double(-0.0)], [.double(.leastNonzeroMagnitude)],
    [0.1], [1, 1.0], [1.25], [7, 7.0], [7.5], [10], [100],
    [9_007_199_254_740_992, 9_007_199_254_740_992.0], [9_007_199_254_740_993],
    [9_007_199_254_740_994, 9_007_199_254_740_994.0], [.integer(.max - 1)], [.integer(.max)], [.double(0x1p63)], [1e19],
    [.double(.infinity)],
  ]

  static func key(_ number: JSON) -> SortableKey {
    switch number {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    default: .text("not a number")
    }
  }

  @Test func numbersAreInOrder() {
    for (index, row) in Self.numbers.enumerated() {
      for left in row {
        for (otherIndex, otherRow) in Self.numbers.enumerated() {
          for right in otherRow {
            let (leftKey, rightKey) = (Self.key(left), Self.key(right))
            #expect((leftKey < rightKey) == (index < otherIndex), "\(left) \(right)")
            #expect((leftKey == rightKey) == (index == otherIndex), "\(left) \(right)")
            #expect(leftKey.text.utf8.count == 19)
          }
        }
      }
    }
  }

  @Test func randomPairsKeepTheirOrder() {
    var generator = Random(seed: 3)
    for _ in 0..<50_000 {
      // Values of every size, and neighbours as often as strangers.
      let first = Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<63, using: &generator)
      let second =
        Bool.random(using: &generator)
        ? first &+ Int64.random(in: -3...3, using: &generator) : Int64(truncatingIfNeeded: generator.next())
      #expect((SortableKey.integer(first) < .integer(second)) == (first < second))
      #expect((SortableKey.integer(first) == .integer(second)) == (first == second))

      let (left, right) = (Double(bitPattern: generator.next()), Double(bitPattern: generator.next()))
      guard !left.isNaN, !right.isNaN else { continue }
      #expect((SortableKey.double(left) < .double(right)) == (left < right))
      // The standard library compares integers with doubles exactly.
      let scaled = Double(first) * Double.random(in: 0.5...2, using: &generator)
      if let whole = Int64(exactly: scaled.rounded(.down)) {
        let isBelow = whole < second || whole == second && scaled < Double(whole)
        #expect((SortableKey.double(scaled) < .integer(second)) == isBelow)
      }
    }
  }

  @Test func otherKinds() throws {
    #expect(SortableKey.boolean(false).text == "false")
    #expect(SortableKey.boolean(true).text == "true")
    #expect(SortableKey.text("straße").text == "straße")
    let instant = try #require(Timestamp(parsing: "2026-11-30T03:46:09+01:00"))
    #expect(SortableKey.instant(instant).text == "2026-11-30T02:46:09.000Z")
  }

  @Test func instantsKeepTheirOrder() {
    var generator = Random(seed: 4)
    for _ in 0..<20_000 {
      let left = Timestamp(milliseconds: Int64.random(in: Timestamp.range, using: &generator))
      let right = Timestamp(milliseconds: Int64.random(in: Timestamp.range, using: &generator))
      #expect((SortableKey.instant(left) < .instant(right)) == (left < right))
    }
  }

  /// As SQLite's BINARY collation, and not as Swift's strings, which compare by canonical equivalence.
  @Test func textComparesByBytes() {
    #expect(SortableKey.text("e\u{301}") != SortableKey.text("\u{E9}"))
    #expect(SortableKey.text("e\u{301}") < SortableKey.text("\u{E9}"))
    #expect(Set([SortableKey.text("e\u{301}"), SortableKey.text("\u{E9}")]).count == 2)
    #expect(SortableKey.text("\u{FFFD}") < SortableKey.text("\u{10000}"))
    #expect(SortableKey.text("a") < SortableKey.text("ab"))
  }
}
