import SCIMCore

/// Turns the grants of an organisation's groups on and off inside a transaction of the store, with what is stored of
/// them.
public struct GrantSwitch: Sendable {
  /// What every organisation has.
  public let base: SchemaRegistry

  public init(base: SchemaRegistry) {
    self.base = base
  }

  /// Stores the organisation with its new setting.
  ///
  /// - Parameter force: where grants are turned off, takes away those that groups have, instead of refusing.
  /// - Throws: `invalidValue` where the organisation's own definitions clash with what is added, `conflict` where groups
  ///   have grants, and what the store refuses.
  public func set(
    _ organization: Organization, force: Bool = false, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let registry = try transaction.registry(of: organization.id)
    if organization.grants, !registry.hasGrants {
      try checkDefinitions(of: organization.id, in: transaction)
    } else if !organization.grants, registry.hasGrants, let group = registry.type(named: "Group") {
      try remove(from: group, of: organization.id, force: force, in: transaction)
    }
    try transaction.updateOrganization(organization)
  }

  private func checkDefinitions(
    of organization: OrganizationID, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let definitions = try transaction.definitions(of: organization)
    do throws(SchemaError) {
      let granting = try GroupGrants.added(to: base)
      // A clash that is there already is no matter of grants.
      let old = DefinitionClash.all(in: definitions, with: base)
      let isOld = DefinitionClash.all(in: definitions, with: granting).allSatisfy(old.contains)
      _ = try DefinitionLoader.load(definitions, extending: granting, clashes: isOld ? .ownWins : .refused)
    } catch {
      throw SCIMError(.invalidValue, error.problems.prefix(20).map(\.description).joined(separator: "; "))
    }
  }

  private func remove(
    from group: ResourceType, of organization: OrganizationID, force: Bool, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let links = group.links.filter(\.isGrant)
    // Not those of which `roles` or `entitlements` is present: that passes over an element whose value is empty.
    let conditions = Set(links.compactMap(\.extensionURN)).map { urn in
      ResolvedFilter.compare(
        AttributeReference(home: .common, attribute: CommonAttributes.schemas), .eq, .text(urn))
    }
    var query = SearchQuery(
      parts: [SearchQuery.Part(type: group, filter: .or(conditions))], window: .cursor(after: nil, count: 500),
      links: .none)
    let count = try transaction.search(query, in: organization).total
    guard force || count == 0 else {
      throw SCIMError(
        .conflict,
        "\(count) \(count == 1 ? "group grants" : "groups grant") roles or entitlements. These go only by force.")
    }
    var position: CursorPosition?
    repeat {
      query.window = .cursor(after: position, count: 500)
      let page = try transaction.search(query, in: organization)
      for stored in page.resources {
        var document = try StoredDocument.parse(stored)
        for link in links {
          _ = try transaction.unlink(
            owner: stored.handle, attribute: link.attribute, target: nil, in: organization)
          document = StoredDocument.placing([], link: link, in: document, type: group)
        }
        _ = try transaction.update(stored, type: group, document: document, password: .keep, in: organization)
      }
      position = page.next
    } while position != nil
  }
}
