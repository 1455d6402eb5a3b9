import SCIMCore

extension SQLReader {
  public func registry(of organization: OrganizationID) throws(SCIMError) -> SchemaRegistry {
    try pin()
    defer { unpin() }
    try checkKeys()
    if let known = keys[organization] { return known }
    let registry = try makeRegistry(of: organization)
    keys[organization] = registry
    return registry
  }

  private func makeRegistry(of organization: OrganizationID) throws(SCIMError) -> SchemaRegistry {
    let statement = try statements.get(.definitionsRevision)
    statement.bind(organization.rawValue, at: 1)
    let (revision, settings) =
      try statement.first { (row) -> (Int64, SchemaSettings) in
        let settings = SchemaSettings(
          hasGrants: row.integer(1) != 0, groupNames: Organization.Uniqueness(rawValue: row.text(2)) ?? .unique,
          externalIDs: Organization.Uniqueness(rawValue: row.text(3)) ?? .free)
        return (row.integer(0), settings)
      } ?? (0, .standard)
    if let known = registries.registry(of: organization, revision: revision) { return known }
    let definitions = try definitions(of: organization)
    let registry: SchemaRegistry
    do throws(SchemaError) {
      registry = try DefinitionLoader.loadStored(
        definitions, extending: registries.base.builtIn(for: settings), revision: revision)
    } catch {
      throw SCIMError(
        .internalError, "the definitions of organisation \(organization.rawValue) do not fit: \(error.description)")
    }
    if sharesRegistries { registries.add(registry, of: organization) }
    return registry
  }

  public func definitions(of organization: OrganizationID) throws(SCIMError) -> [Definition] {
    try enter()
    var found: [Definition] = []
    let statement = try statements.get(.definitions)
    statement.bind(organization.rawValue, at: 1)
    try statement.forEach { (row) throws(SCIMError) in
      guard let kind = Definition.Kind(rawValue: row.text(0)) else {
        throw SCIMError(.internalError, "database: a definition is of an unknown kind")
      }
      // One that is broken defines nothing, and must not take the others with it.
      let document = (try? JSON(parsing: row.bytes(5)).objectValue) ?? JSONObject()
      found.append(
        Definition(
          kind: kind, name: row.text(1), document: document, version: row.integer(2), created: row.time(3),
          modified: row.time(4)))
    }
    return found
  }
}
