import SCIMCore

/// What a resource has from those that it is a member of.
extension SQLReader {
  /// What one resource above grants to those below.
  struct Granted {
    var owner: Int64
    var grants: [LinkCache.Grant]
  }

  /// The elements that are granted to a resource, behind its own: what it holds itself is left out, and the rest is
  /// there once, whoever grants it.
  func loadInherited(
    of resource: Int64, _ plan: TypePlan, _ selection: LinkSelection, above known: Above?,
    in organization: OrganizationID, into elements: inout [LinkElement]
  ) throws(SCIMError) {
    var above = known
    var granted: (members: Int64, list: [Granted])?
    for inherited in plan.inherited where selection.includes(inherited.attribute) {
      if granted?.members != inherited.members {
        if above?.attribute != inherited.members {
          above = try self.above(resource, under: inherited.members, in: organization)
        }
        granted = (inherited.members, try self.granted(by: above?.owners ?? [], plan, in: organization))
      }
      guard let list = granted?.list, !list.isEmpty else { continue }
      var seen = Set(elements.lazy.filter { $0.attribute == inherited.attribute }.map(\.handle))
      for grant in list.flatMap(\.grants) where grant.attribute == inherited.granted {
        try budget.take(ReadCost.row)
        guard seen.insert(grant.handle).inserted else { continue }
        elements.append(
          LinkElement(
            attribute: inherited.attribute, handle: grant.handle, end: grant.target.end, isInherited: true))
      }
    }
  }

  /// What those above a resource grant, each with its elements in their order; those that grant nothing are left out.
  /// One statement for all that are not remembered.
  func granted(
    by owners: [(owner: Int64, isDirect: Bool)], _ plan: TypePlan, in organization: OrganizationID
  ) throws(SCIMError) -> [Granted] {
    var found: [Int64: [LinkCache.Grant]] = [:]
    var unknown: [Int64] = []
    for (owner, _) in owners {
      if let known = linkCache?[grantsOf: owner] { found[owner] = known } else { unknown.append(owner) }
    }
    if !unknown.isEmpty {
      let statement = try statements.get(.grants)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(Self.list(unknown), at: 2)
      statement.bind(Self.list(plan.inherited.map(\.granted)), at: 3)
      try statement.forEach { (row) throws(SCIMError) in
        try budget.take(ReadCost.link)
        let target = LinkCache.Target(
          organization: organization,
          end: LinkEnd(
            type: try name(ofType: row.integer(3)), id: row.text(4), display: row.optionalText(5),
            isShared: linkCache != nil))
        found[row.integer(0), default: []].append(
          LinkCache.Grant(attribute: row.integer(1), handle: row.integer(2), target: target))
      }
      for owner in unknown { linkCache?[grantsOf: owner] = found[owner] ?? [] }
    }
    return owners.compactMap { owner, _ in
      guard let grants = found[owner], !grants.isEmpty else { return nil }
      return Granted(owner: owner, grants: grants)
    }
  }

  /// The numbers as a JSON array.
  private static func list(_ numbers: [Int64]) -> String {
    "[" + numbers.map(String.init).joined(separator: ",") + "]"
  }
}
