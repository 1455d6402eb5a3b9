import SCIMCore

extension SQLTransaction {
  func create(
    _ prepared: PreparedDocument, type: ResourceType, passwordHash: String?, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource {
    try checkNames(of: type, in: organization)
    return try change { () throws(SCIMError) in
      let typeNumber = try makeNumber(ofType: type.name)
      let unique = try uniqueRows(of: prepared.uniqueKeys, type: type, number: typeNumber)
      try budget.take((3 + 2 * unique.count) * WriteCost.statement + WriteCost.writing(prepared.bytes.count))
      // Looked up before anything is written, so that a refusal leaves nothing behind. Nobody else can write meanwhile.
      for row in unique { try checkUnique(row, resource: nil, in: organization) }
      // One that was made here is new, and needs no look-up.
      if prepared.isIDGiven { try checkGiven(prepared.id, in: organization) }
      let statement = try statements.get(.insertResource)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(typeNumber, at: 2)
      statement.bind(prepared.id, at: 3)
      statement.bind(now.milliseconds, at: 4)
      statement.bind(prepared.display, at: 5)
      statement.bind(prepared.displayKey, at: 6)
      statement.bind(passwordHash, at: 7)
      statement.bindText(prepared.bytes, at: 8)
      guard try statement.runUnlessTaken() else {
        throw Self.idIsTaken
      }
      let handle = connection.lastInsertedNumber
      for row in unique { try insert(row, resource: handle, in: organization) }
      try changeRows(
        from: [], to: prepared.rows, signature: prepared.signature.map { .some($0) }, type: type,
        number: typeNumber, resource: handle, in: organization)
      try follow(from: nil, to: prepared.document, type: type, resource: handle, in: organization)
      count(1, type: typeNumber, in: organization)
      try record("created", id: prepared.id, version: 1, type: typeNumber, in: organization)
      return StoredResource(
        handle: handle, type: type.name, id: prepared.id, version: 1, created: now, modified: now,
        document: prepared.bytes)
    }
  }

  func wasDeleted(id: String, in organization: OrganizationID) throws(SCIMError) -> Bool {
    try uses(of: id, in: organization).wasDeleted
  }

  /// An id that the server has not made is unique over all types of the organisation, was never that of another resource,
  /// and holds no text that Bulk reads as another (RFC 7643 section 3.1).
  private func checkGiven(_ id: String, in organization: OrganizationID) throws(SCIMError) {
    guard !ResourceID.isReserved(id) else {
      throw SCIMError(.invalidValue, "'id' must not contain \"bulkId\".", attribute: "id")
    }
    let uses = try uses(of: id, in: organization)
    guard !uses.exists else { throw Self.idIsTaken }
    guard !uses.wasDeleted else {
      throw SCIMError(
        .uniqueness, "'id' was that of a resource that has been deleted, and is not issued again.", attribute: "id")
    }
  }

  private static let idIsTaken = SCIMError(
    .uniqueness, "Another resource of the organisation has this 'id'.", attribute: "id")

  private func uses(
    of id: String, in organization: OrganizationID
  ) throws(SCIMError) -> (exists: Bool, wasDeleted: Bool) {
    try budget.take(2 * WriteCost.statement)
    let statement = try statements.get(.idIsUsed)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(id, at: 2)
    var uses = (exists: false, wasDeleted: false)
    try statement.forEach { if $0.integer(0) == 1 { uses.exists = true } else { uses.wasDeleted = true } }
    return uses
  }

  func update(
    _ current: StoredResource, from old: JSONObject, to document: JSONObject, type: ResourceType,
    password: PasswordChange, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource {
    try checkNames(of: type, in: organization)
    return try change { () throws(SCIMError) in
      let typeNumber = try makeNumber(ofType: type.name)
      let bytes = PreparedDocument.encode(document, id: current.id)
      let isChanged = bytes != current.document
      try budget.take(3 * WriteCost.statement + WriteCost.writing(bytes.count))
      var before: [UniqueRow] = []
      var after: [UniqueRow] = []
      if isChanged {
        before = try uniqueRows(of: uniqueKeys(of: old, type: type, in: organization), type: type, number: typeNumber)
        after = try uniqueRows(
          of: uniqueKeys(of: document, type: type, in: organization), type: type, number: typeNumber)
        for row in after where !before.contains(row) {
          try checkUnique(row, resource: current.handle, in: organization)
        }
      }
      let display = DocumentIndex.display(of: document, type: type)
      if isChanged, display != DocumentIndex.display(of: old, type: type) { revisionChanges.targetsChanged() }
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
        throw SCIMError(.internalError, "an update was based on a state that is not current")
      }
      if isChanged {
        try changeUnique(from: before, to: after, resource: current.handle, in: organization)
        try changeIndex(
          from: old, to: document, type: type, number: typeNumber, resource: current.handle, in: organization)
        try follow(from: old, to: document, type: type, resource: current.handle, in: organization)
      }
      switch password {
      case .keep: break
      case .clear: try setPassword(nil, of: current.handle, in: organization)
      case .set(let hash): try setPassword(hash, of: current.handle, in: organization)
      }
      count(0, type: typeNumber, in: organization)
      try record(
        "updated", id: current.id, version: current.version + 1, type: typeNumber, in: organization)
      return StoredResource(
        handle: current.handle, type: current.type, id: current.id, version: current.version + 1,
        created: current.created, modified: now, document: bytes)
    }
  }

  /// - Throws: `unavailable` where the type is of definitions that have changed since, and values would be written under
  ///   names that are searched no more.
  private func checkNames(of type: ResourceType, in organization: OrganizationID) throws(SCIMError) {
    guard let present = try registry(of: organization).type(named: type.name), present.secondNames != type.secondNames
    else { return }
    throw SCIMError(.unavailable, "The organisation's definitions have changed meanwhile; try again.")
  }

  /// How many of the resources that refer to one which is deleted are changed in one transaction.
  private static let holdersPerStep = 1000
  /// How many links of one which is deleted are taken away in one transaction.
  private static let ownedPerStep = 8000

  func delete(
    _ resource: StoredResource, type: ResourceType, in organization: OrganizationID
  ) throws(SCIMError) -> Bool {
    try change { () throws(SCIMError) in
      guard try deleteLinks(of: resource, in: organization) else { return false }
      // Definitions may have changed between two transactions of a deletion.
      let type = try registry(of: organization).type(named: type.name) ?? type
      let typeNumber = try makeNumber(ofType: type.name)
      // The document may date from before there was a limit.
      try budget.takeOnce { WriteCost.statement * 3 + WriteCost.parsing(resource.document.count) }
      let old = try Self.object(resource.document)
      try changeUnique(
        from: uniqueRows(of: uniqueKeys(of: old, type: type, in: organization), type: type, number: typeNumber), to: [],
        resource: resource.handle, in: organization)
      let rows = DocumentIndex.rows(of: old, type: type)
      let hadSignature = TextSignature(rows: rows, type: type) != nil
      try changeRows(
        from: rows, to: [], signature: hadSignature ? .some(nil) : nil, type: type, number: typeNumber,
        resource: resource.handle, in: organization)
      try follow(from: old, to: nil, type: type, resource: resource.handle, in: organization)
      revisionChanges.targetsChanged()
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
      return true
    }
  }

  /// Takes away the links of a resource that is being deleted, and those to it; false where there are more than one
  /// transaction may take away. Then it is noted, so that the deletion goes on whatever happens, and until then what is
  /// left is as good as before.
  private func deleteLinks(of resource: StoredResource, in organization: OrganizationID) throws(SCIMError) -> Bool {
    let holders = try linksOfTarget(resource.handle, limit: Self.holdersPerStep, in: organization)
    if holders > 0 {
      // Some of the owners may be groups.
      revisionChanges.linksChanged()
      pruning.recorded()
      // Whoever refers to it loses an element, so what is stored of the owner changes with the deletion.
      try budget.takeOnce { min(holders, Self.holdersPerStep) * WriteCost.touch }
      for (which, isTimed) in Self.holderStatements {
        let statement = try statements.get(which)
        statement.bind(organization.rawValue, at: 1)
        statement.bind(resource.handle, at: 2)
        statement.bind(Int64(Self.holdersPerStep), at: 3)
        if isTimed { statement.bind(now.milliseconds, at: 4) }
        try statement.run()
      }
      if holders > Self.holdersPerStep { return try deleteLater(resource, in: organization) }
    }
    let owned = try linksOfOwner(resource.handle, limit: Self.ownedPerStep, in: organization)
    guard owned > 0 else { return try forgetDeletion(of: resource, in: organization) }
    try budget.takeOnce { min(owned, Self.ownedPerStep) * WriteCost.link }
    revisionChanges.linksChanged()
    let statement = try statements.get(.deleteLinksOfOwner)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(resource.handle, at: 2)
    statement.bind(Int64(Self.ownedPerStep), at: 3)
    try statement.run()
    guard owned > Self.ownedPerStep else { return try forgetDeletion(of: resource, in: organization) }
    // It has lost some of its elements.
    let touch = try statements.get(.touchResource)
    touch.bind(organization.rawValue, at: 1)
    touch.bind(resource.handle, at: 2)
    touch.bind(now.milliseconds, at: 3)
    try touch.run()
    let type = try makeNumber(ofType: resource.type)
    count(0, type: type, in: organization)
    try record("updated", id: resource.id, version: resource.version + 1, type: type, in: organization)
    return try deleteLater(resource, in: organization)
  }

  private static let holderStatements: [(FixedStatement, isTimed: Bool)] = [
    (.recordOwnersOfLinks, true), (.touchOwnersOfLinks, true), (.deleteLinksOfTarget, false),
  ]

  private func deleteLater(_ resource: StoredResource, in organization: OrganizationID) throws(SCIMError) -> Bool {
    let statement = try statements.get(.insertDeletion)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(resource.handle, at: 2)
    try statement.run()
    return false
  }

  private func forgetDeletion(of resource: StoredResource, in organization: OrganizationID) throws(SCIMError) -> Bool {
    let statement = try statements.get(.deleteDeletion)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(resource.handle, at: 2)
    try statement.run()
    return true
  }

  /// How many links there are, counted no further than one behind `limit`.
  private func linksOfTarget(_ handle: Int64, limit: Int, in organization: OrganizationID) throws(SCIMError) -> Int {
    try countLinks(.linksOfTarget, handle, limit, organization)
  }

  private func linksOfOwner(_ handle: Int64, limit: Int, in organization: OrganizationID) throws(SCIMError) -> Int {
    try countLinks(.linksOfOwner, handle, limit, organization)
  }

  private func countLinks(
    _ which: FixedStatement, _ handle: Int64, _ limit: Int, _ organization: OrganizationID
  ) throws(SCIMError) -> Int {
    let statement = try statements.get(which)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(handle, at: 2)
    statement.bind(Int64(limit + 1), at: 3)
    return try Int(statement.first { $0.integer(0) } ?? 0)
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
}
