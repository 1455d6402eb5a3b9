import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SCIMCore

struct UUIDv7Tests {
  @Test func idsAscendAndAreDistinct() {
    let ids = (0..<100_000).map { _ in ResourceID.make() }
    #expect(Set(ids).count == ids.count)
    #expect(zip(ids, ids.dropFirst()).allSatisfy(<))
  }

  @Test func formIsVersion7OfTheVariant() throws {
    for _ in 0..<1000 {
      let id = ResourceID.make()
      #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
      #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
    }
  }

  @Test func beginsWithTheTime() throws {
    let before = UInt64(Timestamp.now.milliseconds)
    let id = ResourceID.make()
    let time = try #require(UInt64(id.prefix(8) + id.dropFirst(9).prefix(4), radix: 16))
    // Ids made in a burst may run ahead of the clock.
    #expect(time >= before && time < before + 60_000)
  }

  @Test func fieldsAreWhereTheyBelong() {
    #expect(
      ResourceID.text(milliseconds: 0x0123_4567_89AB, counter: 0xCDE, random: .max)
        == "01234567-89ab-7cde-bfff-ffffffffffff")
    #expect(ResourceID.text(milliseconds: 0, counter: 0, random: 0) == "00000000-0000-7000-8000-000000000000")
  }

  @Test func ascendsThroughCounterOverflowAndClockSetBack() {
    var sequence = ResourceID.Sequence()
    var random = Random(seed: 5)
    var last = (UInt64(0), UInt64(0))
    for clock in [1000, 1000, 5, 999, 1001, 3] as [Int64] {
      for _ in 0..<5000 {
        let next = sequence.next(at: clock, using: &random)
        #expect(last < next)
        #expect(next.1 <= 0xFFF)
        last = next
      }
    }
    #expect(last.0 < 1020)
    #expect(sequence.next(at: 1_000_000, using: &random).0 == 1_000_000)
  }

  @Test func threadsGetDistinctIdsInOrder() {
    let all = Mutex<[[String]]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let ids = (0..<5000).map { _ in ResourceID.make() }
      all.withLock { $0.append(ids) }
    }
    let threads = all.withLock { $0 }
    #expect(Set(threads.joined()).count == 20_000)
    for ids in threads { #expect(zip(ids, ids.dropFirst()).allSatisfy(<)) }
  }
}
