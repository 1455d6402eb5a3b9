import SCIMCore
import Synchronization

/// Lets one change of an organisation's definitions at a time go on in this process; others wait for their turn, since two
/// that begin from the same definitions cannot both be made.
final class DefinitionTurns: Sendable {
  /// How many changes of one organisation may wait.
  private static let maximumWaiting = 64
  /// Those that wait, of each organisation with a change under way.
  private let waiting = Mutex<[OrganizationID: [@Sendable () -> Void]]>([:])

  /// Calls `body` when it is its turn, which lasts until `leave`.
  ///
  /// - Throws: `tooManyRequests` where too many wait.
  func enter(_ organization: OrganizationID, _ body: @escaping @Sendable () -> Void) throws(SCIMError) {
    let isFree: Bool? = waiting.withLock { waiting in
      guard let others = waiting[organization] else {
        waiting[organization] = []
        return true
      }
      guard others.count < Self.maximumWaiting else { return nil }
      waiting[organization]?.append(body)
      return false
    }
    guard let isFree else { throw .tooManyWaiting }
    if isFree { body() }
  }

  /// Ends a turn, and begins the next one.
  func leave(_ organization: OrganizationID) {
    let next: (@Sendable () -> Void)? = waiting.withLock { waiting in
      guard var others = waiting[organization], !others.isEmpty else {
        waiting[organization] = nil
        return nil
      }
      let next = others.removeFirst()
      waiting[organization] = others
      return next
    }
    next?()
  }
}
