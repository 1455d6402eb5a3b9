import SCIMCore

extension SQLReader: GovernanceReader {
  func holderTypes(in organization: OrganizationID) throws(SCIMError) -> [ResourceType] {
    try registry(of: organization).types.filter { !$0.catalogLinks(isGrant: false).isEmpty }
  }

  func count(of type: ResourceType, in organization: OrganizationID) throws(SCIMError) -> Int {
    try enter()
    return try count(ofType: number(ofType: type.name), in: organization)
  }

  func catalogEntries(in organization: OrganizationID) throws(SCIMError) -> [CatalogEntry] {
    try pin()
    defer { unpin() }
    let org = organization.rawValue
    let assigned = try catalogAttributes(isGrant: false, in: organization).list
    var grants = try GrantHolders(reader: self, organization: organization)
    var entries: [CatalogEntry] = []
    for type in try registry(of: organization).types where type.isCatalog {
      try statements.get(
        """
        SELECT r.pk, r.id, r.doc, EXISTS (
          SELECT 1 FROM link l WHERE l.org = \(org) AND l.target = r.pk AND l.attr IN (\(assigned)))
        FROM resource r WHERE r.org = \(org) AND r.type = \(try number(ofType: type.name)) ORDER BY r.pk
        """
      ).forEach { (row) throws(SCIMError) in
        let handle = row.integer(0)
        let isAssigned = row.integer(3) != 0
        let granting = isAssigned ? [] : try grants.owners(of: handle)
        let isHeld = isAssigned ? true : try grants.reachSomebody(granting)
        entries.append(
          CatalogEntry(
            handle: handle, id: row.text(1), document: try Self.stored(row.bytes(2)), type: type,
            isAssigned: isAssigned || !granting.isEmpty, isHeld: isHeld))
      }
    }
    return entries
  }

  func holders(
    of type: ResourceType, after: Int64?, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> HolderPage {
    try pin()
    defer { unpin() }
    let org = organization.rawValue
    let plan = try plan(for: type)
    let number = plan.number
    let catalogs = type.catalogLinks(isGrant: false)
    var numbers: [SQLFragment] = []
    for link in plan.links where link.number != Self.unknown {
      if case .catalog = link.kind { numbers.append("\(link.number)") }
    }
    let links = numbers.joined(", ")
    var page = HolderPage(holders: [], seen: 0, next: nil)
    var last: Int64 = 0
    try statements.get(
      "SELECT pk, id, doc FROM resource WHERE org = \(org) AND type = \(number) AND pk > \(after ?? 0) ORDER BY pk LIMIT \(Int64(max(limit, 1)))"
    ).forEach { (row) throws(SCIMError) in
      last = row.integer(0)
      page.seen += 1
      let document = try Self.stored(row.bytes(2))
      var holder = Holder(type: type.name, id: row.text(1), document: document, linked: [], unmatched: [])
      try statements.get(
        "SELECT target FROM link WHERE org = \(org) AND owner = \(last) AND attr IN (\(links)) ORDER BY attr, seq"
      ).forEach { holder.linked.append($0.integer(0)) }
      for (link, schema) in catalogs {
        for element in document[link]?.arrayValue ?? [] {
          if let element = element.objectValue { holder.unmatched.append((schema, element)) }
        }
      }
      holder.granted = try grants(to: last, plan, in: organization)
      if !holder.linked.isEmpty || !holder.unmatched.isEmpty || !holder.granted.isEmpty { page.holders.append(holder) }
    }
    page.next = page.seen < max(limit, 1) ? nil : last
    return page
  }

  /// What a resource has from those above it: by these, in the order in which they were made.
  private func grants(
    to resource: Int64, _ plan: TypePlan, in organization: OrganizationID
  ) throws(SCIMError) -> [Holder.Grant] {
    var grants: [Holder.Grant] = []
    var members: Set<Int64> = []
    for inherited in plan.inherited where members.insert(inherited.members).inserted {
      let above = try above(resource, under: inherited.members, in: organization)
      for granted in try granted(by: above.owners, plan, in: organization) {
        let owner = try target(granted.owner, in: organization).end
        let entries = granted.grants.map(\.handle)
        grants.append(Holder.Grant(id: owner.id, display: owner.display ?? owner.id, entries: entries))
      }
    }
    return grants
  }

  // MARK: Values that match nothing

  func forEachUnmatchedValue(
    in organization: OrganizationID, _ body: (UnmatchedValue) throws(SCIMError) -> Bool
  ) throws(SCIMError) {
    try pin()
    defer { unpin() }
    for isGrant in [false, true] {
      for type in try registry(of: organization).types {
        for (link, schema) in type.catalogLinks(isGrant: isGrant) {
          let walk = try UnmatchedWalk(
            reader: self, type: type, link: link, schema: schema, organization: organization)
          guard try walk.run(body) else { return }
        }
      }
    }
  }

  /// A stored document as an object.
  static func stored(_ bytes: [UInt8]) throws(SCIMError) -> JSONObject {
    do throws(JSONError) {
      let limits = JSONLimits(depth: JSONLimits.deepest, distinctIgnoringCase: false)
      if case .object(let object) = try JSON(parsing: bytes, limits: limits) { return object }
    } catch {}
    throw SCIMError(.internalError, "database: a stored document cannot be read")
  }
}

extension ResourceType {
  /// The attributes that hold roles or entitlements, or those that grant them, each with the base schema of its
  /// catalogue.
  func catalogLinks(isGrant: Bool) -> [(link: LinkDefinition, schema: String)] {
    links.compactMap { link in
      if link.isGrant == isGrant, case .catalog(let schema) = link.kind { (link, schema) } else { nil }
    }
  }
}
