import Glibc
import SCIMCore

/// The moment at which a search is to end.
public struct Deadline: Sendable {
  private let end: UInt64
  private let clock: @Sendable () -> UInt64

  /// A moment that many milliseconds from now, by a clock that counts nanoseconds and never goes back.
  init(milliseconds: Int, clock: @escaping @Sendable () -> UInt64) {
    self.clock = clock
    end = clock() &+ UInt64(max(milliseconds, 0)) * 1_000_000
  }

  public var isOver: Bool { clock() >= end }
}

extension Deadline {
  /// The machine's clock.
  public static let monotonic: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension SCIMError {
  /// What a read is answered that has met its deadline (RFC 7644 section 3.12: more than the server is willing to
  /// process).
  static var readTooLong: SCIMError {
    SCIMError(.tooMany, "The search takes longer than this server allows. Use a narrower filter.")
  }

  /// What ends a read whose answer nobody waits for any more.
  static var abandoned: SCIMError { SCIMError(.unavailable, "The client has disconnected.") }

  /// What a read is answered that had to end for another reason than its length.
  static var snapshotTooOld: SCIMError {
    SCIMError(
      .unavailable, "The database changes too fast for such a long read. Try again when less is written."
    )
  }
}
