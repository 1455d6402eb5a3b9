import SCIMCore

/// Keeps the catalogue free of circles: no role or entitlement is a part of itself, by `contains` and `containedBy` of
/// either side, through any number of others.
///
/// Words name entries by the rules of `CatalogNames`, looked up in the store, so that a write costs what is near it and
/// not the whole catalogue.
struct Containment {
  let registry: SchemaRegistry
  let organization: OrganizationID
  let transaction: any StoreTransaction

  /// Checks an entry that has just been written, inside the same transaction.
  ///
  /// - Throws: `invalidValue` where it would be a part of itself.
  func check(_ stored: StoredResource, document: JSONObject, type: ResourceType) throws(SCIMError) {
    guard type.countedExtension != nil else { return }
    let entry = CatalogEntry(
      handle: stored.handle, id: stored.id, document: document, type: type, isAssigned: false)
    // A circle through it goes in and out.
    if entry.containedBy.isEmpty, try referrers(of: entry, by: "contains").isEmpty { return }
    var waiting = try parts(of: entry)
    var seen: Set<Int64> = []
    while let part = waiting.popLast() {
      guard part.handle != entry.handle else {
        throw SCIMError(
          .invalidValue,
          "'contains' and 'containedBy' would make a circle: this \(type.name) would be a part of itself.")
      }
      guard seen.insert(part.handle).inserted, let known = try load(part) else { continue }
      waiting += try parts(of: known)
    }
  }

  /// What is directly below an entry.
  private func parts(of entry: CatalogEntry) throws(SCIMError) -> [LinkTarget] {
    var parts: [LinkTarget] = []
    for word in entry.contains {
      if let part = try find(word, preferring: entry.schema) { parts.append(part) }
    }
    for part in try referrers(of: entry, by: "containedBy") {
      guard let type = registry.type(named: part.type), try names(of: entry, from: type.schema.id) else { continue }
      parts.append(part)
    }
    return parts
  }

  /// The entries whose attribute holds a word for this one.
  private func referrers(of entry: CatalogEntry, by attribute: String) throws(SCIMError) -> [LinkTarget] {
    try transaction.catalogReferrers(
      words: words(for: entry), attribute: attribute, types: registry.types, in: organization)
  }

  /// True where one of the entry's words means it, and not another, in an entry of that base schema.
  private func names(of entry: CatalogEntry, from schema: String) throws(SCIMError) -> Bool {
    for word in words(for: entry) {
      if try find(word, preferring: schema)?.handle == entry.handle { return true }
    }
    return false
  }

  private func words(for entry: CatalogEntry) -> [String] {
    [entry.id, entry.display] + (entry.value.map { [$0] } ?? [])
  }

  private func find(_ word: String, preferring schema: String) throws(SCIMError) -> LinkTarget? {
    guard !word.isEmpty else { return nil }
    var schemas = [schema]
    for type in registry.types where type.isCatalog && !schemas.contains(type.schema.id) {
      schemas.append(type.schema.id)
    }
    for schema in schemas {
      let types = registry.catalogTypes(schema: schema)
      if let found = try transaction.catalogMatch(value: word, types: types, in: organization) { return found }
    }
    return nil
  }

  private func load(_ target: LinkTarget) throws(SCIMError) -> CatalogEntry? {
    guard let type = registry.type(named: target.type),
      let stored = try transaction.resource(id: target.id, type: type, links: .none, in: organization)
    else { return nil }
    return CatalogEntry(
      handle: target.handle, id: target.id, document: try StoredDocument.parse(stored), type: type, isAssigned: false)
  }
}
