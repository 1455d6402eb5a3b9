/// What is to change of an organisation's name and settings; nil leaves what is there.
///
/// It is made to what is stored when it is written, so that of two changes at a time neither takes the other back.
public struct OrganizationChange: Sendable, Equatable {
  public var name: String?
  public var catalog: Organization.Catalog?
  public var grants: Bool?
  public var groupNames: Organization.Uniqueness?
  public var externalIDs: Organization.Uniqueness?
  public var announced: Set<Organization.Announcement>?

  public init(
    name: String? = nil, catalog: Organization.Catalog? = nil, grants: Bool? = nil,
    groupNames: Organization.Uniqueness? = nil, externalIDs: Organization.Uniqueness? = nil,
    announced: Set<Organization.Announcement>? = nil
  ) {
    self.name = name
    self.catalog = catalog
    self.grants = grants
    self.groupNames = groupNames
    self.externalIDs = externalIDs
    self.announced = announced
  }

  /// True where it changes nothing.
  public var isEmpty: Bool { self == OrganizationChange() }

  /// Makes the change.
  public func apply(to organization: inout Organization) {
    organization.name = name ?? organization.name
    organization.catalog = catalog ?? organization.catalog
    organization.grants = grants ?? organization.grants
    organization.groupNames = groupNames ?? organization.groupNames
    organization.externalIDs = externalIDs ?? organization.externalIDs
    organization.announced = announced ?? organization.announced
  }
}
