/// Tells the log that something fails, once for each reason until it works again. For one thread.
final class FaultLog {
  private let place: String
  private let log: @Sendable (String) -> Void
  private var present: String?

  init(_ place: String, _ log: @escaping @Sendable (String) -> Void) {
    self.place = place
    self.log = log
  }

  func begin(_ reason: String) {
    guard present != reason else { return }
    present = reason
    log("\(place): \(reason)")
  }

  /// It works.
  func end() {
    guard let reason = present else { return }
    present = nil
    log("\(place): no longer: \(reason)")
  }
}
