import Synchronization

/// Counts the commits of this process, so that readers know when to renew their snapshots.
final class CommitCounter: Sendable {
  private let count = Atomic<UInt64>(0)

  var value: UInt64 { count.load(ordering: .acquiring) }

  func increment() { count.wrappingAdd(1, ordering: .releasing) }
}
