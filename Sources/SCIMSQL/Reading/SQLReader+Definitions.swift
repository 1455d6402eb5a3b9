import SCIMCore

extension SQLReader {
  func registry(of organization: OrganizationID) throws(SCIMError) -> SchemaRegistry {
    try pin()
    defer { unpin() }
    try checkKeys()
    if let known = keys[organization] { return known }
    let registry = try makeRegistry(of: organization)
    keys[organization] = registry
    return registry
  }

  /// The revision of an organisation's definitions, and the settings that go with it.
  func definitionsRevision(
    of organization: OrganizationID
  ) throws(SCIMError) -> (revision: Int64, settings: SchemaSettings) {
    let statement = try statements.get(.definitionsRevision)
    statement.bind(organization.rawValue, at: 1)
    return try statement.first { (row) -> (Int64, SchemaSettings) in
      let settings = SchemaSettings(
        hasGrants: row.integer(1) != 0, groupNames: Organization.Uniqueness(rawValue: row.text(2)) ?? .unique,
        externalIDs: Organization.Uniqueness(rawValue: row.text(3)) ?? .free)
      return (row.integer(0), settings)
    } ?? (0, .standard)
  }

  private func makeRegistry(of organization: OrganizationID) throws(SCIMError) -> SchemaRegistry {
    let (revision, settings) = try definitionsRevision(of: organization)
    if let known = registries.registry(of: organization, revision: revision) { return known }
    let definitions = try definitions(of: organization)
    noteLoading()
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
  func secondNames(of organization: OrganizationID) throws(SCIMError) -> [String: Set<String>] {
    let statement = try statements.get(.secondNames)
    statement.bind(organization.rawValue, at: 1)
    var names: [String: Set<String>] = [:]
    try statement.forEach { names[$0.text(0), default: []].insert($0.text(1)) }
    return names
  }

  func pendingChange(of organization: OrganizationID) throws(SCIMError) -> PendingChange? {
    try pin()
    defer { unpin() }
    try checkKeys()
    var change: PendingChange?
    if let known = keys.change(of: organization) {
      change = known
    } else {
      change = try makePendingChange(of: organization)
    }
    keys.add(change, of: organization)
    if sharesRegistries, let change { registries.add(change, of: organization) }
    return change
  }

  func numberOfChange(of organization: OrganizationID) throws(SCIMError) -> Int64? {
    try pin()
    defer { unpin() }
    try checkKeys()
    if let known = keys.change(of: organization) { return known?.number }
    return try changeUnderWay(of: organization)?.number
  }

  /// What is noted of the change that is under way, but for the change itself.
  func changeUnderWay(
    of organization: OrganizationID
  ) throws(SCIMError) -> (number: Int64, isCertain: Bool)? {
    let statement = try statements.get(.changeUnderWay)
    statement.bind(organization.rawValue, at: 1)
    return try statement.first { (number: $0.integer(0), isCertain: $0.integer(1) != 0) }
  }

  private func makePendingChange(of organization: OrganizationID) throws(SCIMError) -> PendingChange? {
    guard let (number, isCertain) = try changeUnderWay(of: organization) else { return nil }
    if let planned = plannedChange(of: organization, number: number) {
      return planned.noted(as: number, isCertain: isCertain)
    }
    let statement = try statements.get(.definitionChange)
    statement.bind(organization.rawValue, at: 1)
    guard let bytes = try statement.first({ $0.bytes(0) }),
      let change = (try? JSON(parsing: bytes)).flatMap(DefinitionChange.init)
    else { throw SCIMError(.internalError, "database: a change of definitions cannot be read") }
    let (definitions, registry) = (try definitions(of: organization), try registry(of: organization))
    noteLoading()
    do throws(SchemaError) {
      return try PendingChange(
        number: number, change, isCertain: isCertain, of: definitions, from: registry, base: registries.base)
    } catch {
      throw SCIMError(.internalError, "a change of definitions does not fit: \(error.description)")
    }
  }

  func definitions(of organization: OrganizationID) throws(SCIMError) -> [Definition] {
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
