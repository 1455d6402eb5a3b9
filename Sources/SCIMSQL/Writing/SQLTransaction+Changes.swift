import SCIMCore

/// Changes of definitions that take several transactions: the index of the new ones is written beside that of the old
/// ones, under names that nothing is searched by, and what is written meanwhile is indexed for both.
extension SQLTransaction {
  func beginChange(_ plan: PendingChange, in organization: OrganizationID) throws(SCIMError) -> Int64 {
    try change { () throws(SCIMError) in
      try giveUpChange(of: organization)
      try budget.take(2 * WriteCost.statement + WriteCost.writing(plan.encoded.count))
      let statement = try statements.get(.insertDefinitionChange)
      statement.bind(organization.rawValue, at: 1)
      statement.bindText(plan.encoded, at: 2)
      try statement.run()
      let number = connection.lastInsertedNumber
      try moveKeyRevision()
      let noted = plan.noted(as: number, isCertain: false)
      prepared.begin(noted, of: organization)
      keys.add(noted, of: organization)
      try setStale(true, noted.parts.values.flatMap(\.writes), in: organization)
      return number
    }
  }

  func makeChangeCertain(in organization: OrganizationID) throws(SCIMError) {
    try change { () throws(SCIMError) in
      let statement = try statements.get(.makeChangeCertain)
      statement.bind(organization.rawValue, at: 1)
      try statement.run()
      try moveKeyRevision()
    }
  }

  func moveChange(in organization: OrganizationID) throws(SCIMError) {
    try change { () throws(SCIMError) in
      let statement = try statements.get(.moveDefinitionChange)
      statement.bind(organization.rawValue, at: 1)
      try statement.run()
    }
  }

  func giveUpChange(of organization: OrganizationID) throws(SCIMError) {
    try change { () throws(SCIMError) in
      guard let (number, _) = try changeUnderWay(of: organization) else { return }
      let statement = try statements.get(.deleteDefinitionChange)
      statement.bind(organization.rawValue, at: 1)
      try statement.run()
      prepared.endChange(of: organization, number: number)
      // More of them go with what is stale.
      _ = try removeMisfits(of: organization)
      try moveKeyRevision()
    }
  }

  func switchIndex(in organization: OrganizationID) throws(SCIMError) {
    try change { () throws(SCIMError) in
      guard let pending = try pendingChange(of: organization) else {
        throw SCIMError(.internalError, "database: there is no change of definitions")
      }
      try setStale(false, pending.parts.values.flatMap(\.writes), in: organization)
      try setStale(true, pending.parts.values.flatMap(\.drops), in: organization)
      for part in pending.parts.values {
        let type = try makeNumber(ofType: part.new.name)
        if part.changesDisplay { try setStale(true, .display, type, in: organization) }
        // What was found by the index before holds no more.
        count(0, type: type, in: organization)
      }
      for type in pending.before.types {
        let names = pending.after.type(named: type.name)?.secondNames ?? []
        guard names != type.secondNames else { continue }
        try budget.take(
          2 * WriteCost.statement + (names.count + type.secondNames.count) * WriteCost.lookUp)
        let delete = try statements.get(.deleteSecondNames)
        delete.bind(organization.rawValue, at: 1)
        delete.bind(type.name, at: 2)
        try delete.run()
        guard !names.isEmpty else { continue }
        let insert = try statements.get(.insertSecondNames)
        insert.bind(organization.rawValue, at: 1)
        insert.bind(type.name, at: 2)
        insert.bindText(Self.list(names.sorted()), at: 3)
        try insert.run()
      }
      try giveUpChange(of: organization)
    }
  }

  // MARK: Resources

  func index(
    _ resource: StoredResource, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) -> SCIMError? {
    try change { () throws(SCIMError) in
      guard let pending = try pendingChange(of: organization), let part = pending.parts[resource.type] else {
        return nil
      }
      return try write(part, of: pending, from: nil, to: document, resource: resource.handle, in: organization)
    }
  }

  /// Does for the change that is under way what a write does for the definitions in force; nil for no document. What does
  /// not fit the new ones is noted, and stops the change where nothing comes of it, or is refused once it is certain.
  func follow(
    from old: JSONObject?, to new: JSONObject?, type: ResourceType, resource: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    guard let pending = try pendingChange(of: organization), let part = pending.parts[type.name] else { return }
    let misfit = try write(part, of: pending, from: old, to: new, resource: resource, in: organization)
    if pending.isCertain, let misfit { throw misfit }
  }

  /// Gives what the new definition has against the new document.
  private func write(
    _ part: IndexChange, of pending: PendingChange, from old: JSONObject?, to new: JSONObject?, resource: Int64,
    in organization: OrganizationID
  ) throws(SCIMError) -> SCIMError? {
    let number = try makeNumber(ofType: part.new.name)
    var misfit: SCIMError?
    if let new {
      budget.note(WriteCost.touch)
      do throws(SCIMError) {
        try part.check(new, isForced: pending.change.isForced)
      } catch {
        guard error.kind != .internalError, error.kind != .unavailable else { throw error }
        misfit = error
      }
    }
    let before = try uniqueRows(of: old.map(part.uniqueKeys) ?? [], type: part.new, number: number)
    let after = try uniqueRows(of: new.map(part.uniqueKeys) ?? [], type: part.new, number: number)
    budget.note((1 + before.count + 2 * after.count) * WriteCost.statement)
    try changeUnique(
      from: before.filter { !after.contains($0) }, to: [], resource: resource, in: organization)
    for row in after {
      switch try owner(of: row, in: organization) {
      case nil: try insert(row, resource: resource, in: organization)
      case resource: break
      default: misfit = misfit ?? Self.taken(row)
      }
    }
    let signature: TextSignature?? = part.writesSignatures ? .some(new.flatMap(part.signature)) : nil
    // Rows that are there already, and some that are not, are no mistake.
    try changeRows(
      from: old.map(part.rows) ?? [], to: new.map(part.rows) ?? [], signature: signature, type: part.new,
      number: number, resource: resource, in: organization)
    let statement = try statements.get(misfit == nil ? .deleteMisfit : .insertMisfit)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(resource, at: 2)
    try statement.run()
    return misfit
  }

  func misfits(
    after handle: Int64, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> [Int64] {
    let statement = try statements.get(.misfits)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(handle, at: 2)
    statement.bind(Int64(limit), at: 3)
    var handles: [Int64] = []
    try statement.forEach { handles.append($0.integer(0)) }
    return handles
  }

  func rewrite(
    _ resource: StoredResource, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) {
    try change { () throws(SCIMError) in
      let bytes = PreparedDocument.encode(document, id: resource.id)
      if bytes == resource.document { return }
      try budget.take(WriteCost.statement + WriteCost.writing(bytes.count))
      let statement = try statements.get(.rewriteDocument)
      statement.bind(resource.handle, at: 1)
      statement.bind(organization.rawValue, at: 2)
      statement.bindText(bytes, at: 3)
      try statement.run()
    }
  }
}
