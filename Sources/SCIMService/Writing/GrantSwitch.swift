import SCIMCore

/// Turns the grants of an organisation's groups on and off, with what is stored of them.
public struct GrantSwitch: Sendable {
  /// What every organisation has.
  public let base: SchemaRegistry

  public init(base: SchemaRegistry) {
    self.base = base
  }

  /// One transaction that stores the organisation with its new setting. Where grants are taken away by force, they go
  /// first, in as many of them as it takes.
  ///
  /// - Parameter force: where grants are turned off, takes away those that groups have, instead of refusing.
  /// - Throws: `invalidValue` where the organisation's own definitions clash with what is added or use what goes, `conflict` where groups
  ///   have grants, and what the store refuses.
  public func set(
    _ isOn: Bool, force: Bool = false, in transaction: any TenantTransaction
  ) throws(SCIMError) -> WriteStep<Void, Void> {
    try check(isOn, in: transaction)
    guard try prepare(isOn, force: force, in: transaction) else { return .further(()) }
    _ = try transaction.update(OrganizationChange(grants: isOn))
    return .done(())
  }

  /// Holds the organisation's definitions against its new setting, before the transaction.
  func check(_ isOn: Bool, in reader: any TenantReader) throws(SCIMError) {
    let registry = try reader.registry()
    guard registry.hasGrants != isOn else { return }
    let definitions = try reader.definitions()
    var settings = registry.settings
    do throws(SchemaError) {
      settings.hasGrants = !isOn
      let before = try base.builtIn(for: settings)
      settings.hasGrants = isOn
      let after = try base.builtIn(for: settings)
      // A clash that is there already is no matter of grants.
      let old = DefinitionClash.all(in: definitions, with: before)
      let isOld = DefinitionClash.all(in: definitions, with: after).allSatisfy(old.contains)
      _ = try DefinitionLoader.load(
        definitions, extending: after, clashes: isOld ? .ownWins : .refused, tolerating: registry.unreadable,
        attributes: registry.ownAttributes(beyond: before))
    } catch {
      throw SCIMError(.invalidValue, error.problems.prefix(20).map(\.description).joined(separator: "; "))
    }
  }

  /// As `set`, without storing the organisation, whose definitions were checked; true where that may follow in the same
  /// transaction.
  func prepare(
    _ isOn: Bool, force: Bool, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    let registry = try transaction.registry()
    guard !isOn, registry.hasGrants, let group = registry.type(named: "Group") else { return true }
    return try remove(from: group, force: force, in: transaction)
  }

  /// Takes the grants of some groups away; true where none has any more.
  private func remove(
    from group: ResourceType, force: Bool, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    let links = group.links.filter(\.isGrant)
    // Not those of which `roles` or `entitlements` is present: that passes over an element whose value is empty.
    let conditions = Set(links.compactMap(\.extensionURN)).map { urn in
      ResolvedFilter.compare(
        AttributeReference(home: .common, attribute: CommonAttributes.schemas), .eq, .text(urn))
    }
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: group, filter: .or(conditions))], window: .cursor(after: nil, count: 100),
      links: .none)
    let count = try transaction.search(query).total
    guard force || count == 0 else {
      throw SCIMError(
        .conflict,
        "\(count) \(count == 1 ? "group grants" : "groups grant") roles or entitlements. Removing these requires \"?force=true\"."
      )
    }
    while true {
      let page = try transaction.search(query)
      if page.resources.isEmpty { return true }
      for stored in page.resources {
        guard transaction.budget.spent < WorkBudget.writeLimit / 4 else { return false }
        try transaction.budget.take(WriteCost.parsing(stored.document.count))
        var document = try StoredDocument.parse(stored)
        for link in links {
          _ = try transaction.unlinkAll(owner: stored.handle, attribute: link.attribute)
          document = StoredDocument.placing([], link: link, in: document, type: group)
        }
        for urn in links.compactMap(\.extensionURN) { document[urn] = nil }
        document = ResourceDocument.ordered(document, type: group)
        _ = try transaction.update(stored, type: group, document: document, password: .keep)
      }
    }
  }
}
