import HTTPMessage
import Testing

@testable import HTTPServer

@Suite("gzip")
struct GzipTests {
  let gzip = Gzip()

  @Test("There and back, again and again with one pair of streams", arguments: [0, 1, 1000, 16 << 10, 1_000_000])
  func roundTrip(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    for _ in 0..<3 {
      let packed = try #require(gzip.compress(bytes))
      #expect(try gzip.expand(packed, limit: count).get() == bytes)
    }
  }

  @Test("One byte over the limit is too large")
  func limit() throws {
    let packed = try #require(gzip.compress([UInt8](repeating: 0, count: 100_001)))
    #expect(gzip.expand(packed, limit: 100_000) == .failure(.bodyTooLarge))
  }

  @Test("Two members follow one another; rubbish behind one is refused")
  func members() throws {
    let packed = try #require(gzip.compress([1, 2]))
    #expect(gzip.expand(packed + packed, limit: 10) == .success([1, 2, 1, 2]))
    #expect(gzip.expand(packed + [0], limit: 10) == .failure(.gzip))
    #expect(gzip.expand(packed + packed.dropLast(), limit: 10) == .failure(.gzip))
  }

  @Test("As many members as allowed are read; one more is refused, though it gives no byte")
  func tooManyMembers() throws {
    let empty = try #require(gzip.compress([]))
    let most = Array(repeating: empty, count: Gzip.maxMembers).flatMap { $0 }
    #expect(gzip.expand(most, limit: 10) == .success([]))
    #expect(gzip.expand(most + empty, limit: 10) == .failure(.gzip))
  }

  @Test("Every cut and every changed checksum is found, and the next body is read")
  func damage() throws {
    let packed = try #require(gzip.compress(Array("hello, hello, hello".utf8)))
    for length in 0..<packed.count { #expect(gzip.expand(Array(packed[..<length]), limit: 100) == .failure(.gzip)) }
    for at in packed.count - 8..<packed.count {
      var damaged = packed
      damaged[at] ^= 1
      #expect(gzip.expand(damaged, limit: 100) == .failure(.gzip))
    }
    #expect(try gzip.expand(packed, limit: 100).get() == Array("hello, hello, hello".utf8))
  }
}
