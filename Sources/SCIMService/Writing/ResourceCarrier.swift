import SCIMCore

/// Brings the stored resources of a type along when its definition changes or goes.
struct ResourceCarrier {
  let organization: OrganizationID
  /// Removes what the new definitions have no place for, instead of refusing.
  let force: Bool

  private static let page = 500
  private static let namedIDs = 5

  /// Removes all resources of a type with their assignments.
  ///
  /// - Throws: `conflict` where there are some and `force` is not asked for.
  func remove(_ type: ResourceType, in transaction: any StoreTransaction) throws(SCIMError) {
    var count = 0
    var assignments = 0
    try forEach(type, in: transaction) { (stored) throws(SCIMError) in
      count += 1
      if force {
        try transaction.delete(stored, type: type, in: organization)
      } else {
        assignments += try transaction.assignmentsUsed(of: stored.handle, in: organization)
      }
    }
    guard force || count == 0 else {
      throw SCIMError(
        .conflict,
        "The type \(type.name) is in use: it has \(count) \(count == 1 ? "resource" : "resources"), assigned"
          + " \(assignments) \(assignments == 1 ? "time" : "times"). It goes with all of them only by force.")
    }
  }

  /// Writes the documents and index keys of a type's resources as its new definition has them.
  ///
  /// - Throws: `invalidValue` with the number and the first ids of those that do not fit; without `force`, `conflict`
  ///   where they have values of an extension that goes.
  func carry(
    from old: ResourceType, to new: ResourceType, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let affected = TypeChange.affectedMembers(old: old, new: new)
    if affected == [] { return }
    let gone = old.extensions.map(\.schema.id).filter { new.extension(urn: $0) == nil }
    var users = Offenders()
    var misfits = Offenders()
    try forEach(old, in: transaction) { (stored) throws(SCIMError) in
      // Most changes are about what few have.
      if let affected, try !StoredDocument.has(anyOf: affected, stored) { return }
      var document = try StoredDocument.parse(stored)
      let before = document
      for urn in gone { document[urn] = nil }
      if document != before {
        users.add(stored.id)
        guard force else { return }
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
        try transaction.restore(stored, from: old, type: new, document: carried, in: organization)
        if carried.members.count != before.members.count,
          let present = try transaction.resource(id: stored.id, type: new, links: .none, in: organization)
        {
          _ = try transaction.update(present, type: new, document: carried, password: .keep, in: organization)
        }
      } catch  where error.kind != .internalError && error.kind != .unavailable {
        // The attribute alone: what is stored is told to nobody.
        misfits.add(stored.id, at: error.kind == .uniqueness ? "a value that must be unique" : error.place)
      }
    }
    if misfits.count > 0 {
      throw SCIMError(
        .invalidValue, "\(misfits.text) of the type \(new.name) would not fit the new definition\(misfits.place).")
    }
    if users.count > 0, !force {
      throw SCIMError(
        .conflict,
        "\(users.text) of the type \(new.name) have values of \(gone.joined(separator: ", ")). These go only by force.")
    }
  }

  private func forEach(
    _ type: ResourceType, in transaction: any StoreTransaction, _ body: (StoredResource) throws(SCIMError) -> Void
  ) throws(SCIMError) {
    var position: CursorPosition?
    repeat {
      let query = SearchQuery(
        parts: [SearchQuery.Part(type: type, filter: nil)], window: .cursor(after: position, count: Self.page),
        links: .none)
      let page = try transaction.search(query, in: organization)
      for stored in page.resources { try body(stored) }
      position = page.next
    } while position != nil
  }

  /// Counts resources and remembers the first ids.
  private struct Offenders {
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
