/// The settings of an organisation that decide what its schemas say and what must be unique.
public struct SchemaSettings: Sendable, Hashable {
  /// True where groups grant roles and entitlements to their members (`GroupGrants`).
  public var hasGrants: Bool
  /// Whether the `displayName` of a group must be unique.
  public var groupNames: Organization.Uniqueness
  /// Whether `externalId` must be unique among the resources of a type.
  public var externalIDs: Organization.Uniqueness

  /// The settings of an organisation that says nothing.
  public static let standard = SchemaSettings()

  public init(
    hasGrants: Bool = false, groupNames: Organization.Uniqueness = .unique,
    externalIDs: Organization.Uniqueness = .free
  ) {
    self.hasGrants = hasGrants
    self.groupNames = groupNames
    self.externalIDs = externalIDs
  }
}

extension SchemaRegistry {
  /// What is built in for an organisation with these settings, of what is built in for one with none. The same object
  /// each time.
  ///
  /// - Throws: `SchemaError` where the schemas lack what a setting needs.
  public func builtIn(for settings: SchemaSettings) throws(SchemaError) -> SchemaRegistry {
    if settings == self.settings { return self }
    return try variant(settings) { (base) throws(SchemaError) in
      var registry = base
      if settings.groupNames == .free { registry = try FreeGroupNames.made(of: registry) }
      if settings.hasGrants { registry = try GroupGrants.made(of: registry) }
      return SchemaRegistry(schemas: registry.schemas, types: registry.types, settings: settings)
    }
  }
}
