import Synchronization
import Testing

@testable import HTTPServer

@Suite("Memory is given back")
struct MemoryTrimmerTests {
  private final class Desk: Sendable {
    let released = Atomic(0)
    let trims = Atomic(0)
    let waiting = Mutex<[@Sendable () -> Void]>([])

    var count: Int { trims.load(ordering: .relaxed) }

    /// Runs what other threads would run.
    func run() {
      let work = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for work in work { work() }
    }
  }

  @Test("Soon where a loop is idle, later where all are busy, and once at a time")
  func look() {
    let desk = Desk()
    let trimmer = MemoryTrimmer(
      released: { desk.released.load(ordering: .relaxed) }, trim: { desk.trims.add(1, ordering: .relaxed) },
      start: { work in
        desk.waiting.withLock { $0.append(work) }
        return true
      })
    func look(_ released: Int, isIdle: Bool) {
      desk.released.store(released, ordering: .relaxed)
      trimmer.look(isIdle: isIdle)
    }
    look(MemoryTrimmer.worthWhileIdle - 1, isIdle: true)
    desk.run()
    #expect(desk.count == 0)
    look(MemoryTrimmer.worthWhileBusy - 1, isIdle: false)
    desk.run()
    #expect(desk.count == 0)
    look(MemoryTrimmer.worthWhileBusy, isIdle: false)
    // While one is on its way there is no other.
    look(10 * MemoryTrimmer.worthWhileBusy, isIdle: true)
    desk.run()
    #expect(desk.count == 1)
    look(10 * MemoryTrimmer.worthWhileBusy, isIdle: true)
    desk.run()
    #expect(desk.count == 2)
    look(10 * MemoryTrimmer.worthWhileBusy, isIdle: true)
    desk.run()
    #expect(desk.count == 2)
  }

  @Test("Where no thread is to be had it is tried again")
  func noThread() {
    let desk = Desk()
    let trimmer = MemoryTrimmer(
      released: { 1 << 30 }, trim: {},
      start: { _ in
        desk.trims.add(1, ordering: .relaxed)
        return false
      })
    trimmer.look(isIdle: true)
    #expect(desk.count == 1)
  }
}
