import SCIMCore

extension SQLTransaction {
  func link(
    owner: Int64, attribute: String, target: Int64, extra: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      guard let type = try type(of: owner, in: organization), try self.type(of: target, in: organization) != nil
      else {
        throw SCIMError(.internalError, "a link was to join what the organisation does not have")
      }
      let number = try makeNumber(ofAttribute: attribute, type: type)
      let bytes = extra.isEmpty ? nil : Self.encode(extra)
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

  func unlink(
    owner: Int64, attribute: String, target: Int64?, in organization: OrganizationID
  ) throws(SCIMError) -> Int {
    try change { () throws(SCIMError) in
      guard let type = try type(of: owner, in: organization) else { return 0 }
      let number = try number(ofAttribute: attribute, type: type)
      guard number != Self.unknown else { return 0 }
      guard let target else {
        let statement = try statements.get(.deleteOwnedLinks)
        bind(statement, organization, owner, number, from: 1)
        try statement.run()
        return connection.changes
      }
      guard let stored = try storedLink(owner: owner, number: number, target: target, in: organization) else {
        return 0
      }
      let statement = try statements.get(.deleteLink)
      bind(statement, organization, owner, number, from: 1)
      statement.bind(stored.sequence, at: 4)
      try statement.run()
      return connection.changes
    }
  }

  func find(
    ids: [String], types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [String: LinkTarget] {
    var found: [String: LinkTarget] = [:]
    for type in types {
      let number = try number(ofType: type.name)
      guard number != Self.unknown else { continue }
      for id in ids where found[id] == nil {
        if let target = try target(id: id, type: type, number: number, in: organization) { found[id] = target }
      }
    }
    return found
  }

  func catalogMatch(
    value: String, types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> LinkTarget? {
    for type in types {
      if let target = try target(id: value, type: type, number: number(ofType: type.name), in: organization) {
        return target
      }
    }
    var matches: [Int64: ResourceType] = [:]
    for type in types {
      let number = try number(ofType: type.name)
      for (path, definition) in Self.matchedAttributes(of: type) {
        let attribute = try self.number(ofAttribute: path, type: number)
        guard attribute != Self.unknown, let key = DocumentIndex.key(for: .string(value), of: definition) else {
          continue
        }
        try settle(attribute)
        let statement = try statements.get(.keyOwners)
        statement.bind(organization.rawValue, at: 1)
        statement.bind(attribute, at: 2)
        statement.bind(key, at: 3)
        try statement.forEach { matches[$0.integer(0)] = type }
      }
    }
    guard matches.count == 1, let (handle, type) = matches.first else { return nil }
    let statement = try statements.get(.targetByNumber)
    statement.bind(handle, at: 1)
    statement.bind(organization.rawValue, at: 2)
    return try statement.first {
      LinkTarget(handle: handle, type: type.name, id: $0.text(0), display: $0.optionalText(1))
    }
  }

  /// The attributes by which clients name a catalogue resource: `displayName`, and `value` of the IETF draft.
  private static func matchedAttributes(of type: ResourceType) -> [(path: String, definition: AttributeDefinition)] {
    var found: [(String, AttributeDefinition)] = []
    if let display = type.schema.attribute(named: "displayName") { found.append((display.name, display)) }
    for definition in type.extensions where definition.schema.id.hasPrefix("urn:ietf:params:scim:schemas:core:2.0:") {
      if let value = definition.schema.attribute(named: "value") {
        found.append((definition.schema.id + ":" + value.name, value))
      }
    }
    return found
  }

  func reaches(
    from owner: Int64, to target: Int64, attribute: String, in organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    if owner == target { return true }
    guard let type = try type(of: owner, in: organization) else { return false }
    let statement = try statements.get(.reaches)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(target, at: 2)
    statement.bind(try number(ofAttribute: attribute, type: type), at: 3)
    statement.bind(owner, at: 4)
    return try statement.first { _ in true } ?? false
  }

  private func target(
    id: String, type: ResourceType, number: Int64, in organization: OrganizationID
  ) throws(SCIMError) -> LinkTarget? {
    let statement = try statements.get(.linkTarget)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(number, at: 2)
    statement.bind(id, at: 3)
    return try statement.first {
      LinkTarget(handle: $0.integer(0), type: type.name, id: id, display: $0.optionalText(1))
    }
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

  private static func encode(_ object: JSONObject) -> [UInt8] {
    var bytes: [UInt8] = []
    object.write(into: &bytes)
    return bytes
  }
}
