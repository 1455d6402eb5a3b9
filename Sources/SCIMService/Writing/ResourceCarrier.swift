import SCIMCore

/// Brings the stored resources of a type along when its definition changes or goes.
struct ResourceCarrier {
  let organization: OrganizationID

  private static let page = 500
  private static let namedIDs = 5
  /// So many steps are taken in one of several transactions.
  private static let stepsPerTransaction = WorkBudget.writeLimit / 4

  // MARK: What goes

  /// - Throws: `conflict` where there are resources of the type.
  func checkUnused(_ type: ResourceType, in reader: any StoreReader) throws(SCIMError) {
    let count = try reader.search(query(type, .index(offset: 0, count: 0)), in: organization).total
    guard count > 0 else { return }
    // How often the first ones are assigned is enough to tell what is at stake.
    var assignments = 0
    let first = try reader.search(query(type, .index(offset: 0, count: 100)), in: organization)
    for stored in first.resources { assignments += try reader.assignmentsUsed(of: stored.handle, in: organization) }
    let least = first.resources.count < count ? "at least " : ""
    throw SCIMError(
      .conflict,
      "The type \(type.name) is in use: it has \(count) \(count == 1 ? "resource" : "resources"), assigned"
        + " \(least)\(assignments) \(assignments == 1 ? "time" : "times"). Removing it with all of them requires \"force\"."
    )
  }

  /// - Throws: `invalidValue` where the type of that name, which cannot be read, has resources: they cannot be told apart from
  ///   their index without it.
  func checkEmpty(_ name: String, in reader: any StoreReader) throws(SCIMError) {
    let schema = SchemaDefinition(id: "", name: name, text: "", attributes: [], document: JSONObject())
    let type = ResourceType(name: name, endpoint: "", schema: schema, document: JSONObject())
    let count = try reader.search(query(type, .index(offset: 0, count: 0)), in: organization).total
    guard count > 0 else { return }
    throw SCIMError(
      .invalidValue,
      "The type \(name) cannot be read and has \(count) \(count == 1 ? "resource" : "resources"). Define the schemas that"
        + " it refers to first.")
  }

  /// Deletes resources of a type with their assignments, as many as one of several transactions may; true where none is
  /// left.
  func remove(_ type: ResourceType, in transaction: any StoreTransaction) throws(SCIMError) -> Bool {
    try forEachLeft(type, filter: nil, in: transaction) { (stored) throws(SCIMError) in
      try transaction.delete(stored, type: type, in: organization)
    }
  }

  /// Removes the values of extensions that the new definition of a type lacks, by the old one and as `remove` does.
  func removeValues(
    from old: ResourceType, to new: ResourceType, in transaction: any StoreTransaction
  ) throws(SCIMError) -> Bool {
    for urn in Self.gone(from: old, to: new) {
      let holders = ResolvedFilter.compare(
        AttributeReference(home: .common, attribute: CommonAttributes.schemas), .eq, .text(urn))
      let isDone = try forEachLeft(old, filter: holders, in: transaction) { (stored) throws(SCIMError) in
        try transaction.budget.take(WriteCost.parsing(stored.document.count))
        var document = try StoredDocument.parse(stored)
        document[urn] = nil
        let ordered = ResourceDocument.ordered(document, type: old)
        _ = try transaction.update(stored, type: old, document: ordered, password: .keep, in: organization)
        return true
      }
      guard isDone else { return false }
    }
    return true
  }

  /// Calls `body` for one resource after the other that is left, which makes it one that is not, until none is left, which
  /// gives true, or the transaction has had enough or `body` gives false.
  private func forEachLeft(
    _ type: ResourceType, filter: ResolvedFilter?, in transaction: any StoreTransaction,
    _ body: (StoredResource) throws(SCIMError) -> Bool
  ) throws(SCIMError) -> Bool {
    while true {
      let page = try transaction.search(
        query(type, .cursor(after: nil, count: 100), filter: filter), in: organization)
      if page.resources.isEmpty { return true }
      for stored in page.resources {
        guard transaction.budget.spent < Self.stepsPerTransaction, try body(stored) else { return false }
      }
    }
  }

  // MARK: What stays

  /// The ids of the resources that the new definition wants written anew.
  ///
  /// - Parameter force: values of extensions that go are removed before.
  /// - Throws: `invalidValue` with the number and the first ids of those that do not fit; without `force`, `conflict`
  ///   where they have values of an extension that goes.
  func survey(
    from old: ResourceType, to new: ResourceType, force: Bool, in reader: any StoreReader
  ) throws(SCIMError) -> [String] {
    let affected = TypeChange.affectedMembers(old: old, new: new)
    if affected == [] { return [] }
    var findings = Findings(old: old, new: new, force: force)
    var ids: [String] = []
    try forEach(old, in: reader) { (stored) throws(SCIMError) in
      if let affected, try !StoredDocument.has(anyOf: affected, stored) { return }
      ids.append(stored.id)
      _ = try findings.carried(StoredDocument.parse(stored), of: stored.id)
    }
    try findings.check()
    return ids
  }

  /// Writes the documents and index keys of a type's resources as its new definition has them.
  ///
  /// - Parameter survey: which these are, but for what has been written since; nil looks at all.
  /// - Throws: as `survey`; `tooMany` where there are too many for one transaction.
  func carry(
    from old: ResourceType, to new: ResourceType, survey: DefinitionSurvey?, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let affected = TypeChange.affectedMembers(old: old, new: new)
    if affected == [] { return }
    var findings = Findings(old: old, new: new, force: false)
    var count = 0
    func carry(_ stored: StoredResource) throws(SCIMError) {
      // Most changes are about what few have.
      if let affected, try !StoredDocument.has(anyOf: affected, stored) { return }
      count += 1
      try transaction.budget.take(WriteCost.statement * 2 + 2 * WriteCost.parsing(stored.document.count))
      let before = try StoredDocument.parse(stored)
      guard let carried = try findings.carried(before, of: stored.id) else { return }
      do throws(SCIMError) {
        try transaction.restore(stored, from: old, type: new, document: carried, in: organization)
      } catch  where error.kind == .uniqueness {
        findings.misfits.add(stored.id, at: "a value that must be unique")
      }
    }
    do throws(SCIMError) {
      if let survey {
        let known = survey.affected[new.name] ?? []
        for id in known {
          if let stored = try transaction.resource(id: id, type: old, links: .none, in: organization) {
            try carry(stored)
          }
        }
        let done = Set(known)
        let since = try ResolvedFilter(
          parsing: "meta.lastModified ge \"\(survey.since.text)\"", type: old, profile: .strict)
        try forEach(old, filter: since, in: transaction) { (stored) throws(SCIMError) in
          if !done.contains(stored.id) { try carry(stored) }
        }
      } else {
        try forEach(old, in: transaction) { (stored) throws(SCIMError) in
          try transaction.budget.take(WriteCost.statement)
          try carry(stored)
        }
      }
    } catch  where error.kind == .tooMany {
      throw SCIMError(
        .tooMany,
        "The change affects more stored resources of the type \(new.name) than one write may change (\(count) were"
          + " changed before the limit). Remove the affected values from some of them first, or use"
          + " 'roster type add --at-once', for which other writes wait.")
    }
    try findings.check()
  }

  private static func gone(from old: ResourceType, to new: ResourceType) -> [String] {
    old.extensions.map(\.schema.id).filter { new.extension(urn: $0) == nil }
  }

  private func query(
    _ type: ResourceType, _ window: SearchQuery.Window, filter: ResolvedFilter? = nil
  ) -> SearchQuery {
    SearchQuery(parts: [SearchQuery.Part(type: type, filter: filter)], window: window, links: .none)
  }

  private func forEach(
    _ type: ResourceType, filter: ResolvedFilter? = nil, in reader: any StoreReader,
    _ body: (StoredResource) throws(SCIMError) -> Void
  ) throws(SCIMError) {
    var position: CursorPosition?
    repeat {
      let page = try reader.search(
        query(type, .cursor(after: position, count: Self.page), filter: filter), in: organization)
      for stored in page.resources { try body(stored) }
      position = page.next
    } while position != nil
  }

  // MARK: Findings

  /// What a change finds among the resources of a type.
  private struct Findings {
    let new: ResourceType
    let force: Bool
    let gone: [String]
    var users = ResourceCount()
    var misfits = ResourceCount()

    init(old: ResourceType, new: ResourceType, force: Bool) {
      self.new = new
      self.force = force
      gone = ResourceCarrier.gone(from: old, to: new)
    }

    /// The document as the new definition stores it; nil where it does not fit, which is noted.
    mutating func carried(_ before: JSONObject, of id: String) throws(SCIMError) -> JSONObject? {
      var document = before
      for urn in gone { document[urn] = nil }
      if document != before {
        users.add(id)
        guard force else { return nil }
      }
      var elements: [(LinkDefinition, [JSON])] = []
      for link in new.links {
        guard let unlinked = document[link]?.arrayValue else { continue }
        elements.append((link, unlinked))
        document[link] = nil
      }
      do throws(SCIMError) {
        var carried = try TypeChange.carry(document, to: new)
        for (link, unlinked) in elements {
          carried = StoredDocument.placing(unlinked, link: link, in: carried, type: new)
        }
        return carried
      } catch  where error.kind != .internalError && error.kind != .unavailable {
        // The attribute alone: what is stored is told to nobody.
        misfits.add(id, at: error.place)
        return nil
      }
    }

    func check() throws(SCIMError) {
      if misfits.count > 0 {
        throw SCIMError(
          .invalidValue, "\(misfits.text) of the type \(new.name) would not fit the new definition\(misfits.place).")
      }
      if users.count > 0, !force {
        throw SCIMError(
          .conflict,
          "\(users.text) of the type \(new.name) have values of \(gone.joined(separator: ", ")). Removing"
            + " these requires \"force\".")
      }
    }
  }

  /// Counts resources and remembers the first ids.
  private struct ResourceCount {
    var count = 0
    var ids: [String] = []
    var place = ""

    mutating func add(_ id: String, at place: String = "") {
      if count == 0, !place.isEmpty { self.place = " (\(place))" }
      count += 1
      if ids.count < ResourceCarrier.namedIDs { ids.append("'\(id)'") }
    }

    var text: String {
      let rest = count > ids.count ? " and \(count - ids.count) more" : ""
      return "\(count) stored \(count == 1 ? "resource" : "resources") (\(ids.joined(separator: ", "))\(rest))"
    }
  }
}

extension SCIMError {
  /// The attribute that a message speaks of, which stands before its first colon and blank.
  fileprivate var place: String {
    guard let end = detail.firstRange(of: ": ") else { return "" }
    return String(detail[..<end.lowerBound])
  }
}
