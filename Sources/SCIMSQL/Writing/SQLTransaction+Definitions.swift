import SCIMCore

extension SQLTransaction {
  func putDefinition(
    kind: Definition.Kind, name: String, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) {
    try change { () throws(SCIMError) in
      var bytes: [UInt8] = []
      document.write(into: &bytes)
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
