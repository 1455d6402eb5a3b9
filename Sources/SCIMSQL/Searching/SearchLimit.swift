import SCIMCore

/// How long a read on a worker may take, and the clock that says so.
struct SearchLimit: Sendable {
  /// 0 sets no limit.
  let milliseconds: Int
  let clock: @Sendable () -> UInt64
  let log: LogState

  /// The budget of a read that begins now: it ends with its deadline, when nobody waits for it any more, and
  /// where what it reads keeps the log from beginning anew.
  func budget(isAbandoned: @escaping @Sendable () -> Bool) -> WorkBudget {
    let deadline = milliseconds > 0 ? Deadline(milliseconds: milliseconds, clock: clock) : nil
    let (log, start) = (log, Deadline.monotonic())
    return WorkBudget(limit: .max, exhaustion: .isRefused) {
      if deadline?.isOver == true { return .readTooLong }
      if let error = log.interruption(since: start) { return error }
      return isAbandoned() ? .abandoned : nil
    }
  }
}
