import SCIMCore

extension SQLTransaction {
  func createOrganization(
    name: String, catalog: Organization.Catalog, grants: Bool
  ) throws(SCIMError) -> Organization {
    try change { () throws(SCIMError) in
      let statement = try statements.get(.insertOrganization)
      statement.bind(name, at: 1)
      statement.bind(Folding.fold(name), at: 2)
      statement.bind(catalog.rawValue, at: 3)
      statement.bind(now.milliseconds, at: 4)
      statement.bind(grants ? 1 : 0 as Int64, at: 5)
      guard try statement.runUnlessTaken() else { throw Self.nameIsTaken }
      let id = OrganizationID(rawValue: connection.lastInsertedNumber)
      if grants { try makeNumbersOfLinks(in: id) }
      return Organization(id: id, name: name, catalog: catalog, grants: grants, created: now)
    }
  }

  func updateOrganization(_ organization: Organization) throws(SCIMError) {
    try change { () throws(SCIMError) in
      if try registry(of: organization.id).settings != organization.schemaSettings {
        // It began from settings that hold no more.
        try giveUpChange(of: organization.id)
      }
      let statement = try statements.get(.updateOrganization)
      statement.bind(organization.name, at: 1)
      statement.bind(Folding.fold(organization.name), at: 2)
      statement.bind(organization.catalog.rawValue, at: 3)
      statement.bind(organization.id.rawValue, at: 4)
      statement.bind(organization.grants ? 1 : 0 as Int64, at: 5)
      statement.bind(organization.groupNames.rawValue, at: 6)
      statement.bind(organization.externalIDs.rawValue, at: 7)
      statement.bind(organization.announced.text, at: 8)
      guard try statement.runUnlessTaken() else { throw Self.nameIsTaken }
      guard connection.changes == 1 else { throw Self.noOrganization }
      try moveKeyRevision()
      if organization.grants { try makeNumbersOfLinks(in: organization.id) }
    }
  }

  /// Gives numbers to the attributes that users read through others, so that no read has to find out each time that one
  /// has none yet.
  private func makeNumbersOfLinks(in organization: OrganizationID) throws(SCIMError) {
    for type in try registry(of: organization).types where !type.links.isEmpty {
      let number = try makeNumber(ofType: type.name)
      for link in type.links {
        if case .memberOf = link.kind { continue }
        _ = try makeNumber(ofAttribute: link.attribute, type: number)
      }
    }
  }

  func createKey(_ key: APIKey, digest: [UInt8]) throws(SCIMError) {
    try change { () throws(SCIMError) in
      let statement = try statements.get(.insertAPIKey)
      statement.bind(key.organization.rawValue, at: 1)
      statement.bind(key.id, at: 2)
      statement.bindBlob(digest, at: 3)
      statement.bind(key.label, at: 4)
      statement.bind(key.role.rawValue, at: 5)
      statement.bind(key.profile.rawValue, at: 6)
      statement.bind(key.created.milliseconds, at: 7)
      statement.bind(key.expires?.milliseconds, at: 8)
      statement.bind(key.revoked?.milliseconds, at: 9)
      statement.bind(key.lastUsed?.milliseconds, at: 10)
      guard try statement.runUnlessTaken() else {
        throw SCIMError(.uniqueness, "A key with this secret or this id already exists.")
      }
      try moveKeyRevision()
    }
  }

  func revokeKey(id: String, in organization: OrganizationID, at time: Timestamp) throws(SCIMError) {
    try change { () throws(SCIMError) in
      guard try keys(of: organization).contains(where: { $0.id == id }) else {
        throw SCIMError(.notFound, "The organisation has no such key.")
      }
      if try setKeyTime(.revokeAPIKey, id: id, in: organization, at: time) { try moveKeyRevision() }
    }
  }

  func touchKey(id: String, in organization: OrganizationID, at time: Timestamp) throws(SCIMError) {
    // No reader need forget the key over it: when it was last used decides nothing.
    try change { () throws(SCIMError) in _ = try setKeyTime(.touchAPIKey, id: id, in: organization, at: time) }
  }

  func installationSecret(named name: String, candidate: [UInt8]) throws(SCIMError) -> [UInt8] {
    try change { () throws(SCIMError) in
      let known = try statements.get("SELECT value FROM secret WHERE name = \(name)")
      if let secret = try known.first({ $0.bytes(0) }) { return secret }
      let statement = try statements.get(.insertSecret)
      statement.bind(name, at: 1)
      statement.bindBlob(candidate, at: 2)
      try statement.run()
      return candidate
    }
  }

  private func setKeyTime(
    _ which: FixedStatement, id: String, in organization: OrganizationID, at time: Timestamp
  ) throws(SCIMError) -> Bool {
    let statement = try statements.get(which)
    statement.bind(time.milliseconds, at: 1)
    statement.bind(organization.rawValue, at: 2)
    statement.bind(id, at: 3)
    try statement.run()
    return connection.changes > 0
  }

  func moveKeyRevision() throws(SCIMError) {
    try statements.get(.moveKeyRevision).run()
    keys = KeyCache()
  }

  static let noOrganization = SCIMError(.notFound, "There is no such organisation.")

  private static let nameIsTaken = SCIMError(.uniqueness, "An organisation with this name already exists.")
}
