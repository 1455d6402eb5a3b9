import SCIMCore

/// Writes the index of an organisation (keys, unique values, signatures, counts, displays) anew from its documents, and
/// puts links back under the attribute that they belong to.
///
/// Documents stay as they are. What cannot be made of them is left for the check to tell: documents that cannot be read,
/// and values that must be unique and are not.
struct StoreRepair {
  let transaction: SQLTransaction
  let organization: OrganizationID
  private var org: Int64 { organization.rawValue }
  private static let pageSize: Int64 = 500

  init(transaction: SQLTransaction, organization: OrganizationID) {
    self.transaction = transaction
    self.organization = organization
  }

  /// Repairs one organisation; gives how many resources it has.
  ///
  /// - Parameter progress: told for each resource.
  func run(progress: () -> Void) throws(SCIMError) -> Int {
    let registry = try transaction.registry(of: organization)
    // All of the index goes, also what a change of definitions has written or left behind.
    try transaction.giveUpChange(of: organization)
    try transaction.statements.get("DELETE FROM stale_index WHERE org = \(org)").run()
    for table: SQLFragment in ["key", "unique_key", "signature"] {
      try transaction.statements.get("DELETE FROM \(table) WHERE org = \(org)").run()
    }
    var counts: [Int64: Int64] = [:]
    var seen = 0
    var last: Int64 = 0
    while true {
      let rows = try page(after: last)
      guard let end = rows.last else { break }
      last = end.handle
      for row in rows {
        counts[row.type, default: 0] += 1
        seen += 1
        progress()
        try index(row, registry: registry)
      }
    }
    try writeCounts(counts)
    try repairLinks(registry)
    for statement in AssignmentCountCheck.repair(organization) { try transaction.statements.get(statement).run() }
    try transaction.settle()
    return seen
  }

  // MARK: Documents

  private struct Row {
    var handle: Int64
    var type: Int64
    var display: String?
    var displayKey: String?
    var document: [UInt8]
  }

  private func page(after: Int64) throws(SCIMError) -> [Row] {
    var rows: [Row] = []
    try transaction.statements.get(
      "SELECT pk, type, display, display_key, doc FROM resource WHERE org = \(org) AND pk > \(after) ORDER BY pk LIMIT \(Self.pageSize)"
    ).forEach {
      rows.append(
        Row(
          handle: $0.integer(0), type: $0.integer(1), display: $0.optionalText(2), displayKey: $0.optionalText(3),
          document: $0.bytes(4)))
    }
    return rows
  }

  private func index(_ row: Row, registry: SchemaRegistry) throws(SCIMError) {
    guard let name = try transaction.storedName(ofType: row.type), let type = registry.type(named: name),
      let document = try? JSON(parsing: row.document).objectValue
    else { return }
    for unique in try transaction.uniqueRows(
      of: DocumentIndex.uniqueKeys(of: document, type: type, settings: registry.settings), type: type, number: row.type)
    {
      do throws(SCIMError) {
        try transaction.insert(unique, resource: row.handle, in: organization)
      } catch {
        // The first one keeps the value.
        guard error.kind == .uniqueness else { throw error }
      }
    }
    try transaction.changeIndex(
      from: JSONObject(), to: document, type: type, number: row.type, resource: row.handle, in: organization)
    let display = DocumentIndex.display(of: document, type: type)
    let key = display.map(Folding.fold)
    guard display != row.display || key != row.displayKey else { return }
    transaction.revisionChanges.targetsChanged()
    let statement = try transaction.statements.get(
      "UPDATE resource SET display = ?, display_key = ? WHERE pk = ? AND org = ?")
    statement.bind(display, at: 1)
    statement.bind(key, at: 2)
    statement.bind(row.handle, at: 3)
    statement.bind(org, at: 4)
    try statement.run()
  }

  /// The numbers of changes move on, so that nobody takes what was found before for what is found now.
  private func writeCounts(_ counts: [Int64: Int64]) throws(SCIMError) {
    try transaction.statements.get(
      "DELETE FROM resource_count WHERE org = \(org) AND type NOT IN (SELECT id FROM type)"
    ).run()
    try transaction.statements.get(
      "UPDATE resource_count SET count = 0, changes = changes + 1, deletions = deletions + 1 WHERE org = \(org)"
    ).run()
    for (type, count) in counts where try transaction.storedName(ofType: type) != nil {
      let statement = try transaction.statements.get(.addToCount)
      statement.bind(org, at: 1)
      statement.bind(type, at: 2)
      statement.bind(count, at: 3)
      statement.bind(1, at: 4)
      statement.bind(1, at: 5)
      try statement.run()
    }
  }

  // MARK: Links

  private struct Link {
    var owner: Int64
    var attribute: Int64
    var sequence: Int64
    var target: Int64
    var extra: [UInt8]?
  }

  /// Puts links that stand under no attribute of their owner, or under one that cannot hold them, under the one that can;
  /// where there are several such, nobody knows which, and they stay.
  private func repairLinks(_ registry: SchemaRegistry) throws(SCIMError) {
    let check = LinkCheck(reader: transaction, organization: org, registry: registry)
    for group in try check.misplaced() {
      guard group.candidates.count == 1, let path = group.candidates.first else { continue }
      transaction.revisionChanges.linksChanged()
      for link in try links(of: group) {
        let statement = try transaction.statements.get(.deleteLink)
        statement.bind(org, at: 1)
        statement.bind(link.owner, at: 2)
        statement.bind(link.attribute, at: 3)
        statement.bind(link.sequence, at: 4)
        try statement.run()
        let extra = try link.extra.map { (bytes) throws(SCIMError) in try SQLReader.object(bytes) }
        _ = try transaction.link(
          owner: link.owner, attribute: path, target: link.target, extra: extra ?? JSONObject(), in: organization)
      }
    }
  }

  private func links(of group: LinkCheck.Group) throws(SCIMError) -> [Link] {
    var links: [Link] = []
    try transaction.statements.get(
      """
      SELECT l.owner, l.attr, l.seq, l.target, l.extra FROM link l
      CROSS JOIN resource o ON o.pk = l.owner CROSS JOIN resource t ON t.pk = l.target
      WHERE l.org = \(org) AND l.attr = \(group.attribute) AND o.type = \(group.ownerType)
        AND t.type = \(group.targetType)
      ORDER BY l.owner, l.seq
      """
    ).forEach {
      links.append(
        Link(
          owner: $0.integer(0), attribute: $0.integer(1), sequence: $0.integer(2), target: $0.integer(3),
          extra: $0.isNull(4) ? nil : $0.bytes(4)))
    }
    return links
  }
}

extension SQLReader {
  /// The name of a type, as the database has it now; nil where no type has that number.
  func storedName(ofType number: Int64) throws(SCIMError) -> String? {
    let statement = try statements.get(.typeName)
    statement.bind(number, at: 1)
    return try statement.first { $0.text(0) }
  }
}

extension SQLStore {
  /// Writes the index of every organisation anew, each in a transaction of its own, and removes index rows of
  /// organisations that do not exist.
  ///
  /// - Parameter progress: told every thousand resources how many were looked at.
  /// - Returns: how many resources were looked at; organisations whose definitions cannot be read are left out.
  public func repair(progress: @escaping @Sendable (_ resources: Int) -> Void = { _ in }) throws(SCIMError) -> Int {
    var seen = 0
    let reader = try makeReader()
    let organizations = try reader.organizations().filter { (try? reader.tenant($0.id).registry()) != nil }
    reader.release()
    for organization in organizations.map(\.id) {
      let before = seen
      seen += try writeAndWait { (transaction) throws(SCIMError) in
        guard let transaction = transaction as? SQLTransaction else { return 0 }
        var count = before
        // An administrator waits for it, and nobody writes meanwhile.
        transaction.budget = .unlimited
        return try transaction.change { () throws(SCIMError) in
          try StoreRepair(transaction: transaction, organization: organization).run {
            count += 1
            if count % 1000 == 0 { progress(count) }
          }
        }
      }
    }
    try writeAndWait { (transaction) throws(SCIMError) in
      guard let transaction = transaction as? SQLTransaction else { return }
      transaction.budget = .unlimited
      try transaction.change { () throws(SCIMError) in
        for table: SQLFragment in ["key", "unique_key", "signature", "assignment_count"] {
          try transaction.statements.get(
            "DELETE FROM \(table) WHERE org NOT IN (SELECT id FROM organization)"
          ).run()
        }
      }
    }
    progress(seen)
    return seen
  }
}
