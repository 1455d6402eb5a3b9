import SCIMCore
import Synchronization

/// What the writer tells all readers of the state of the log.
final class LogState: Sendable {
  private let full = Atomic(false)
  private let stopping = Atomic(false)
  /// How old a snapshot may become while the log is full, in nanoseconds.
  private let maximumAge: UInt64

  init(maximumAge milliseconds: Int) { maximumAge = UInt64(max(milliseconds, 0)) * 1_000_000 }

  /// True while the log is as long as it may become: it can begin anew only when nobody reads an old state.
  var isFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }

  /// Ends all reads that have a limit.
  func stop() { stopping.store(true, ordering: .relaxed) }

  /// What ends a read that began at that moment; nil where it may go on.
  func interruption(since start: UInt64) -> SCIMError? {
    if stopping.load(ordering: .relaxed) { return .stopping }
    return isFull && Deadline.monotonic() &- start > maximumAge ? .snapshotTooOld : nil
  }
}
