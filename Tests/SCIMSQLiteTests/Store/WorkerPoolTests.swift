import Dispatch
import Glibc
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

/// Jobs that wait at a gate hold the threads, so that who is served next depends on nothing but the pool.
struct WorkerPoolTests {
  private let a = OrganizationID(rawValue: 1)
  private let b = OrganizationID(rawValue: 2)
  private let c = OrganizationID(rawValue: 3)

  private func store(
    workers: Int, waitingReads: Int = 256, clock: (@Sendable () -> UInt64)? = nil
  ) throws -> TemporaryStore {
    var options = SQLStoreOptions(workers: workers)
    options.waitingReads = waitingReads
    if let clock { options.clock = clock }
    return try TemporaryStore(options: options)
  }

  /// What has been run, in order.
  private final class Served: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  @Test func organisationsAreServedInTurn() throws {
    let temporary = try store(workers: 1)
    let served = Served()
    let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try temporary.store.workers.submit(for: a) { _ in
      isHeld.signal()
      gate.wait()
    }
    isHeld.wait()
    for (organization, name) in [(a, "a1"), (a, "a2"), (a, "a3"), (b, "b1"), (c, "c1"), (b, "b2")] {
      try temporary.store.workers.submit(for: organization) { _ in served.add(name) }
    }
    gate.signal()
    temporary.close()
    #expect(served.all == ["a1", "b1", "c1", "a2", "b2", "a3"])
  }

  /// Three threads, and one organisation that would hold them all: the other is answered while none of it ends.
  @Test func oneOrganisationNeverHasAllThreads() throws {
    let temporary = try store(workers: 3)
    let held = Atomic<Int>(0)
    let (isHeld, gate, isAnswered) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    for _ in 0..<6 {
      try temporary.store.workers.submit(for: a) { _ in
        held.add(1, ordering: .relaxed)
        isHeld.signal()
        gate.wait()
      }
    }
    isHeld.wait()
    isHeld.wait()
    for _ in 0..<3 {
      try temporary.store.workers.submit(for: b) { _ in isAnswered.signal() }
      isAnswered.wait()
    }
    #expect(held.load(ordering: .relaxed) == 2)
    for _ in 0..<6 { gate.signal() }
    temporary.close()
    #expect(held.load(ordering: .relaxed) == 6)
  }

  /// What is held back waits while others are served, and goes on when it is told.
  @Test func whatIsHeldBackWaits() throws {
    let temporary = try store(workers: 1)
    let served = Served()
    let isFull = Atomic(true)
    let (a, done) = (a, DispatchSemaphore(value: 0))
    temporary.store.workers.holdBack { $0 == a && isFull.load(ordering: .relaxed) }
    try temporary.store.workers.submit(for: a, refused: { _ in served.add("refused") }) { _ in
      served.add("a")
      done.signal()
    }
    for _ in 0..<3 {
      try temporary.store.workers.submit(for: b) { _ in
        served.add("b")
        done.signal()
      }
      done.wait()
    }
    #expect(served.all == ["b", "b", "b"])
    isFull.store(false, ordering: .relaxed)
    temporary.store.workers.wake()
    done.wait()
    #expect(served.all == ["b", "b", "b", "a"])
    temporary.close()
  }

  /// Nobody waits for ever: what was held back for as long as it may be is refused.
  @Test func whatIsHeldBackTooLongIsRefused() throws {
    let now = Atomic<UInt64>(0)
    let temporary = try store(workers: 1, clock: { now.load(ordering: .relaxed) })
    let served = Served()
    let done = DispatchSemaphore(value: 0)
    temporary.store.workers.holdBack(patience: 1000) { _ in true }
    func submit(_ name: String) throws {
      try temporary.store.workers.submit(
        for: a,
        refused: { error in
          served.add("\(name) \(error.kind)")
          done.signal()
        }, { _ in served.add(name) })
    }
    try submit("a1")
    now.store(600_000_000, ordering: .relaxed)
    try submit("a2")
    now.store(1_000_000_000, ordering: .relaxed)
    temporary.store.workers.wake()
    done.wait()
    #expect(served.all == ["a1 tooManyRequests"])
    now.store(1_600_000_000, ordering: .relaxed)
    temporary.store.workers.wake()
    done.wait()
    #expect(served.all == ["a1 tooManyRequests", "a2 tooManyRequests"])
    temporary.close()
  }

  /// A store that closes waits for nobody's client.
  @Test func closingRunsWhatIsHeldBack() throws {
    let temporary = try store(workers: 1)
    let served = Served()
    temporary.store.workers.holdBack { _ in true }
    try temporary.store.workers.submit(for: a) { _ in served.add("a") }
    temporary.close()
    #expect(served.all == ["a"])
  }

  /// By the settings where nothing is set: 256 wait, one more is refused, and there is room again once one has gone.
  @Test func readsOfOneWaitUpToTheLimit() throws {
    let temporary = try store(workers: 1)
    let served = Served()
    let (isHeld, gate, isRun) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    func hold() throws {
      try temporary.store.workers.submit(for: a) { _ in
        isHeld.signal()
        gate.wait()
      }
    }
    try hold()
    isHeld.wait()
    try hold()
    for number in 0..<255 {
      try temporary.store.workers.submit(for: a) { _ in
        served.add("\(number)")
        isRun.signal()
      }
    }
    let refused = #expect(throws: SCIMError.self) { try temporary.store.workers.submit(for: a) { _ in } }
    #expect(refused?.kind == .tooManyRequests)
    gate.signal()
    isHeld.wait()
    try temporary.store.workers.submit(for: a) { _ in served.add("one more") }
    #expect(throws: SCIMError.self) { try temporary.store.workers.submit(for: a) { _ in } }
    gate.signal()
    temporary.close()
    #expect(served.all.count == 256 && served.all.last == "one more")
  }

  /// Where nothing is set, 10 seconds: a nanosecond less, and it still waits.
  @Test func whatIsHeldBackWaitsForTenSeconds() throws {
    let now = Atomic<UInt64>(0)
    let looks = Atomic(0)
    let temporary = try store(
      workers: 1,
      clock: {
        looks.add(1, ordering: .relaxed)
        return now.load(ordering: .relaxed)
      })
    let served = Served()
    let done = DispatchSemaphore(value: 0)
    let a = a
    temporary.store.workers.holdBack { $0 == a }
    try temporary.store.workers.submit(
      for: a,
      refused: { _ in
        served.add("refused")
        done.signal()
      }, { _ in served.add("a") })
    now.store(9_999_999_999, ordering: .relaxed)
    // When the thread looks for the second time, it has done what follows from the first.
    let before = looks.load(ordering: .relaxed)
    while looks.load(ordering: .relaxed) < before + 2, served.all.isEmpty {
      temporary.store.workers.wake()
      sched_yield()
    }
    #expect(served.all == [])
    now.store(10_000_000_000, ordering: .relaxed)
    temporary.store.workers.wake()
    done.wait()
    #expect(served.all == ["refused"])
    temporary.close()
  }

  @Test func tooManyWaitingReadsOfOneAreRefused() throws {
    let temporary = try store(workers: 1, waitingReads: 3)
    let served = Served()
    let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try temporary.store.workers.submit(for: a) { _ in
      isHeld.signal()
      gate.wait()
    }
    isHeld.wait()
    for number in 0..<3 { try temporary.store.workers.submit(for: a) { _ in served.add("a\(number)") } }
    let refused = #expect(throws: SCIMError.self) {
      try temporary.store.workers.submit(for: a) { _ in served.add("one too many") }
    }
    #expect(refused?.kind == .tooManyRequests)
    try temporary.store.workers.submit(for: b) { _ in served.add("b") }
    gate.signal()
    temporary.close()
    #expect(served.all.sorted() == ["a0", "a1", "a2", "b"])
    let late = #expect(throws: SCIMError.self) { try temporary.store.workers.submit(for: a) { _ in } }
    #expect(late?.kind == .unavailable)
  }
}
