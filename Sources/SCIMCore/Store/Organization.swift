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

  /// Whether resources of a type may share a value.
  public enum Uniqueness: String, Sendable, CaseIterable {
    /// A second one is refused with 409 `uniqueness`.
    case unique
    case free
  }

  /// What `/ServiceProviderConfig` may show beyond RFC 7643 section 5. Clients that forbid unknown members stop at it.
  public enum Announcement: String, Sendable, CaseIterable {
    /// `pagination` (RFC 9865).
    case pagination
    /// `RolesAndEntitlements` (draft-ietf-scim-roles-entitlements).
    case entitlements

    public static let standard: Set<Announcement> = [.pagination]
  }

  public let id: OrganizationID
  /// The unique name, for example `gridco.example`.
  public var name: String
  public var catalog: Catalog
  /// True where groups grant roles and entitlements to their members (`GroupGrants`).
  public var grants: Bool
  /// Whether the `displayName` of a group must be unique.
  public var groupNames: Uniqueness
  /// Whether `externalId` must be unique among the resources of a type.
  public var externalIDs: Uniqueness
  public var announced: Set<Announcement>
  public var created: Timestamp

  public init(
    id: OrganizationID, name: String, catalog: Catalog, grants: Bool = false, groupNames: Uniqueness = .unique,
    externalIDs: Uniqueness = .free, announced: Set<Announcement> = Announcement.standard, created: Timestamp
  ) {
    self.groupNames = groupNames
    self.externalIDs = externalIDs
    self.announced = announced
    self.id = id
    self.name = name
    self.catalog = catalog
    self.grants = grants
    self.created = created
  }
}

extension Organization {
  /// The settings that its schemas depend on.
  public var schemaSettings: SchemaSettings {
    SchemaSettings(hasGrants: grants, groupNames: groupNames, externalIDs: externalIDs)
  }
}

extension Set<Organization.Announcement> {
  /// The announcements in one text: their names between commas, or `none`.
  public var text: String {
    isEmpty ? "none" : Organization.Announcement.allCases.filter(contains).map(\.rawValue).joined(separator: ",")
  }

  /// Reads such a text; nil where it names something else.
  public init?(text: String) {
    self = []
    if text == "none" { return }
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let one = Organization.Announcement(rawValue: String(name)) else { return nil }
      insert(one)
    }
  }
}
