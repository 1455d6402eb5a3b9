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
    let named = try registry.named(secondNames(of: organization))
    if sharesRegistries { registries.add(named, of: organization) }
    return named
  }

  /// What the index of an organisation has under second names, by type.
  private func secondNames(of organization: OrganizationID) throws(SCIMError) -> [String: Set<String>] {
    let statement = try statements.get(.secondNames)
    statement.bind(organization.rawValue, at: 1)
    var names: [String: Set<String>] = [:]
    try statement.forEach { names[$0.text(0), default: []].insert($0.text(1)) }
    return names
  }

  public func pendingChange(of organization: OrganizationID) throws(SCIMError) -> PendingChange? {
    try pin()
    defer { unpin() }
    try checkKeys()
    if let known = keys.change(of: organization) { return known }
    let change = try makePendingChange(of: organization)
    keys.add(change, of: organization)
    return change
  }

  private func makePendingChange(of organization: OrganizationID) throws(SCIMError) -> PendingChange? {
    let statement = try statements.get(.definitionChange)
    statement.bind(organization.rawValue, at: 1)
    let found = try statement.first { (number: $0.integer(0), isCertain: $0.integer(1) != 0, bytes: $0.bytes(2)) }
    guard let found else { return nil }
    guard let change = (try? JSON(parsing: found.bytes)).flatMap(DefinitionChange.init) else {
      throw SCIMError(.internalError, "database: a change of definitions cannot be read")
    }
    let (definitions, registry) = (try definitions(of: organization), try registry(of: organization))
    do throws(SchemaError) {
      return try PendingChange(
        number: found.number, change, isCertain: found.isCertain, of: definitions, from: registry,
        base: registries.base)
    } catch {
      throw SCIMError(.internalError, "a change of definitions does not fit: \(error.description)")
    }
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
