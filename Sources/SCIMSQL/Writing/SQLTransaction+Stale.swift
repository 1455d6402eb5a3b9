import SCIMCore

/// Parts of the index that nothing is searched by any more, or that are written for a change which was given up: they go
/// in several transactions.
extension SQLTransaction {
  enum Stale: String {
    case key, unique, signature
    /// Displays are to be made anew.
    case display
  }

  /// Notes that these parts of the index are stale, or are not any more. A change may be of thousands.
  func setStale(_ isStale: Bool, _ names: [IndexName], in organization: OrganizationID) throws(SCIMError) {
    var numbers: [Stale: [Int64]] = [:]
    for (name, some) in Dictionary(grouping: names, by: \.type).sorted(by: { $0.key < $1.key }) {
      let type = try makeNumber(ofType: name)
      let paths = some.filter { $0.kind != .signature }
      let attributes = try makeNumbers(ofAttributes: paths.map(\.path), type: type)
      for one in some {
        switch one.kind {
        case .key: if let number = attributes[one.path] { numbers[.key, default: []].append(number) }
        case .unique: if let number = attributes[one.path] { numbers[.unique, default: []].append(number) }
        case .signature: numbers[.signature, default: []].append(type)
        }
      }
    }
    for (kind, numbers) in numbers {
      try budget.take(WriteCost.statement + numbers.count * WriteCost.lookUp)
      let statement = try statements.get(isStale ? .insertStaleParts : .deleteStaleParts)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(kind.rawValue, at: 2)
      statement.bindText(Self.list(numbers.sorted()), at: 3)
      try statement.run()
    }
  }

  /// The numbers of attributes of a type, given to those that have none.
  private func makeNumbers(
    ofAttributes paths: [String], type: Int64
  ) throws(SCIMError) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    func look(for paths: [String]) throws(SCIMError) -> [String] {
      try budget.take(WriteCost.statement + paths.count * WriteCost.lookUp)
      let statement = try statements.get(.attributeNumbers)
      statement.bind(type, at: 1)
      statement.bindText(Self.list(paths), at: 2)
      try statement.forEach { row in
        let place = Int(row.integer(0))
        guard paths.indices.contains(place) else { return }
        numbers[paths[place]] = row.integer(1)
        names.add(attribute: paths[place], type: type, number: row.integer(1))
      }
      return paths.filter { numbers[$0] == nil }
    }
    var unknown: Set<String> = []
    for path in paths {
      if let known = names.number(ofAttribute: path, type: type) { numbers[path] = known } else { unknown.insert(path) }
    }
    guard !unknown.isEmpty else { return numbers }
    let new = try look(for: unknown.sorted())
    guard !new.isEmpty else { return numbers }
    try budget.take(WriteCost.statement + new.count * WriteCost.indexRow)
    let insert = try statements.get(.insertAttributes)
    insert.bind(type, at: 1)
    insert.bindText(Self.list(new), at: 2)
    try insert.run()
    // The engine may have understood a text otherwise, such as one with a zero in it.
    for path in try look(for: new) { numbers[path] = try makeNumber(ofAttribute: path, type: type) }
    return numbers
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

  func makeNames(_ plan: PendingChange, in organization: OrganizationID) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      let names = plan.parts.values.flatMap { $0.writes + $0.drops }.filter { $0.kind != .signature }
      for (name, some) in Dictionary(grouping: names, by: \.type).sorted(by: { $0.key < $1.key }) {
        if budget.spent >= Self.steps / 4 { return false }
        _ = try makeNumbers(ofAttributes: some.map(\.path), type: makeNumber(ofType: name))
      }
      return budget.spent < Self.steps / 4
    }
  }

  /// How many rows go by one statement: with what is taken for them less than one of several transactions may take.
  private static let rows: Int64 = 1000
  private static let steps = WorkBudget.writeLimit / 4

  func removeStale(in organization: OrganizationID) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      // What is being written for a change that is under way is none yet.
      guard try numberOfChange(of: organization) == nil else { return true }
      try settle()
      while try removeMisfits(of: organization) {
        if budget.spent >= Self.steps { return false }
      }
      while budget.spent < Self.steps {
        let statement = try statements.get(.firstStale)
        statement.bind(organization.rawValue, at: 1)
        let first = try statement.first { (kind: $0.text(0), number: $0.integer(1), position: $0.integer(2)) }
        guard let first else { return true }
        budget.note(WriteCost.statement)
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
    budget.note(3 * WriteCost.statement + count * WriteCost.indexRow)
    return count < Int(limit)
  }

  /// Removes what was noted of resources that did not fit a change which has ended; true where there may be more.
  func removeMisfits(of organization: OrganizationID) throws(SCIMError) -> Bool {
    let statement = try statements.get(.deleteMisfits)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(Self.rows, at: 2)
    try statement.run()
    let count = connection.changes
    budget.note(count * WriteCost.indexRow)
    return count == Int(Self.rows)
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
