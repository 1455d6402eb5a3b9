/// The number by which the store knows an organisation. Every call on resources takes one: there is none without.
public struct OrganizationID: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// One organisation (tenant): its resources, catalogue, definitions and keys are seen by nobody else.
public struct Organization: Sendable, Equatable {
  /// How values of roles and entitlements that match nothing are taken.
  public enum Catalog: String, Sendable, CaseIterable {
    /// Kept as sent, unlinked.
    case open
    /// Refused with 400 `invalidValue`.
    case closed
  }

  public let id: OrganizationID
  /// The unique name, for example `gridco.example`.
  public var name: String
  public var catalog: Catalog
  /// True where groups grant roles and entitlements to their members (`GroupGrants`).
  public var grants: Bool
  public var created: Timestamp

  public init(id: OrganizationID, name: String, catalog: Catalog, grants: Bool = false, created: Timestamp) {
    self.id = id
    self.name = name
    self.catalog = catalog
    self.grants = grants
    self.created = created
  }
}
