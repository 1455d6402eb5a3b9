import SCIMCore

extension SQLReader {
  public func organizations() throws(SCIMError) -> [Organization] {
    try enter()
    var found: [Organization] = []
    try statements.get(.organizations).forEach { (row) throws(SCIMError) in
      found.append(try Self.organization(row, from: 0))
    }
    return found
  }

  public func organization(named name: String) throws(SCIMError) -> Organization? {
    try enter()
    let statement = try statements.get(.organizationByName)
    statement.bind(Folding.fold(name), at: 1)
    return try statement.first { (row) throws(SCIMError) in try Self.organization(row, from: 0) }
  }

  func organization(_ organization: OrganizationID) throws(SCIMError) -> Organization? {
    try enter()
    let statement = try statements.get(.organization)
    statement.bind(organization.rawValue, at: 1)
    return try statement.first { (row) throws(SCIMError) in try Self.organization(row, from: 0) }
  }

  public func keys(of organization: OrganizationID) throws(SCIMError) -> [APIKey] {
    try enter()
    var found: [APIKey] = []
    let statement = try statements.get(.keysOfOrganization)
    statement.bind(organization.rawValue, at: 1)
    try statement.forEach { (row) throws(SCIMError) in found.append(try Self.key(row)) }
    return found
  }

  public func key(digest: [UInt8]) throws(SCIMError) -> (key: APIKey, organization: Organization)? {
    try enter()
    try checkKeys()
    if let known = keys.find(digest) { return known }
    let statement = try statements.get(.keyByDigest)
    statement.bindBlob(digest, at: 1)
    let found = try statement.first { (row) throws(SCIMError) in
      (key: try Self.key(row), organization: try Self.organization(row, from: 9))
    }
    if let found { keys.add(found, digest: digest) }
    return found
  }

  /// Forgets keys and registries where another transaction has changed some.
  func checkKeys() throws(SCIMError) {
    guard !keys.isChecked(in: snapshot) else { return }
    keys.check(revision: try presentRevisions().keys, in: snapshot)
  }

  private static func organization(_ row: Statement, from column: Int32) throws(SCIMError) -> Organization {
    guard let catalog = Organization.Catalog(rawValue: row.text(column + 2)) else {
      throw SCIMError(.internalError, "database: an organisation has an unknown kind of catalogue")
    }
    guard let groupNames = Organization.Uniqueness(rawValue: row.text(column + 5)),
      let externalIDs = Organization.Uniqueness(rawValue: row.text(column + 6)),
      let announced = Set<Organization.Announcement>(text: row.text(column + 7))
    else { throw SCIMError(.internalError, "database: an organisation has an unknown setting") }
    return Organization(
      id: OrganizationID(rawValue: row.integer(column)), name: row.text(column + 1), catalog: catalog,
      grants: row.integer(column + 4) != 0, groupNames: groupNames, externalIDs: externalIDs, announced: announced,
      created: row.time(column + 3))
  }

  private static func key(_ row: Statement) throws(SCIMError) -> APIKey {
    guard let role = KeyRole(rawValue: row.text(3)), let profile = Profile(rawValue: row.text(4)) else {
      throw SCIMError(.internalError, "database: a key has an unknown role or profile")
    }
    return APIKey(
      id: row.text(0), organization: OrganizationID(rawValue: row.integer(1)), label: row.text(2), role: role,
      profile: profile, created: row.time(5), expires: row.optionalTime(6), revoked: row.optionalTime(7),
      lastUsed: row.optionalTime(8))
  }
}
