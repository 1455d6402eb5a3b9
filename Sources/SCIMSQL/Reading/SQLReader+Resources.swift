import SCIMCore

extension SQLReader {
  func resource(
    id: String, type: ResourceType, links: LinkSelection, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource? {
    try enter()
    let plan = try plan(for: type)
    let statement = try statements.get(.resource)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(plan.number, at: 2)
    statement.bind(id, at: 3)
    guard try statement.step() else {
      statement.reset()
      return nil
    }
    var resource = StoredResource(
      handle: statement.integer(0), type: type.name, id: id, version: statement.integer(1),
      created: statement.time(2), modified: statement.time(3), document: statement.bytes(4))
    statement.reset()
    try budget.take(ReadCost.row + ReadCost.copying(resource.document.count))
    if links != .none { try loadLinks(of: &resource, plan, selection: links, in: organization) }
    return resource
  }

  func referenced(
    id: String, types: [String], in organization: OrganizationID
  ) throws(SCIMError) -> ReferencedResource? {
    try stay()
    if let known = linkCache?.reference(id: id, types: types, in: organization) { return known }
    for type in types {
      let number = try number(ofType: type)
      guard number != Self.unknown else { continue }
      try budget.take(ReadCost.row)
      let statement = try statements.get(.linkTarget)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(number, at: 2)
      statement.bind(id, at: 3)
      let found = try statement.first {
        ReferencedResource(type: type, id: id, display: $0.optionalText(1))
      }
      if let found {
        linkCache?.add(found, in: organization)
        return found
      }
    }
    return nil
  }

  func resource(
    handle: Int64, type: ResourceType, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource? {
    try pin()
    defer { unpin() }
    return try resource(
      number: handle, links: .none, types: [number(ofType: type.name): type], in: organization)
  }

  /// The resource with that number; nil where the organisation has none.
  func resource(
    number: Int64, links: LinkSelection, types: [Int64: ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource? {
    let statement = try statements.get(.resourceByNumber)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(number, at: 2)
    guard try statement.step() else {
      statement.reset()
      return nil
    }
    let type = types[statement.integer(0)]
    var resource = StoredResource(
      handle: number, type: type?.name ?? "", id: statement.text(1), version: statement.integer(2),
      created: statement.time(3), modified: statement.time(4), document: statement.bytes(5))
    statement.reset()
    guard let type else { return nil }
    try budget.take(ReadCost.row + ReadCost.copying(resource.document.count))
    if links != .none { try loadLinks(of: &resource, plan(for: type), selection: links, in: organization) }
    return resource
  }

  /// A stored document, or what a link carries.
  static func object(_ bytes: [UInt8]) throws(SCIMError) -> JSONObject {
    guard let object = try? JSON(parsing: bytes).objectValue else {
      throw brokenDocument
    }
    return object
  }

  static var brokenDocument: SCIMError { SCIMError(.internalError, "database: a stored text is no JSON object") }

  func assignmentsUsed(of handle: Int64, in organization: OrganizationID) throws(SCIMError) -> Int {
    try pin()
    defer { unpin() }
    let attributes = try catalogAttributes(in: organization)
    let statement = try statements.get(.assignmentCounts)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(handle, at: 2)
    var count: Int64 = 0
    try statement.forEach { if attributes.contains($0.integer(0)) { count += $0.integer(1) } }
    return Int(count)
  }

  /// The numbers of the catalogue attributes of all types: a resource may also be linked to as a member.
  ///
  /// - Parameter isGrant: nil for all of them.
  func catalogAttributes(
    isGrant: Bool? = nil, in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    var numbers: [Int64] = []
    for type in try registry(of: organization).types {
      for link in type.links where isGrant == nil || link.isGrant == isGrant {
        guard case .catalog = link.kind else { continue }
        let number = try number(ofAttribute: link.attribute, type: number(ofType: type.name))
        if number != Self.unknown { numbers.append(number) }
      }
    }
    return numbers
  }

  /// How many resources there are of the type with that number.
  func count(ofType number: Int64, in organization: OrganizationID) throws(SCIMError) -> Int {
    try settle()
    let statement = try statements.get(.count)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(number, at: 2)
    return try Int(statement.first { $0.integer(0) } ?? 0)
  }

  func linkCount(
    owner: Int64, attribute: String, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> Int {
    try enter()
    guard let type = try type(of: owner, in: organization) else { return 0 }
    return try linkCount(
      owner: owner, attribute: number(ofAttribute: attribute, type: type), limit: limit, in: organization)
  }

  func linkCount(
    owner: Int64, attribute: Int64, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> Int {
    let statement = try statements.get(.linkCount)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(owner, at: 2)
    statement.bind(attribute, at: 3)
    statement.bind(Int64(max(limit, 0)), at: 4)
    return try Int(statement.first { $0.integer(0) } ?? 0)
  }

  /// The number of the type of a resource; nil where the organisation has no such resource.
  func type(of handle: Int64, in organization: OrganizationID) throws(SCIMError) -> Int64? {
    let statement = try statements.get(.typeOfResource)
    statement.bind(handle, at: 1)
    statement.bind(organization.rawValue, at: 2)
    return try statement.first { $0.integer(0) }
  }
}
