import SCIMCore

/// Turns what an organisation holds unique on and off inside a transaction of the store, with what is stored of it.
public struct UniquenessSwitch: Sendable {
  /// How many doubles a refusal lists.
  private static let shown = 20

  public init() {}

  /// Makes the stored values what the organisation's new settings say; to be called before these are stored.
  ///
  /// - Throws: `conflict` with the ids of those that share a value which is to be unique.
  public func prepare(
    _ organization: Organization, from old: Organization, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let registry = try transaction.registry(of: organization.id)
    if organization.externalIDs != old.externalIDs {
      try set(
        organization.externalIDs, CommonAttributes.externalId.name, of: registry.types, in: organization.id, transaction
      )
    }
    // An organisation's own type of that name has what its own schema says.
    if organization.groupNames != old.groupNames, let group = registry.type(named: "Group"),
      group.schema.id == Self.groupSchema
    {
      try set(organization.groupNames, "displayName", of: [group], in: organization.id, transaction)
    }
  }

  private static let groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"

  private func set(
    _ uniqueness: Organization.Uniqueness, _ path: String, of types: [ResourceType], in organization: OrganizationID,
    _ transaction: any StoreTransaction
  ) throws(SCIMError) {
    if uniqueness == .unique {
      var lines: [String] = []
      for type in types {
        let sharing = try transaction.resourcesSharing(path, of: type, limit: Self.shown + 1, in: organization)
        lines += sharing.map { "\(type.name) " + $0.joined(separator: ", ") }
      }
      guard lines.isEmpty else {
        let more = lines.count > Self.shown ? "; and more" : ""
        throw SCIMError(
          .conflict,
          "'\(path)' cannot be unique, since these resources share a value: "
            + lines.prefix(Self.shown).joined(separator: "; ") + more + ".")
      }
    }
    for type in types { try transaction.setUniqueness(uniqueness, of: path, type: type, in: organization) }
  }
}
