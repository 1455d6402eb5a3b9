import SCIMCore

extension SQLReader {
  /// Puts the links of the selected attributes into a resource.
  func loadLinks(
    of resource: inout StoredResource, _ plan: TypePlan, selection: LinkSelection, in organization: OrganizationID
  ) throws(SCIMError) {
    var elements: [LinkElement] = []
    elements.reserveCapacity(8)
    var isAssignedRead = false
    var above: Above?
    for link in plan.links where selection.includes(link.attribute) {
      switch link.kind {
      case .members: try loadMembers(link, of: resource.handle, in: organization, into: &elements)
      case .memberOf: above = try loadAbove(link, of: resource.handle, in: organization, into: &elements)
      case .catalog:
        if plan.hasMembers {
          let statement = try statements.get(.linksUnder)
          statement.bind(link.number, at: 3)
          try loadAssigned(statement, of: resource.handle, plan, selection, in: organization, into: &elements)
        } else if !isAssignedRead {
          // All at once, since they lie together.
          isAssignedRead = true
          let statement = try statements.get(.ownedLinks)
          try loadAssigned(statement, of: resource.handle, plan, selection, in: organization, into: &elements)
        }
      }
    }
    if !plan.inherited.isEmpty, selection.includesInherited {
      try loadInherited(of: resource.handle, plan, selection, above: above, in: organization, into: &elements)
    }
    resource.links = elements
  }

  /// What a resource is a member of under one attribute, in the order of creation.
  struct Above {
    var attribute: Int64
    var owners: [(owner: Int64, isDirect: Bool)]
  }

  /// Members may be many, and each is in few lists: they are read along with the links.
  private func loadMembers(
    _ link: TypePlan.Link, of owner: Int64, in organization: OrganizationID, into elements: inout [LinkElement]
  ) throws(SCIMError) {
    if budget.movesToWorker {
      // Where there are too many for this thread, none is read.
      let limit = budget.left / ReadCost.link + 1
      try budget.expect(
        linkCount(owner: owner, attribute: link.number, limit: limit, in: organization) * ReadCost.link)
    }
    let statement = try statements.get(.members)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(owner, at: 2)
    statement.bind(link.number, at: 3)
    try statement.forEach { (row) throws(SCIMError) in
      try budget.take(ReadCost.link)
      elements.append(
        LinkElement(
          attribute: link.attribute, handle: row.integer(0),
          end: LinkEnd(type: try name(ofType: row.integer(1)), id: row.text(2), display: row.optionalText(3)),
          extra: try Self.extra(row, 4)))
    }
  }

  /// The elements of catalogue attributes.
  private func loadAssigned(
    _ statement: Statement, of owner: Int64, _ plan: TypePlan, _ selection: LinkSelection,
    in organization: OrganizationID, into elements: inout [LinkElement]
  ) throws(SCIMError) {
    statement.bind(organization.rawValue, at: 1)
    statement.bind(owner, at: 2)
    try statement.forEach { (row) throws(SCIMError) in
      try budget.take(ReadCost.link)
      guard let attribute = plan.catalogAttribute(row.integer(0)), selection.includes(attribute) else { return }
      let handle = row.integer(1)
      let target = try target(handle, in: organization)
      elements.append(
        LinkElement(
          attribute: attribute, handle: handle, end: target.end, extra: try Self.extra(row, 2)))
    }
  }

  /// What a resource is a member of: directly, or through others.
  private func loadAbove(
    _ link: TypePlan.Link, of member: Int64, in organization: OrganizationID, into elements: inout [LinkElement]
  ) throws(SCIMError) -> Above {
    let above = try self.above(member, under: link.number, in: organization)
    try budget.expect(above.owners.count * ReadCost.link)
    for (owner, isDirect) in above.owners {
      try budget.take(ReadCost.link)
      let target = try target(owner, in: organization)
      elements.append(
        LinkElement(
          attribute: link.attribute, handle: owner, end: target.end, isDirect: isDirect))
    }
    return above
  }

  func above(
    _ member: Int64, under attribute: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> Above {
    let direct = try readOwners(of: member, under: attribute, in: organization)
    return Above(attribute: attribute, owners: try withOwners(of: direct, under: attribute, in: organization))
  }

  /// These and all that they are members of themselves, in the order of creation.
  private func withOwners(
    of direct: [Int64], under attribute: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> [(owner: Int64, isDirect: Bool)] {
    var further: [Int64] = []
    for owner in direct { further += try owners(of: owner, under: attribute, in: organization) }
    // Mostly there are none, and the index gives the direct ones in order.
    guard !further.isEmpty else { return direct.map { ($0, true) } }
    var isDirect = Dictionary(direct.map { ($0, true) }, uniquingKeysWith: { first, _ in first })
    while let owner = further.popLast() {
      try budget.take(1)
      guard isDirect[owner] == nil else { continue }
      isDirect[owner] = false
      further += try owners(of: owner, under: attribute, in: organization)
    }
    return isDirect.map { (owner: $0.key, isDirect: $0.value) }.sorted { $0.owner < $1.owner }
  }

  private func owners(
    of target: Int64, under attribute: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    if let known = linkCache?[ownersOf: target, under: attribute] { return known }
    let owners = try readOwners(of: target, under: attribute, in: organization)
    linkCache?[ownersOf: target, under: attribute] = owners
    return owners
  }

  private func readOwners(
    of target: Int64, under attribute: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    let statement = try statements.get(.ownersOf)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(target, at: 2)
    statement.bind(attribute, at: 3)
    var owners: [Int64] = []
    owners.reserveCapacity(4)
    try statement.forEach { (row) throws(SCIMError) in
      try budget.take(ReadCost.row)
      owners.append(row.integer(0))
    }
    return owners
  }

  func target(_ handle: Int64, in organization: OrganizationID) throws(SCIMError) -> LinkCache.Target {
    if let known = linkCache?.target(handle, in: organization) { return known }
    let statement = try statements.get(.linkEnd)
    statement.bind(handle, at: 1)
    statement.bind(organization.rawValue, at: 2)
    let found = try statement.first { (row) throws(SCIMError) in
      LinkCache.Target(
        organization: organization,
        end: LinkEnd(
          type: try name(ofType: row.integer(0)), id: row.text(1), display: row.optionalText(2),
          isShared: linkCache != nil))
    }
    guard let found else {
      throw SCIMError(.internalError, "database: a link refers to a resource that does not exist")
    }
    linkCache?.add(found, handle: handle)
    return found
  }

  /// What a link itself carries.
  private static func extra(_ row: Statement, _ column: Int32) throws(SCIMError) -> JSONObject {
    row.isNull(column) ? JSONObject() : try object(row.bytes(column))
  }
}
