import CSystem
import Glibc
import Synchronization

/// Gives memory back to the system after long bodies and answers, on a thread of its own, since it takes a while.
///
/// What the allocator frees inside its arenas stays with the process; long work leaves some twenty times the bytes of a
/// body there. It is given back once enough bytes have come and gone: soon where a loop has nothing to do, later where
/// all are busy.
final class MemoryTrimmer: Sendable {
  /// So many bytes must have come and gone before an idle loop has memory given back, and before a busy one has.
  static let worthWhileIdle = 4 << 20
  static let worthWhileBusy = 256 << 20

  private struct State {
    var trimmed = 0
    var isRunning = false
  }

  private let released: @Sendable () -> Int
  private let trim: @Sendable () -> Void
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - released: how many bytes have ever come and gone.
  ///   - trim: gives memory back; takes a while.
  ///   - start: runs something on another thread; false where there is none to be had.
  init(
    released: @escaping @Sendable () -> Int, trim: @escaping @Sendable () -> Void = { csystem_trim_memory() },
    start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { body in ThreadStart { body() }.begin() }
  ) {
    self.released = released
    self.trim = trim
    self.start = start
  }

  /// Has memory given back where it is worth while; returns at once.
  func look(isIdle: Bool) {
    let released = released()
    let isDue = state.withLock { state in
      guard !state.isRunning, released - state.trimmed >= (isIdle ? Self.worthWhileIdle : Self.worthWhileBusy) else {
        return false
      }
      state.isRunning = true
      state.trimmed = released
      return true
    }
    guard isDue else { return }
    let isStarted = start { [self] in
      trim()
      state.withLock { $0.isRunning = false }
    }
    if !isStarted { state.withLock { $0.isRunning = false } }
  }
}
