import SCIMCore

/// Deletions that take several transactions.
extension SQLTransaction {
  func deleteOrganization(_ organization: OrganizationID) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      try settle()
      let org = organization.rawValue
      let isBegun = try statements.get("SELECT 1 FROM deletion WHERE org = \(org) AND resource = 0").first { _ in true }
      guard isBegun == true else {
        try hide(organization)
        return false
      }
      for table in Self.tablesOfOrganization where try deleteSome(of: table, org) { return false }
      for part in Self.remainder(of: org) { try statements.get(part).run() }
      return true
    }
  }

  /// Lets nobody find the organisation: nobody has a key of it, and its name is free.
  private func hide(_ organization: OrganizationID) throws(SCIMError) {
    let org = organization.rawValue
    // No folded name begins so.
    try statements.get("UPDATE organization SET name_key = char(1) || id WHERE id = \(org)").run()
    guard connection.changes == 1 else { throw SCIMError(.notFound, "There is no such organisation.") }
    try statements.get("DELETE FROM api_key WHERE org = \(org)").run()
    let statement = try statements.get(.insertDeletion)
    statement.bind(org, at: 1)
    statement.bind(0 as Int64, at: 2)
    try statement.run()
    try moveKeyRevision()
  }

  /// The tables that may have many rows of an organisation: in this order, so that no row refers to what is not there.
  /// With the columns behind `org` by which they are sorted, and how many rows go in one transaction.
  private static let tablesOfOrganization: [(name: SQLFragment, columns: SQLFragment, rows: Int64)] = [
    ("link", "owner, attr, seq", 5000), ("key", "attr, key, resource, element", 10_000),
    ("unique_key", "attr, key", 5000), ("signature", "type, block", 1000), ("resource", "pk", 1000),
    ("deleted_id", "id", 5000), ("outbox", "seq", 5000),
  ]

  /// True where there were rows.
  private func deleteSome(
    of table: (name: SQLFragment, columns: SQLFragment, rows: Int64), _ org: Int64
  ) throws(SCIMError) -> Bool {
    try statements.get(
      """
      DELETE FROM \(table.name) WHERE org = \(org) AND (\(table.columns)) IN (
        SELECT \(table.columns) FROM \(table.name) WHERE org = \(org) ORDER BY \(table.columns) LIMIT \(table.rows))
      """
    ).run()
    let count = connection.changes
    revisionChanges.targetsChanged()
    revisionChanges.linksChanged()
    try budget.takeOnce { count * WriteCost.link }
    return count > 0
  }

  /// What is little, or is kept for all organisations together.
  private static func remainder(of org: Int64) -> [SQLFragment] {
    [
      "DELETE FROM assignment_count WHERE org = \(org)", "DELETE FROM resource_count WHERE org = \(org)",
      "DELETE FROM definition WHERE org = \(org)",
      "DELETE FROM definition_change WHERE org = \(org)", "DELETE FROM definition_misfit WHERE org = \(org)",
      "DELETE FROM stale_index WHERE org = \(org)", "DELETE FROM second_name WHERE org = \(org)",
      "DELETE FROM api_key WHERE org = \(org)",
      "DELETE FROM deletion WHERE org = \(org)", "DELETE FROM organization WHERE id = \(org)",
    ]
  }

  /// Goes on with the deletion of a resource; true once it is done.
  func continueDeletion(of handle: Int64, in organization: OrganizationID) throws(SCIMError) -> Bool {
    let types = try registry(of: organization).types
    var byNumber: [Int64: ResourceType] = [:]
    for type in types { byNumber[try number(ofType: type.name)] = type }
    guard let stored = try resource(number: handle, links: .none, types: byNumber, in: organization),
      let type = types.first(where: { $0.name == stored.type })
    else {
      // It went another way, such as with its type.
      let statement = try statements.get(.deleteDeletion)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(handle, at: 2)
      try statement.run()
      return true
    }
    return try delete(stored, type: type, in: organization)
  }
}
