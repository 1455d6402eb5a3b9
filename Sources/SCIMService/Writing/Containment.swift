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
  /// - Parameter before: its document before the change; nil for a new one.
  /// - Throws: `invalidValue` where it would be a part of itself, `tooMany` where that takes too long to find out.
  func check(
    _ stored: StoredResource, from before: JSONObject?, to document: JSONObject, type: ResourceType
  ) throws(SCIMError) {
    guard let urn = type.countedExtension else { return }
    // A circle comes about by what an entry contains and by what it is called.
    if let before, Self.isSame(before, document, urn: urn, type: type) { return }
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

  private static func isSame(_ before: JSONObject, _ after: JSONObject, urn: String, type: ResourceType) -> Bool {
    ["contains", "containedBy", "value"].allSatisfy { before[urn]?[$0] == after[urn]?[$0] }
      && DocumentIndex.display(of: before, type: type) == DocumentIndex.display(of: after, type: type)
  }

  /// What is directly below an entry.
  private func parts(of entry: CatalogEntry) throws(SCIMError) -> [LinkTarget] {
    var parts = try find(entry.contains, preferring: entry.schema)
    var isNamed: [String: Bool] = [:]
    for part in try referrers(of: entry, by: "containedBy") {
      guard let schema = registry.type(named: part.type)?.schema.id else { continue }
      // Whether a word means this entry, and not another, depends on the base schema of whoever says it.
      if isNamed[schema] == nil {
        isNamed[schema] = try find(words(for: entry), preferring: schema).contains { $0.handle == entry.handle }
      }
      if isNamed[schema] == true { parts.append(part) }
    }
    return parts
  }

  /// The entries whose attribute holds a word for this one.
  private func referrers(of entry: CatalogEntry, by attribute: String) throws(SCIMError) -> [LinkTarget] {
    try transaction.catalogReferrers(
      words: words(for: entry), attribute: attribute, types: registry.types, in: organization)
  }

  private func words(for entry: CatalogEntry) -> [String] {
    [entry.id, entry.display] + (entry.value.map { [$0] } ?? [])
  }

  /// What the words mean: entries of that base schema, and where there is none, of the others.
  private func find(_ words: [String], preferring schema: String) throws(SCIMError) -> [LinkTarget] {
    var schemas = [schema]
    for type in registry.types where type.isCatalog && !schemas.contains(type.schema.id) {
      schemas.append(type.schema.id)
    }
    var found: [LinkTarget] = []
    var rest = words
    for schema in schemas where !rest.isEmpty {
      let types = registry.catalogTypes(schema: schema)
      let matches = try transaction.catalogMatches(rest, types: types, in: organization)
      rest.removeAll { word in
        guard let target = matches.match(word, types: types) else { return false }
        found.append(target)
        return true
      }
    }
    return found
  }

  private func load(_ target: LinkTarget) throws(SCIMError) -> CatalogEntry? {
    guard let type = registry.type(named: target.type),
      let stored = try transaction.resource(id: target.id, type: type, links: .none, in: organization)
    else { return nil }
    try transaction.budget.take(WriteCost.statement + WriteCost.parsing(stored.document.count))
    return CatalogEntry(
      handle: target.handle, id: target.id, document: try StoredDocument.parse(stored), type: type, isAssigned: false)
  }
}
