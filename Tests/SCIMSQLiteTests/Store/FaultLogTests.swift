import Synchronization
import Testing

@testable import SCIMSQL

@Suite struct FaultLogTests {
  private static let second: UInt64 = 1_000_000_000

  /// A log whose clock the test moves, and its lines; those that tell an end begin with a plus.
  private final class World: Sendable {
    let now = Atomic<UInt64>(1_000 * second)
    private let lines = Mutex<[String]>([])

    func makeLog() -> FaultLog {
      FaultLog(
        "writing", { note in self.lines.withLock { $0.append((note.isOver ? "+" : "-") + note.message) } },
        clock: { self.now.load(ordering: .relaxed) })
    }

    func pass(seconds: UInt64) { now.add(seconds * second, ordering: .relaxed) }

    /// The lines since the last call.
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  private let world = World()

  @Test func troubleIsToldWhenItBeginsAndWhenItEnds() {
    let log = world.makeLog()
    log.end()
    #expect(world.take() == [])
    for _ in 0..<3 { log.begin("full") }
    #expect(world.take() == ["-writing: full"])
    log.end()
    log.end()
    #expect(world.take() == ["+writing: no longer: full"])
    // Long after that it is another trouble.
    world.pass(seconds: 60)
    log.begin("full")
    log.end()
    #expect(world.take() == ["-writing: full", "+writing: no longer: full"])
  }

  @Test func eachReasonOfOneTroubleIsToldOnce() {
    let log = world.makeLog()
    for _ in 0..<10 {
      log.begin("full")
      log.begin("input or output")
    }
    #expect(world.take() == ["-writing: full", "-writing: input or output"])
    log.end()
    #expect(world.take() == ["+writing: no longer: full; input or output"])
  }

  /// At the edge of a full disk each second write fails.
  @Test func troubleThatComesAndGoesIsOneTrouble() {
    let log = world.makeLog()
    for _ in 0..<1000 {
      log.begin("full")
      log.end()
      world.pass(seconds: 1)
    }
    #expect(world.take() == ["-writing: full", "+writing: no longer: full", "-writing: full"])
    // The last failure was a second ago.
    world.pass(seconds: 58)
    log.end()
    #expect(world.take() == [])
    world.pass(seconds: 1)
    log.end()
    #expect(world.take() == ["+writing: no longer: full"])
    // Once it was calm for so long, the next trouble ends with the first write again.
    world.pass(seconds: 60)
    log.begin("full")
    log.end()
    #expect(world.take() == ["-writing: full", "+writing: no longer: full"])
  }
}
