import SCIMCore

extension SQLTransaction {
  func link(
    owner: Int64, attribute: String, target: Int64, extra: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      guard let type = try type(of: owner, in: organization), try self.type(of: target, in: organization) != nil
      else {
        throw SCIMError(.internalError, "a link refers to a resource that the organisation does not have")
      }
      try linksChange(ofType: type, in: organization)
      let number = try makeNumber(ofAttribute: attribute, type: type)
      let bytes = extra.isEmpty ? nil : Self.encode(extra)
      try budget.take(3 * WriteCost.statement)
      if let stored = try storedLink(owner: owner, number: number, target: target, in: organization) {
        guard stored.extra != bytes else { return false }
        let statement = try statements.get(.updateLinkExtra)
        if let bytes { statement.bindText(bytes, at: 1) } else { statement.bindNull(at: 1) }
        bind(statement, organization, owner, number, from: 2)
        statement.bind(stored.sequence, at: 5)
        try statement.run()
        return true
      }
      let last = try statements.get(.lastSequence)
      bind(last, organization, owner, number, from: 1)
      let sequence = try (last.first { $0.integer(0) } ?? 0) + 1
      let statement = try statements.get(.insertLink)
      bind(statement, organization, owner, number, from: 1)
      statement.bind(sequence, at: 4)
      statement.bind(target, at: 5)
      if let bytes { statement.bindText(bytes, at: 6) } else { statement.bindNull(at: 6) }
      try statement.run()
      return true
    }
  }

  func link(
    owner: Int64, attribute: String, targets: [Int64], in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    guard !targets.isEmpty else { return [] }
    return try change { () throws(SCIMError) in
      try budget.take(WriteCost.statement + targets.count * WriteCost.link)
      guard targets.count < 1 << Self.placeBits, let type = try type(of: owner, in: organization) else {
        throw SCIMError(.internalError, "a link refers to a resource that the organisation does not have")
      }
      try linksChange(ofType: type, in: organization)
      let number = try makeNumber(ofAttribute: attribute, type: type)
      let last = try statements.get(.lastSequence)
      bind(last, organization, owner, number, from: 1)
      let sequence = try (last.first { $0.integer(0) } ?? 0) + 1
      let statement = try statements.get(.insertLinks)
      bind(statement, organization, owner, number, from: 1)
      statement.bind(sequence, at: 4)
      let places = targets.enumerated().map { $1 << Self.placeBits | Int64($0) }.sorted()
      statement.bindText(Self.list(places), at: 5)
      var new: [Int64] = []
      try statement.forEach { new.append($0.integer(0)) }
      return new
    }
  }

  /// How many bits of a number hold a place in a list, as the statement has it.
  private static let placeBits = 20

  func unlink(
    owner: Int64, attribute: String, targets: [Int64], in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    guard !targets.isEmpty else { return [] }
    return try change { () throws(SCIMError) in
      try budget.take(WriteCost.statement + targets.count * WriteCost.link)
      guard let statement = try links(.deleteLinks, of: owner, attribute, in: organization) else { return [] }
      statement.bindText(Self.list(targets.sorted()), at: 4)
      var removed: [Int64] = []
      try statement.forEach { removed.append($0.integer(0)) }
      return removed
    }
  }

  func unlinkAll(owner: Int64, attribute: String, in organization: OrganizationID) throws(SCIMError) -> Int {
    try change { () throws(SCIMError) in
      // One more than may be taken away is as good as all of them, and is found out sooner.
      let most = budget.left / WriteCost.link + 1
      let count = try linkCount(owner: owner, attribute: attribute, limit: most, in: organization)
      try budget.take(WriteCost.statement + count * WriteCost.link)
      guard let statement = try links(.deleteOwnedLinks, of: owner, attribute, in: organization) else { return 0 }
      try statement.run()
      return connection.changes
    }
  }

  func targets(of owner: Int64, attribute: String, in organization: OrganizationID) throws(SCIMError) -> [Int64] {
    guard let statement = try links(.targets, of: owner, attribute, in: organization) else { return [] }
    var found: [Int64] = []
    try statement.forEach { (row) throws(SCIMError) in
      try budget.take(WriteCost.handle)
      found.append(row.integer(0))
    }
    return found
  }

  func targets(
    of owner: Int64, attribute: String, among: [Int64], in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    try budget.take(among.count * WriteCost.lookUp)
    guard let statement = try links(.targetsAmong, of: owner, attribute, in: organization) else { return [] }
    statement.bindText(Self.list(among.sorted()), at: 4)
    var found: [Int64] = []
    try statement.forEach { found.append($0.integer(0)) }
    return found
  }

  /// A statement on the links of one owner and attribute; nil where there can be none.
  private func links(
    _ which: FixedStatement, of owner: Int64, _ attribute: String, in organization: OrganizationID
  ) throws(SCIMError) -> Statement? {
    guard let type = try type(of: owner, in: organization) else { return nil }
    let number = try number(ofAttribute: attribute, type: type)
    guard number != Self.unknown else { return nil }
    if which != .targets, which != .targetsAmong { try linksChange(ofType: type, in: organization) }
    let statement = try statements.get(which)
    bind(statement, organization, owner, number, from: 1)
    return statement
  }

  func find(
    ids: [String], types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [LinkTarget?] {
    let places = Dictionary(types.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found = [LinkTarget?](repeating: nil, count: ids.count)
    try forEachResource(ids: ids, in: organization) { index, target in
      guard let place = places[target.type] else { return }
      if let other = found[index], let known = places[other.type], known <= place { return }
      found[index] = target
    }
    return found
  }

  /// Calls `body` with each resource that has one of the ids, of whatever type, and the id's place in the list.
  ///
  /// - Parameter isNamed: true where the names are asked for.
  func forEachResource(
    ids: [String], isNamed: Bool = false, in organization: OrganizationID, _ body: (Int, LinkTarget) -> Void
  ) throws(SCIMError) {
    try budget.take(WriteCost.statement + ids.count * WriteCost.lookUp)
    // In the order of the index, so that neighbours are found on one page.
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    let statement = try statements.get(.resourcesByID)
    statement.bind(organization.rawValue, at: 1)
    statement.bindText(Self.list(order.map { ids[$0] }), at: 2)
    try statement.forEach { (row) throws(SCIMError) in
      let index = order[Int(row.integer(0))]
      // The engine may have understood a text otherwise, such as one with a zero in it.
      guard row.hasText(ids[index], 3) else { return }
      body(
        index,
        LinkTarget(
          handle: row.integer(1), type: try name(ofType: row.integer(2)), id: ids[index],
          display: isNamed ? row.optionalText(4) : nil))
    }
  }

  func ancestors(
    of target: Int64, attribute: String, in organization: OrganizationID
  ) throws(SCIMError) -> Set<Int64> {
    // The groups above one are few, the members below may be many.
    guard let type = try type(of: target, in: organization) else { return [] }
    let number = try number(ofAttribute: attribute, type: type)
    guard number != Self.unknown else { return [] }
    var found: Set<Int64> = []
    var waiting = [target]
    while let member = waiting.popLast() {
      try budget.take(WriteCost.statement)
      let statement = try statements.get(.ownersOf)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(member, at: 2)
      statement.bind(number, at: 3)
      try statement.forEach { (row) throws(SCIMError) in
        try budget.take(WriteCost.handle)
        if found.insert(row.integer(0)).inserted { waiting.append(row.integer(0)) }
      }
    }
    return found
  }

  private func storedLink(
    owner: Int64, number: Int64, target: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> (sequence: Int64, extra: [UInt8]?)? {
    let statement = try statements.get(.linkByEnds)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(target, at: 2)
    statement.bind(number, at: 3)
    statement.bind(owner, at: 4)
    return try statement.first { (sequence: $0.integer(0), extra: $0.isNull(1) ? nil : $0.bytes(1)) }
  }

  private func bind(
    _ statement: Statement, _ organization: OrganizationID, _ owner: Int64, _ number: Int64, from position: Int32
  ) {
    statement.bind(organization.rawValue, at: position)
    statement.bind(owner, at: position + 1)
    statement.bind(number, at: position + 2)
  }

  /// Numbers or texts as a JSON array.
  static func list(_ numbers: [Int64]) -> [UInt8] { JSON.array(numbers.map { .integer($0) }).encoded() }
  static func list(_ texts: [String]) -> [UInt8] { JSON.array(texts.map { .string($0) }).encoded() }

  private static func encode(_ object: JSONObject) -> [UInt8] {
    var bytes: [UInt8] = []
    object.write(into: &bytes)
    return bytes
  }
}
