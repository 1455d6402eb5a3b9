import SCIMCore

extension SQLTransaction {
  func create(
    type: ResourceType, id: String?, document: JSONObject, passwordHash: String?, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource {
    try change { () throws(SCIMError) in
      let typeNumber = try makeNumber(ofType: type.name)
      let id = id ?? ResourceID.make()
      let unique = try uniqueRows(of: document, type: type, number: typeNumber)
      // Looked up before anything is written, so that a refusal leaves nothing behind. Nobody else can write meanwhile.
      for row in unique { try checkUnique(row, resource: nil, in: organization) }
      let bytes = Self.encode(document, id: id)
      let display = DocumentIndex.display(of: document, type: type)
      let statement = try statements.get(.insertResource)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(typeNumber, at: 2)
      statement.bind(id, at: 3)
      statement.bind(now.milliseconds, at: 4)
      statement.bind(display, at: 5)
      statement.bind(display.map(Folding.fold), at: 6)
      statement.bind(passwordHash, at: 7)
      statement.bindText(bytes, at: 8)
      guard try statement.runUnlessTaken() else {
        throw SCIMError(.uniqueness, "Another \(type.name) of the organisation has this 'id'.", attribute: "id")
      }
      let handle = connection.lastInsertedNumber
      for row in unique { try insert(row, resource: handle, in: organization) }
      try changeIndex(
        from: nil, to: document, type: type, number: typeNumber, resource: handle, in: organization)
      count(1, type: typeNumber, in: organization)
      try record("created", id: id, version: 1, type: typeNumber, in: organization)
      return StoredResource(
        handle: handle, type: type.name, id: id, version: 1, created: now, modified: now, document: bytes)
    }
  }

  func update(
    _ current: StoredResource, type: ResourceType, document: JSONObject, password: PasswordChange,
    in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource {
    try change { () throws(SCIMError) in
      let typeNumber = try makeNumber(ofType: type.name)
      let bytes = Self.encode(document, id: current.id)
      let isChanged = bytes != current.document
      let unique = isChanged ? try uniqueRows(of: document, type: type, number: typeNumber) : []
      for row in unique { try checkUnique(row, resource: current.handle, in: organization) }
      let display = DocumentIndex.display(of: document, type: type)
      let statement = try statements.get(.updateResource)
      statement.bind(current.handle, at: 1)
      statement.bind(organization.rawValue, at: 2)
      statement.bind(current.version, at: 3)
      statement.bind(now.milliseconds, at: 4)
      statement.bind(display, at: 5)
      statement.bind(display.map(Folding.fold), at: 6)
      statement.bindText(bytes, at: 7)
      try statement.run()
      guard connection.changes == 1 else {
        throw SCIMError(.internalError, "an update was based on a state that is not the present one")
      }
      if isChanged {
        let old = try Self.object(current.document)
        try changeUnique(
          from: uniqueRows(of: old, type: type, number: typeNumber), to: unique, resource: current.handle,
          in: organization)
        try changeIndex(
          from: old, to: document, type: type, number: typeNumber, resource: current.handle, in: organization)
      }
      switch password {
      case .keep: break
      case .clear: try setPassword(nil, of: current.handle, in: organization)
      case .set(let hash): try setPassword(hash, of: current.handle, in: organization)
      }
      count(0, type: typeNumber, in: organization)
      try record(
        "updated", id: current.id, version: current.version + 1, type: typeNumber, in: organization)
      var updated = current
      updated.version += 1
      updated.modified = now
      updated.document = bytes
      if current.links.isEmpty { return updated }
      // The caller may have moved links since it read them.
      let read = Set(current.links.map(\.attribute))
      updated.links =
        try resource(id: current.id, type: type, links: .own(read), in: organization)?.links ?? []
      return updated
    }
  }

  func delete(
    _ resource: StoredResource, type: ResourceType, in organization: OrganizationID
  ) throws(SCIMError) {
    try change { () throws(SCIMError) in
      let typeNumber = try makeNumber(ofType: type.name)
      let old = try Self.object(resource.document)
      try changeUnique(
        from: uniqueRows(of: old, type: type, number: typeNumber), to: [], resource: resource.handle, in: organization)
      try changeIndex(
        from: old, to: nil, type: type, number: typeNumber, resource: resource.handle, in: organization)
      // Whoever refers to it loses an element, so what is stored of the owner changes with the deletion.
      for statement in [FixedStatement.recordOwnersOfLinks, .touchOwnersOfLinks] {
        let statement = try statements.get(statement)
        statement.bind(organization.rawValue, at: 1)
        statement.bind(resource.handle, at: 2)
        statement.bind(now.milliseconds, at: 3)
        try statement.run()
      }
      for statement in [FixedStatement.deleteLinksOfOwner, .deleteLinksOfTarget] {
        let statement = try statements.get(statement)
        statement.bind(organization.rawValue, at: 1)
        statement.bind(resource.handle, at: 2)
        try statement.run()
      }
      let statement = try statements.get(.deleteResource)
      statement.bind(resource.handle, at: 1)
      statement.bind(organization.rawValue, at: 2)
      try statement.run()
      guard connection.changes == 1 else {
        throw SCIMError(.internalError, "a resource was deleted that the organisation does not have")
      }
      count(-1, type: typeNumber, in: organization)
      try record(
        "deleted", id: resource.id, version: resource.version, type: typeNumber, in: organization)
    }
  }

  private func setPassword(
    _ hash: String?, of handle: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    let statement = try statements.get(.setPassword)
    statement.bind(handle, at: 1)
    statement.bind(organization.rawValue, at: 2)
    statement.bind(hash, at: 3)
    try statement.run()
  }

  /// The stored form: the document with the id behind `schemas`.
  static func encode(_ document: JSONObject, id: String) -> [UInt8] {
    var members = document.members
    members.removeAll { $0.key == "id" }
    let position = members.first?.key == "schemas" ? 1 : 0
    members.insert(JSONObject.Member(key: "id", value: .string(id)), at: position)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    JSONObject(members).write(into: &bytes)
    return bytes
  }
}
