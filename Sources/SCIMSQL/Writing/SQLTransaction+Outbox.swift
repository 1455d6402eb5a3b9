import SCIMCore

/// What changed, in order.
extension SQLTransaction {
  /// How many changes the outbox keeps, of all organisations together.
  static let keptChanges: Int64 = 100_000
  private static let changesBetweenPrunings: Int64 = 4096

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
  }

  /// Removes what is older than the changes to be kept, now and then: twice as many rows as come between two of these at
  /// most, so that no commit waits long for it.
  ///
  /// - Parameter number: the number of the last change.
  func pruneOutbox(upTo number: Int64) throws(SCIMError) {
    guard number - pruned >= Self.changesBetweenPrunings else { return }
    let statement = try statements.get(.pruneOutbox)
    statement.bind(number - Self.keptChanges, at: 1)
    statement.bind(2 * Self.changesBetweenPrunings, at: 2)
    try statement.run()
    // Where there may be more, the next transaction goes on.
    if connection.changes < 2 * Self.changesBetweenPrunings { pruned = number }
  }
}
