import SCIMCore

/// A row of `unique_key` without its organisation and resource.
struct UniqueRow: Hashable {
  var attribute: Int64
  var key: String
  /// For the message where it is taken.
  var path: String

  static func == (left: UniqueRow, right: UniqueRow) -> Bool {
    left.attribute == right.attribute && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(attribute)
    hasher.combine(key)
  }
}

extension SQLTransaction {
  /// Puts the difference of two documents' index rows into the journal. What is stored of the old one follows from the
  /// document, so nothing is kept or read to find it; rows are made only of the attributes that differ.
  func changeIndex(
    from old: JSONObject, to new: JSONObject, type: ResourceType, number: Int64, resource: Int64,
    in organization: OrganizationID
  ) throws(SCIMError) {
    let (before, after, changesTexts) = DocumentIndex.changedRows(from: old, to: new, type: type)
    var signature: TextSignature??
    if changesTexts { signature = .some(TextSignature(rows: DocumentIndex.rows(of: new, type: type), type: type)) }
    try changeRows(
      from: before, to: after, signature: signature, type: type, number: number, resource: resource, in: organization)
  }

  /// Puts the difference of rows of one type into the journal, and the signature where it is another: nil inside for none
  /// any more.
  func changeRows(
    from before: [IndexRow], to after: [IndexRow], signature: TextSignature??, type: ResourceType, number: Int64,
    resource: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    let (removed, added) = DocumentIndex.difference(old: before, new: after)
    // How many rows there are may date from before there was a limit: they can be taken away all the same.
    try budget.takeOnce { removed.count * WriteCost.indexRow }
    try budget.take(added.count * WriteCost.indexRow)
    for row in removed { try append(row, type: type, number: number, resource, organization, isRemoval: true) }
    for row in added { try append(row, type: type, number: number, resource, organization, isRemoval: false) }
    if let signature {
      journal.append(
        IndexJournal.Signature(
          organization: organization.rawValue, type: try signatureNumber(of: type, number: number), resource: resource,
          bytes: signature?.bytes))
    }
    if journal.pendingCount >= maximumHeldRows { try settle() }
  }

  private func append(
    _ row: IndexRow, type: ResourceType, number: Int64, _ resource: Int64, _ organization: OrganizationID,
    isRemoval: Bool
  ) throws(SCIMError) {
    let attribute = try makeNumber(ofLeaf: row.leaf, type: type, number: number)
    journal.append(
      row, attribute: attribute, resource: resource, organization: organization.rawValue, isRemoval: isRemoval)
  }

  /// The number under which the signatures of a type are, given one where it has none.
  func signatureNumber(of type: ResourceType, number: Int64) throws(SCIMError) -> Int64 {
    type.signatureName == type.name ? number : try makeNumber(ofType: type.signatureName)
  }

  /// The values of a document that the organisation holds unique.
  func uniqueKeys(
    of document: JSONObject, type: ResourceType, in organization: OrganizationID
  ) throws(SCIMError) -> [UniqueKey] {
    DocumentIndex.uniqueKeys(of: document, type: type, settings: try registry(of: organization).settings)
  }

  func uniqueRows(of keys: [UniqueKey], type: ResourceType, number: Int64) throws(SCIMError) -> [UniqueRow] {
    var rows: [UniqueRow] = []
    for key in keys {
      rows.append(
        UniqueRow(
          attribute: try makeNumber(ofAttribute: type.indexPath(key.path), type: number), key: key.key, path: key.path))
    }
    return rows
  }

  /// - Throws: `uniqueness` where another resource than `resource` has the value.
  func checkUnique(_ row: UniqueRow, resource: Int64?, in organization: OrganizationID) throws(SCIMError) {
    if let owner = try owner(of: row, in: organization), owner != resource { throw Self.taken(row) }
  }

  /// The resource that has the value.
  func owner(of row: UniqueRow, in organization: OrganizationID) throws(SCIMError) -> Int64? {
    let statement = try statements.get(.uniqueOwner)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(row.attribute, at: 2)
    statement.bind(row.key, at: 3)
    return try statement.first { $0.integer(0) }
  }

  static func taken(_ row: UniqueRow) -> SCIMError {
    SCIMError(.uniqueness, "Another resource of the organisation has this '\(row.path)'.", attribute: row.path)
  }

  func insert(_ row: UniqueRow, resource: Int64, in organization: OrganizationID) throws(SCIMError) {
    let statement = try statements.get(.insertUniqueKey)
    statement.bind(organization.rawValue, at: 1)
    statement.bind(row.attribute, at: 2)
    statement.bind(row.key, at: 3)
    statement.bind(resource, at: 4)
    guard try statement.runUnlessTaken() else { throw Self.taken(row) }
  }

  /// Writes the difference between the unique values of two documents; nil is no document.
  func changeUnique(
    from old: [UniqueRow], to new: [UniqueRow], resource: Int64, in organization: OrganizationID
  ) throws(SCIMError) {
    for row in old where !new.contains(row) {
      let statement = try statements.get(.deleteUniqueKey)
      statement.bind(organization.rawValue, at: 1)
      statement.bind(row.attribute, at: 2)
      statement.bind(row.key, at: 3)
      statement.bind(resource, at: 4)
      try statement.run()
    }
    for row in new where !old.contains(row) { try insert(row, resource: resource, in: organization) }
  }

  /// Counts a change of a resource: one that was made (1), changed (0) or deleted (-1).
  func count(_ difference: Int64, type: Int64, in organization: OrganizationID) {
    journal.append(
      IndexJournal.Count(
        organization: organization.rawValue, type: type, difference: difference, deletions: difference < 0 ? 1 : 0))
  }
}

// MARK: Writing what was held back

extension SQLTransaction {
  /// Writes the journal, so that what follows reads the index as the transaction has changed it.
  func writeJournal() throws(SCIMError) {
    let insert = try statements.get(.insertKey)
    let delete = try statements.get(.deleteKey)
    let addToCount = try statements.get(.addToCount)
    try journal.settle(
      entry: { (entry, key) throws(SCIMError) in
        let statement = entry.isRemoval ? delete : insert
        statement.bind(entry.organization, at: 1)
        statement.bind(entry.attribute, at: 2)
        statement.bindBorrowedText(key, at: 3)
        statement.bind(entry.resource, at: 4)
        statement.bind(entry.element, at: 5)
        if !entry.isRemoval { statement.bind(entry.isSortKey ? 1 : 0 as Int64, at: 6) }
        try statement.run()
      },
      signatures: { (changes) throws(SCIMError) in
        for block in SignatureBlock.changes(changes) { try write(block) }
      },
      count: { (count) throws(SCIMError) in
        addToCount.bind(count.organization, at: 1)
        addToCount.bind(count.type, at: 2)
        addToCount.bind(count.difference, at: 3)
        addToCount.bind(count.changes, at: 4)
        addToCount.bind(count.deletions, at: 5)
        try addToCount.run()
      })
  }

  private func write(_ change: SignatureBlock.Change) throws(SCIMError) {
    let statement = try statements.get(.signatureBlock)
    statement.bind(change.organization, at: 1)
    statement.bind(change.type, at: 2)
    statement.bind(change.block, at: 3)
    let stored = try statement.first { (id: $0.integer(0), bytes: $0.bytes(1)) }
    let bytes = change.apply(to: stored?.bytes ?? [])
    guard let stored else {
      guard !bytes.isEmpty else { return }
      let insert = try statements.get(.insertSignatureBlock)
      insert.bind(change.organization, at: 1)
      insert.bind(change.type, at: 2)
      insert.bind(change.block, at: 3)
      insert.bindBlob(bytes, at: 4)
      return try insert.run()
    }
    let update = try statements.get(bytes.isEmpty ? .deleteSignatureBlock : .updateSignatureBlock)
    update.bind(stored.id, at: 1)
    if !bytes.isEmpty { update.bindBlob(bytes, at: 2) }
    try update.run()
  }
}
