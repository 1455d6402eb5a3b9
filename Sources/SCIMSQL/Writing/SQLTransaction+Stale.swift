import SCIMCore

/// Parts of the index that nothing is searched by any more, or that are written for a change which was given up: they go
/// in several transactions.
extension SQLTransaction {
  enum Stale: String {
    case key, unique, signature
    /// Displays are to be made anew.
    case display
  }

  func setStale(_ isStale: Bool, _ name: IndexName, in organization: OrganizationID) throws(SCIMError) {
    switch name.kind {
    case .key: try setStale(isStale, .key, attribute(name), in: organization)
    case .unique: try setStale(isStale, .unique, attribute(name), in: organization)
    case .signature: try setStale(isStale, .signature, makeNumber(ofType: name.type), in: organization)
    }
  }

  private func attribute(_ name: IndexName) throws(SCIMError) -> Int64 {
    try makeNumber(ofAttribute: name.path, type: makeNumber(ofType: name.type))
  }

  func setStale(
    _ isStale: Bool, _ kind: Stale, _ number: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    try budget.take(WriteCost.statement)
    let statement = try statements.get(isStale ? .insertStale : .deleteStale)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(kind.rawValue, at: 2)
    statement.bind(number, at: 3)
    try statement.run()
  }

  /// How many rows go by one statement: with what is taken for them less than one of several transactions may take.
  private static let rows: Int64 = 1000
  private static let steps = WorkBudget.writeLimit / 4

  func removeStale(in organization: OrganizationID) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      // What is being written for a change that is under way is none yet.
      guard try pendingChange(of: organization) == nil else { return true }
      try settle()
      while budget.spent < Self.steps {
        let statement = try statements.get(.firstStale)
        statement.bind(organization.rawValue, at: 1)
        let first = try statement.first { (kind: $0.text(0), number: $0.integer(1), position: $0.integer(2)) }
        guard let first else { return true }
        guard let kind = Stale(rawValue: first.kind) else {
          throw SCIMError(.internalError, "database: a part of the index is of an unknown kind")
        }
        let isDone =
          kind == .display
          ? try makeDisplays(ofType: first.number, after: first.position, in: organization)
          : try removeRows(kind, first.number, in: organization)
        if isDone { try setStale(false, kind, first.number, in: organization) }
      }
      return false
    }
  }

  /// True where there were no more.
  private func removeRows(
    _ kind: Stale, _ number: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    let (org, limit) = (organization.rawValue, Self.rows)
    let statement: SQLFragment =
      switch kind {
      case .key:
        """
        DELETE FROM key WHERE org = \(org) AND attr = \(number) AND (key, resource, element) IN (
          SELECT key, resource, element FROM key WHERE org = \(org) AND attr = \(number)
          ORDER BY key, resource, element LIMIT \(limit))
        """
      case .unique:
        """
        DELETE FROM unique_key WHERE org = \(org) AND attr = \(number) AND key IN (
          SELECT key FROM unique_key WHERE org = \(org) AND attr = \(number) ORDER BY key LIMIT \(limit))
        """
      case .signature, .display:
        """
        DELETE FROM signature WHERE org = \(org) AND type = \(number) AND block IN (
          SELECT block FROM signature WHERE org = \(org) AND type = \(number) ORDER BY block LIMIT \(limit))
        """
      }
    try statements.get(statement).run()
    let count = connection.changes
    budget.note(WriteCost.statement + count * WriteCost.indexRow)
    return count < Int(limit)
  }

  /// True where there were no more resources behind `position`.
  private func makeDisplays(
    ofType number: Int64, after position: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    let name = try name(ofType: number)
    guard let type = try registry(of: organization).type(named: name) else { return true }
    let org = organization.rawValue
    var rows: [(handle: Int64, document: [UInt8])] = []
    try statements.get(
      """
      SELECT pk, doc FROM resource WHERE org = \(org) AND type = \(number) AND pk > \(position)
      ORDER BY pk LIMIT \(Self.rows / 10)
      """
    ).forEach { rows.append(($0.integer(0), $0.bytes(1))) }
    guard let last = rows.last else { return true }
    revisionChanges.targetsChanged()
    for row in rows {
      budget.note(2 * WriteCost.statement + WriteCost.parsing(row.document.count))
      guard let document = try? JSON(parsing: row.document).objectValue else { continue }
      let display = DocumentIndex.display(of: document, type: type)
      let statement = try statements.get(.setDisplay)
      statement.bind(row.handle, at: 1)
      statement.bind(org, at: 2)
      statement.bind(display, at: 3)
      statement.bind(display.map(Folding.fold), at: 4)
      try statement.run()
    }
    let move = try statements.get(.moveStale)
    move.bind(org, at: 1)
    move.bind(Stale.display.rawValue, at: 2)
    move.bind(number, at: 3)
    move.bind(last.handle, at: 4)
    try move.run()
    count(0, type: number, in: organization)
    return false
  }
}
