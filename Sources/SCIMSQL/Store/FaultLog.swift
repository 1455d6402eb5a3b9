/// What the store tells the log of the server: that something fails, or that it is over.
public struct StoreNote: Sendable, Equatable {
  public var message: String
  public var isOver: Bool

  public init(message: String, isOver: Bool) {
    self.message = message
    self.isOver = isOver
  }
}

/// Tells the log that something fails, once for each reason, and once when it works again. For one thread.
///
/// Trouble that comes and goes, such as that of a disk on which only short writes find room, is one trouble: where it
/// begins anew within a minute of its end, the next end is told only when it has not failed for a minute.
final class FaultLog {
  /// In nanoseconds.
  static let calm: UInt64 = 60_000_000_000
  /// So many reasons are told; each is one sentence of the store's own or of the engine.
  private static let maximumReasons = 8

  private let place: String
  private let log: @Sendable (StoreNote) -> Void
  private let clock: @Sendable () -> UInt64
  /// What has been told and is not over.
  private var reasons: [String] = []
  private var lastFailure: UInt64 = 0
  private var lastEnd: UInt64?
  private var comesAndGoes = false

  /// - Parameter clock: nanoseconds that only go forward.
  init(
    _ place: String, _ log: @escaping @Sendable (StoreNote) -> Void,
    clock: @escaping @Sendable () -> UInt64 = Deadline.monotonic
  ) {
    self.place = place
    self.log = log
    self.clock = clock
  }

  func begin(_ reason: String) {
    lastFailure = clock()
    if reasons.isEmpty { comesAndGoes = lastEnd.map { lastFailure - $0 < Self.calm } ?? false }
    guard !reasons.contains(reason), reasons.count < Self.maximumReasons else { return }
    reasons.append(reason)
    log(StoreNote(message: "\(place): \(reason)", isOver: false))
  }

  /// It works: to be called each time, since what comes and goes is not over with the first.
  func end() {
    guard !reasons.isEmpty else { return }
    let now = clock()
    guard !comesAndGoes || now - lastFailure >= Self.calm else { return }
    log(StoreNote(message: "\(place): no longer: \(reasons.joined(separator: "; "))", isOver: true))
    reasons = []
    lastEnd = now
  }
}
