import SCIMCore

/// Who grants an entry of the catalogue, and whether anybody holds it by that.
struct GrantHolders {
  private let reader: SQLReader
  private let org: Int64
  /// Of the attributes by which entries are granted.
  private let granted: [Int64]
  /// Of the attributes by which those who grant have members.
  private var members: [Int64] = []
  /// Of the types that have what is granted, and of those that hand it on to members of their own.
  private var holders: [Int64] = []
  private var groups: [Int64] = []
  /// Whether there is a holder below one who grants, as far as that is known.
  private var known: [Int64: Bool] = [:]

  init(reader: SQLReader, organization: OrganizationID) throws(SCIMError) {
    self.reader = reader
    org = organization.rawValue
    granted = try reader.catalogAttributes(isGrant: true, in: organization)
    guard !granted.isEmpty else { return }
    for type in try reader.registry(of: organization).types {
      let plan = try reader.plan(for: type)
      if !plan.inherited.isEmpty { holders.append(plan.number) }
      for inherited in plan.inherited where !members.contains(inherited.members) { members.append(inherited.members) }
      if plan.hasMembers { groups.append(plan.number) }
    }
  }

  /// Those that grant the entry.
  func owners(of entry: Int64) throws(SCIMError) -> [Int64] {
    guard !granted.isEmpty else { return [] }
    return try numbers(
      "SELECT owner FROM link WHERE org = \(org) AND target = \(entry) AND attr IN (\(granted.list))")
  }

  /// True where one of these has a holder among its members, or among theirs.
  mutating func reachSomebody(_ owners: [Int64]) throws(SCIMError) -> Bool {
    for owner in owners where try hasHolder(owner) { return true }
    return false
  }

  private mutating func hasHolder(_ owner: Int64) throws(SCIMError) -> Bool {
    if let known = known[owner] { return known }
    var seen: Set<Int64> = [owner]
    var waiting = [owner]
    var found = false
    while !found, let next = waiting.popLast() {
      if let known = known[next] {
        // What is known to have none has none further below either.
        found = known
        continue
      }
      found = try !members(of: next, types: holders, limit: 1).isEmpty
      if found { continue }
      for group in try members(of: next, types: groups, limit: .max) where seen.insert(group).inserted {
        waiting.append(group)
      }
    }
    // Without a holder, nobody below it has one.
    for group in found ? [owner] : Array(seen) { known[group] = found }
    return found
  }

  private func members(of owner: Int64, types: [Int64], limit: Int64) throws(SCIMError) -> [Int64] {
    try numbers(
      """
      SELECT l.target FROM link l CROSS JOIN resource t ON t.pk = l.target
      WHERE l.org = \(org) AND l.owner = \(owner) AND l.attr IN (\(members.list)) AND t.type IN (\(types.list))
      LIMIT \(limit)
      """)
  }

  private func numbers(_ query: SQLFragment) throws(SCIMError) -> [Int64] {
    var numbers: [Int64] = []
    try reader.statements.get(query).forEach { numbers.append($0.integer(0)) }
    return numbers
  }
}
