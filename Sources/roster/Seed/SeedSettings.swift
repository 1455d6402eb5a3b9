import SCIMCore

/// What a seed file says of an organisation as `roster org` does; what it leaves out is nil, and in a new organisation as
/// `roster org create` has it.
struct SeedSettings: Sendable, Equatable {
  static let members = ["catalog", "grants", "groupNames", "externalIds", "announced"]

  var catalog: Organization.Catalog?
  /// True where groups grant roles and entitlements to their members.
  var grants: Bool?
  var groupNames: Organization.Uniqueness?
  var externalIDs: Organization.Uniqueness?
  var announced: Set<Organization.Announcement>?

  init() {}

  /// Reads the members of an organisation's object, and notes what is wrong with them.
  init(_ object: JSONObject, at path: SeedPath, _ members: SeedMembers) {
    catalog = members.choice(object["catalog"], of: Organization.Catalog.self, at: path + "catalog")
    grants = members.flag(object["grants"], at: path + "grants")
    groupNames = members.choice(object["groupNames"], of: Organization.Uniqueness.self, at: path + "groupNames")
    externalIDs = members.choice(object["externalIds"], of: Organization.Uniqueness.self, at: path + "externalIds")
    guard let json = object["announced"] else { return }
    announced = json.stringValue.flatMap { Set<Organization.Announcement>(text: $0) }
    if announced == nil {
      let known = Organization.Announcement.allCases.map(\.rawValue).joined(separator: ", ")
      members.note(path + "announced", "must be \"none\", or one or more of \(known), with commas between")
    }
  }

  /// The settings that the schemas of a new organisation depend on.
  var schemaSettings: SchemaSettings {
    SchemaSettings(
      hasGrants: grants ?? false, groupNames: groupNames ?? .unique, externalIDs: externalIDs ?? .free)
  }

  func apply(to organization: inout Organization) {
    organization.catalog = catalog ?? organization.catalog
    organization.grants = grants ?? organization.grants
    organization.groupNames = groupNames ?? organization.groupNames
    organization.externalIDs = externalIDs ?? organization.externalIDs
    organization.announced = announced ?? organization.announced
  }

  /// The members that say something else than what the organisation is set to.
  func differences(from organization: Organization) -> [String] {
    var names: [String] = []
    func compare<Value: Equatable>(_ name: String, _ seeded: Value?, _ present: Value) {
      if let seeded, seeded != present { names.append(name) }
    }
    compare("catalog", catalog, organization.catalog)
    compare("grants", grants, organization.grants)
    compare("groupNames", groupNames, organization.groupNames)
    compare("externalIds", externalIDs, organization.externalIDs)
    compare("announced", announced, organization.announced)
    return names
  }
}
