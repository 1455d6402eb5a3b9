import SCIMCore

/// What changed, in order.
extension SQLTransaction {
  /// How many changes the outbox keeps, of all organisations together.
  static let keptChanges: Int64 = 100_000
  func record(
    _ kind: String, id: String, version: Int64, type: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    let statement = try statements.get(.insertOutbox)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(type, at: 2)
    statement.bind(id, at: 3)
    statement.bind(version, at: 4)
    statement.bind(kind, at: 5)
    statement.bind(now.milliseconds, at: 6)
    try statement.run()
    pruning.recorded()
  }

  /// Removes what is older than the changes to be kept, now and then: twice as many rows as come between two of these at
  /// most, so that no commit waits long for it. A transaction that has recorded nothing removes nothing either.
  func pruneOutbox() throws(SCIMError) {
    guard let number = pruning.due else { return }
    try change { () throws(SCIMError) in
      let statement = try statements.get(.pruneOutbox)
      statement.bind(number - Self.keptChanges, at: 1)
      statement.bind(OutboxPruning.rows, at: 2)
      try statement.run()
      // Where there may be more, the next transaction goes on.
      if connection.changes < OutboxPruning.rows { pruning.wasRemoved(upTo: number) }
    }
  }
}

/// When the oldest changes are removed from the outbox.
struct OutboxPruning {
  private static let changesBetween: Int64 = 4096
  /// How many are removed at a time, at most.
  static let rows = 2 * changesBetween

  /// The number of the last change before this transaction.
  private var last: Int64 = 0
  private var hasRecorded = false
  /// The number of the last change when the oldest were last removed.
  private var pruned: Int64 = 0
  private var uncommitted: Int64?

  mutating func begin(last: Int64) {
    self.last = last
    hasRecorded = false
    uncommitted = nil
  }

  mutating func recorded() { hasRecorded = true }

  /// The number of the last change where it is time to remove the oldest.
  var due: Int64? { hasRecorded && last - pruned >= Self.changesBetween ? last : nil }

  mutating func wasRemoved(upTo number: Int64) { uncommitted = number }

  mutating func commit() {
    if let uncommitted { pruned = uncommitted }
    uncommitted = nil
  }

  mutating func rollBack() { uncommitted = nil }
}
