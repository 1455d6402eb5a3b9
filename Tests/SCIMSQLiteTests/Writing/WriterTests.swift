import Dispatch
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

/// Which writes share a commit, and whose comes next.
struct WriterTests {
  private let a = OrganizationID(rawValue: 1)
  private let b = OrganizationID(rawValue: 2)
  private let c = OrganizationID(rawValue: 3)

  /// Queues writes while the writer is held; gives what each transaction ran, in order.
  private func transactions(
    limit: Int, _ writes: [(organization: OrganizationID?, weight: Int, name: String)]
  ) throws -> [[String]] {
    let temporary = try TemporaryStore(options: SQLStoreOptions(writesPerCommit: limit))
    let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    temporary.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    // One list of names for each transaction; the first completion ends it.
    let batches = Mutex<(all: [[String]], isOpen: Bool)>(([], false))
    for write in writes {
      temporary.store.write(
        for: write.organization, weight: write.weight,
        { (_) throws(SCIMError) in
          batches.withLock {
            if $0.isOpen { $0.all[$0.all.count - 1].append(write.name) } else { $0.all.append([write.name]) }
            $0.isOpen = true
          }
        },
        completion: { _ in batches.withLock { $0.isOpen = false } })
    }
    gate.signal()
    temporary.close()
    return batches.withLock { $0.all }
  }

  @Test func aFloodOfOneDelaysAnothersWriteByNoMoreThanTheBatchThatRuns() throws {
    let flood = (0..<20).map { (Optional(a), 1, "a\($0)") }
    let batches = try transactions(limit: 4, flood + [(b, 1, "b0"), (c, 1, "c0")])
    #expect(batches.first == ["a0", "b0", "c0", "a1"])
    #expect(batches.flatMap { $0 }.filter { $0.hasPrefix("a") } == (0..<20).map { "a\($0)" })
    #expect(batches.count == 6)
  }

  @Test func aHeavyWriteRunsWholeAndTheOthersComeFirstAndNext() throws {
    let batches = try transactions(
      limit: 4,
      [(a, 1000, "A0"), (a, 1000, "A1"), (a, 1, "a2"), (b, 1, "b0"), (b, 1, "b1"), (c, 3, "c0"), (nil, 1, "n0")])
    #expect(batches == [["A0"], ["b0", "c0"], ["n0", "b1"], ["A1"], ["a2"]])
  }

  @Test func weightsShareACommitUpToItsLimit() throws {
    let batches = try transactions(limit: 10, [(a, 4, "a0"), (a, 4, "a1"), (a, 4, "a2"), (b, 2, "b0"), (b, 5, "b1")])
    #expect(batches == [["a0", "b0", "a1"], ["b1", "a2"]])
  }

  @Test func oneByOneWhereEachCommitsByItself() throws {
    let batches = try transactions(limit: 1, [(a, 1, "a0"), (a, 1, "a1"), (b, 9, "b0")])
    #expect(batches == [["a0"], ["b0"], ["a1"]])
  }
}
