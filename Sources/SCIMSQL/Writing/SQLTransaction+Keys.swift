import SCIMCore

/// A row of `key` without its organisation and resource; ordered as the table is, so that neighbours are written
/// together.
struct KeyRow: Hashable, Comparable {
  var attribute: Int64
  var key: String
  var element: Int64
  var isSortKey: Bool

  static func < (left: KeyRow, right: KeyRow) -> Bool {
    if left.attribute != right.attribute { return left.attribute < right.attribute }
    return left.element < right.element
  }
}

/// A row of `unique_key` without its organisation and resource.
struct UniqueRow: Hashable {
  var attribute: Int64
  var key: String
  /// For the message where it is taken.
  var path: String

  static func == (left: UniqueRow, right: UniqueRow) -> Bool {
    left.attribute == right.attribute && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(attribute)
    hasher.combine(key)
  }
}

extension SQLTransaction {
  func keyRows(of document: JSONObject, type: ResourceType, number: Int64) throws(SCIMError) -> [KeyRow] {
    var rows: [KeyRow] = []
    for key in DocumentIndex.keys(of: document, type: type) {
      let row = KeyRow(
        attribute: try makeNumber(ofAttribute: key.path, type: number), key: key.key, element: Int64(key.element),
        isSortKey: key.isSortKey)
      rows.append(row)
    }
    return rows
  }

  func uniqueRows(
    of document: JSONObject, type: ResourceType, number: Int64
  ) throws(SCIMError) -> [UniqueRow] {
    var rows: [UniqueRow] = []
    for key in DocumentIndex.uniqueKeys(of: document, type: type) {
      rows.append(
        UniqueRow(
          attribute: try makeNumber(ofAttribute: key.path, type: number), key: key.key, path: key.path))
    }
    return rows
  }

  /// - Throws: `uniqueness` where another resource than `resource` has the value.
  func checkUnique(_ row: UniqueRow, resource: Int64?, in organization: OrganizationID) throws(SCIMError) {
    let statement = try statements.get(.uniqueOwner)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(row.attribute, at: 2)
    statement.bind(row.key, at: 3)
    if let owner = try statement.first({ $0.integer(0) }), owner != resource { throw Self.taken(row) }
  }

  private static func taken(_ row: UniqueRow) -> SCIMError {
    SCIMError(.uniqueness, "Another resource of the organisation has this '\(row.path)'.")
  }

  func insert(_ row: KeyRow, resource: Int64, in organization: OrganizationID) throws(SCIMError) {
    let statement = try statements.get(.insertKey)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(row.attribute, at: 2)
    statement.bind(row.key, at: 3)
    statement.bind(resource, at: 4)
    statement.bind(row.element, at: 5)
    statement.bind(row.isSortKey ? 1 : 0 as Int64, at: 6)
    try statement.run()
  }

  func insert(_ row: UniqueRow, resource: Int64, in organization: OrganizationID) throws(SCIMError) {
    let statement = try statements.get(.insertUniqueKey)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(row.attribute, at: 2)
    statement.bind(row.key, at: 3)
    statement.bind(resource, at: 4)
    guard try statement.runUnlessTaken() else { throw Self.taken(row) }
  }

  /// Writes the difference between the stored rows and `rows`.
  func replaceKeyRows(
    with rows: [KeyRow], resource: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    var removed: Set<KeyRow> = []
    let stored = try statements.get(.keysOfResource)
    stored.bind(resource, at: 1)
    stored.bind(organization.rawValue, at: 2)
    try stored.forEach { row in
      removed.insert(
        KeyRow(
          attribute: row.integer(0), key: row.text(1), element: row.integer(2), isSortKey: row.integer(3) != 0))
    }
    var added: [KeyRow] = []
    for row in rows where removed.remove(row) == nil { added.append(row) }
    for row in removed.sorted() {
      let statement = try statements.get(.deleteKey)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(row.attribute, at: 2)
      statement.bind(row.key, at: 3)
      statement.bind(resource, at: 4)
      statement.bind(row.element, at: 5)
      try statement.run()
    }
    for row in added { try insert(row, resource: resource, in: organization) }
  }

  /// Writes the difference between the stored unique values and `rows`.
  func replaceUniqueRows(
    with rows: [UniqueRow], resource: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    var removed: Set<UniqueRow> = []
    let stored = try statements.get(.uniqueKeysOfResource)
    stored.bind(resource, at: 1)
    stored.bind(organization.rawValue, at: 2)
    try stored.forEach { row in
      removed.insert(UniqueRow(attribute: row.integer(0), key: row.text(1), path: ""))
    }
    var added: [UniqueRow] = []
    for row in rows where removed.remove(row) == nil { added.append(row) }
    for row in removed {
      let statement = try statements.get(.deleteUniqueKey)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(row.attribute, at: 2)
      statement.bind(row.key, at: 3)
      statement.bind(resource, at: 4)
      try statement.run()
    }
    for row in added { try insert(row, resource: resource, in: organization) }
  }
}
