import Foundation

/// A moment on the monotonic clock, to tell how long something took.
///
/// Held as a number: an instant of the library's clocks is copied by way of its type's metadata.
struct Stopwatch {
  private let start = Self.nanoseconds()

  /// The microseconds since then.
  var microseconds: Int64 { (Self.nanoseconds() - start) / 1000 }

  private static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
