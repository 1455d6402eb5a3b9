/// How long a search may take, and the clock that says so.
struct SearchLimit: Sendable {
  private let milliseconds: Int
  private let clock: @Sendable () -> UInt64

  /// Nil for 0, which sets no limit.
  init?(milliseconds: Int, clock: @escaping @Sendable () -> UInt64) {
    guard milliseconds > 0 else { return nil }
    self.milliseconds = milliseconds
    self.clock = clock
  }

  /// That of a search which begins now.
  var deadline: Deadline { Deadline(milliseconds: milliseconds, clock: clock) }
}
