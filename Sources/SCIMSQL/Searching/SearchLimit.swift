import SCIMCore

/// How long a read on a worker may take, and the clock that says so.
struct SearchLimit: Sendable {
  /// 0 sets no limit.
  let milliseconds: Int
  let clock: @Sendable () -> UInt64

  /// The budget of a read that begins now: it ends with its deadline, or when nobody waits for it any more.
  func budget(isAbandoned: @escaping @Sendable () -> Bool) -> WorkBudget {
    let deadline = milliseconds > 0 ? Deadline(milliseconds: milliseconds, clock: clock) : nil
    return WorkBudget(limit: .max, exhaustion: .isRefused) {
      if deadline?.isOver == true { return .readTooLong }
      return isAbandoned() ? .abandoned : nil
    }
  }
}
