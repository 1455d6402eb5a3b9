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

  func restore(
    _ resource: StoredResource, from old: ResourceType, type: ResourceType, document: JSONObject,
    in organization: OrganizationID
  ) throws(SCIMError) {
    try change { () throws(SCIMError) in
      let number = try makeNumber(ofType: type.name)
      let unique = try uniqueRows(of: uniqueKeys(of: document, type: type, in: organization), number: number)
      // Looked up before anything is written, so that a refusal leaves nothing behind.
      for row in unique { try checkUnique(row, resource: resource.handle, in: organization) }
      let before = try Self.object(resource.document)
      try changeUnique(
        from: uniqueRows(of: uniqueKeys(of: before, type: old, in: organization), number: number), to: unique,
        resource: resource.handle,
        in: organization)
      try changeIndex(
        from: before, old, to: document, type, number: number, resource: resource.handle, in: organization)
      // Also where only the index changes: what was found by it before holds no more.
      count(0, type: number, in: organization)
      let bytes = PreparedDocument.encode(document, id: resource.id)
      let display = DocumentIndex.display(of: document, type: type)
      if bytes == resource.document, display == DocumentIndex.display(of: before, type: old) { return }
      revisionChanges.targetsChanged()
      let statement = try statements.get(.restoreDocument)
      statement.bind(resource.handle, at: 1)
      statement.bind(organization.rawValue, at: 2)
      statement.bind(display, at: 3)
      statement.bind(display.map(Folding.fold), at: 4)
      statement.bindText(bytes, at: 5)
      try statement.run()
    }
  }

  private func moveDefinitionsRevision(of organization: OrganizationID) throws(SCIMError) {
    let statement = try statements.get(.moveDefinitionsRevision)
    statement.bind(organization.rawValue, at: 1)
    try statement.run()
    try moveKeyRevision()
  }
}
