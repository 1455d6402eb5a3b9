/// A moment on the monotonic clock, to tell how long something took.
struct Stopwatch {
  private let start = SuspendingClock.now

  /// The microseconds since then.
  var microseconds: Int64 {
    let elapsed = (SuspendingClock.now - start).components
    return elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000
  }
}
