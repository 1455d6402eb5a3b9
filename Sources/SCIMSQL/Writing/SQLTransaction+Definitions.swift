import SCIMCore

extension SQLTransaction {
  func isPresent(
    _ registry: SchemaRegistry, of organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    try checkKeys()
    if let known = keys[organization] { return known.revision == registry.revision }
    guard try definitionsRevision(of: organization).revision == registry.revision else { return false }
    keys[organization] = registry
    return true
  }

  func isReady(_ registry: SchemaRegistry, of organization: OrganizationID) throws(SCIMError) -> Bool {
    guard try isPresent(registry, of: organization) else { return false }
    if keys.change(of: organization) != nil { return true }
    guard let number = try numberOfChange(of: organization) else {
      keys.add(nil, of: organization)
      return true
    }
    return plannedChange(of: organization, number: number) != nil
  }

  func registry(
    after change: PendingChange, of organization: OrganizationID
  ) throws(SCIMError) -> SchemaRegistry {
    let (revision, settings) = try definitionsRevision(of: organization)
    // Where other settings have changed with them, the built-in types are others too.
    guard settings == change.after.settings else { return try registry(of: organization) }
    let registry = try change.registry(revision: revision, secondNames: secondNames(of: organization))
    keys[organization] = registry
    prepared.add(registry, of: organization)
    return registry
  }

  func putDefinition(
    kind: Definition.Kind, name: String, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) {
    try change { () throws(SCIMError) in
      var bytes: [UInt8] = []
      document.write(into: &bytes)
      try budget.take(4 * WriteCost.statement + WriteCost.writing(bytes.count))
      let statement = try statements.get(.putDefinition)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(kind.rawValue, at: 2)
      statement.bind(name, at: 3)
      statement.bind(now.milliseconds, at: 4)
      statement.bindText(bytes, at: 5)
      try statement.run()
      try moveDefinitionsRevision(of: organization)
    }
  }

  func removeDefinition(
    kind: Definition.Kind, name: String, in organization: OrganizationID
  ) throws(SCIMError) {
    try change { () throws(SCIMError) in
      try budget.take(4 * WriteCost.statement)
      let statement = try statements.get(.deleteDefinition)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(kind.rawValue, at: 2)
      statement.bind(name, at: 3)
      try statement.run()
      guard connection.changes == 1 else { throw SCIMError(.notFound, "The organisation has no such definition.") }
      try moveDefinitionsRevision(of: organization)
    }
  }

  private func moveDefinitionsRevision(of organization: OrganizationID) throws(SCIMError) {
    // It began from definitions that hold no more.
    try giveUpChange(of: organization)
    let statement = try statements.get(.moveDefinitionsRevision)
    statement.bind(organization.rawValue, at: 1)
    try statement.run()
    try moveKeyRevision()
  }
}
