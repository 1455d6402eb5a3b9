import SCIMCore

/// Keeps the catalogue free of circles: no role or entitlement is a part of itself, by `contains` and `containedBy` of
/// either side, through any number of others.
///
/// Words name entries by the rules of `CatalogNames`, looked up in the store, so that a write costs what is near it and
/// not the whole catalogue.
struct Containment {
  let registry: SchemaRegistry
  let transaction: any TenantTransaction

  /// Checks an entry that has just been written, inside the same transaction. A circle that was there before is no
  /// matter of the change: a name that is free again can make one of entries that are not written.
  ///
  /// - Parameter before: its document before the change; nil for a new one.
  /// - Throws: `invalidValue` where it would be a part of itself, `tooMany` where that takes too long to find out.
  func check(
    _ stored: StoredResource, from before: JSONObject?, to document: JSONObject, type: ResourceType
  ) throws(SCIMError) {
    guard type.isCatalog else { return }
    // A circle comes about by what an entry contains and by what it is called.
    if let before, Self.isSame(before, document, type: type) { return }
    func entry(_ document: JSONObject) -> CatalogEntry {
      CatalogEntry(handle: stored.handle, id: stored.id, document: document, type: type)
    }
    let present = entry(document)
    // A circle through it goes in and out.
    if present.containedBy.isEmpty, try referrers(of: present, by: "contains").isEmpty { return }
    let old = before.map(entry)
    var wholes: Set<Int64>?
    try walk(from: try parts(of: present), to: present) { (whole) throws(SCIMError) in
      guard let old else { throw Self.circle(type) }
      // What came back to it before may do so now, by the ways that it had.
      if wholes == nil {
        wholes = Set(try self.wholes(of: old).map(\.handle))
        try walk(from: try added(to: old, by: present), to: present) { (_) throws(SCIMError) in
          throw Self.circle(type)
        }
      }
      guard wholes?.contains(whole) == true else { throw Self.circle(type) }
    }
  }

  private static func circle(_ type: ResourceType) -> SCIMError {
    .circle(
      "'contains' and 'containedBy' would create a circle: this \(type.name) would be a part of itself.")
  }

  private static func isSame(_ before: JSONObject, _ after: JSONObject, type: ResourceType) -> Bool {
    guard DocumentIndex.display(of: before, type: type) == DocumentIndex.display(of: after, type: type) else {
      return false
    }
    guard let urn = type.countedExtension else { return true }
    return ["contains", "containedBy", "value"].allSatisfy { before[urn]?[$0] == after[urn]?[$0] }
  }

  /// Goes down from parts of an entry, and calls `arrival` with each entry below that contains it.
  private func walk(
    from parts: [LinkTarget], to entry: CatalogEntry, _ arrival: (Int64) throws(SCIMError) -> Void
  ) throws(SCIMError) {
    var waiting = parts
    var seen: Set<Int64> = []
    if waiting.contains(where: { $0.handle == entry.handle }) { try arrival(entry.handle) }
    while let part = waiting.popLast() {
      guard part.handle != entry.handle, seen.insert(part.handle).inserted, let known = try load(part) else { continue }
      let below = try self.parts(of: known)
      if below.contains(where: { $0.handle == entry.handle }) { try arrival(part.handle) }
      waiting += below
    }
  }

  /// What is directly below an entry.
  private func parts(of entry: CatalogEntry) throws(SCIMError) -> [LinkTarget] {
    try find(entry.contains, preferring: entry.schema) + meaning(entry, by: "containedBy", of: \.containedBy)
  }

  /// What is directly below an entry and was not before: by what it says, by what it is called, or since a word of its
  /// own means another now that it goes by another name itself.
  private func added(to old: CatalogEntry, by new: CatalogEntry) throws(SCIMError) -> [LinkTarget] {
    let had = Set(old.contains)
    // No other words mean anything else than they did, and there may be thousands.
    let renamed = Set(words(for: old).map(Folding.fold)).symmetricDifference(words(for: new).map(Folding.fold))
    func isRenamed(_ word: String) -> Bool { !renamed.isEmpty && renamed.contains(Folding.fold(word)) }
    let parts = try find(
      new.contains.filter { !had.contains($0) || isRenamed($0) }, preferring: new.schema)
    guard !renamed.isEmpty else { return parts }
    var known = try find(old.contains.filter(isRenamed), preferring: old.schema, before: old)
    known += try meaning(old, by: "containedBy", of: \.containedBy, isOld: true)
    let handles = Set(known.map(\.handle))
    return try (parts + meaning(new, by: "containedBy", of: \.containedBy)).filter { !handles.contains($0.handle) }
  }

  /// What an entry was directly a part of before it was changed.
  private func wholes(of old: CatalogEntry) throws(SCIMError) -> [LinkTarget] {
    try find(old.containedBy, preferring: old.schema, before: old)
      + meaning(old, by: "contains", of: \.contains, isOld: true)
  }

  /// The entries that mean this one by a word of their attribute: by the very word that they use, which may be the name
  /// of another as well, or mean another to those of their base schema.
  ///
  /// - Parameter isOld: it is the entry as it was before the change; all others are as they are.
  private func meaning(
    _ entry: CatalogEntry, by attribute: String, of list: KeyPath<CatalogEntry, [String]>, isOld: Bool = false
  ) throws(SCIMError) -> [LinkTarget] {
    let names = Set(words(for: entry).map(Folding.fold))
    var meanings: [String: [String: Bool]] = [:]
    var found: [LinkTarget] = []
    var referrers = try referrers(of: entry, by: attribute)
    // What the entry says of itself is what it said then.
    if isOld, !referrers.contains(where: { $0.handle == entry.handle }) {
      referrers.append(LinkTarget(handle: entry.handle, type: entry.type, id: entry.id))
    }
    for referrer in referrers {
      guard let known = try isOld && referrer.handle == entry.handle ? entry : load(referrer) else { continue }
      for word in known[keyPath: list] where names.contains(Folding.fold(word)) {
        let isMeant: Bool
        if let told = meanings[known.schema]?[word] {
          isMeant = told
        } else {
          isMeant =
            try find([word], preferring: known.schema, before: isOld ? entry : nil)
            .contains { $0.handle == entry.handle }
          meanings[known.schema, default: [:]][word] = isMeant
        }
        guard isMeant else { continue }
        found.append(referrer)
        break
      }
    }
    return found
  }

  /// The entries whose attribute holds a word for this one.
  private func referrers(of entry: CatalogEntry, by attribute: String) throws(SCIMError) -> [LinkTarget] {
    try transaction.catalogReferrers(
      words: words(for: entry), attribute: attribute, types: registry.types)
  }

  private func words(for entry: CatalogEntry) -> [String] {
    [entry.id, entry.display] + (entry.value.map { [$0] } ?? [])
  }

  /// What the words mean: entries of that base schema, and where there is none, of the others.
  ///
  /// - Parameter old: an entry as it was before the change, where what they meant then is asked; all others are as they
  ///   are.
  private func find(
    _ words: [String], preferring schema: String, before old: CatalogEntry? = nil
  ) throws(SCIMError) -> [LinkTarget] {
    var found: [LinkTarget] = []
    var rest = words
    let oldNames = Set((old.map(self.words) ?? []).map(Folding.fold))
    for schema in schemas(preferring: schema) where !rest.isEmpty {
      let types = registry.catalogTypes(schema: schema)
      var matches = try transaction.catalogMatches(rest, types: types)
      if let old {
        for word in rest where word != old.id {
          matches.names[word]?.removeAll { $0.handle == old.handle }
          guard old.schema == schema, oldNames.contains(Folding.fold(word)) else { continue }
          matches.names[word, default: []].append(LinkTarget(handle: old.handle, type: old.type, id: old.id))
        }
      }
      rest.removeAll { word in
        guard let target = matches.match(word, types: types) else { return false }
        found.append(target)
        return true
      }
    }
    return found
  }

  /// The base schemas of the catalogue in the order in which words are looked for.
  private func schemas(preferring schema: String) -> [String] {
    var schemas = [schema]
    for type in registry.types where type.isCatalog && !schemas.contains(type.schema.id) {
      schemas.append(type.schema.id)
    }
    return schemas
  }

  private func load(_ target: LinkTarget) throws(SCIMError) -> CatalogEntry? {
    guard let type = registry.type(named: target.type),
      let stored = try transaction.resource(id: target.id, type: type, links: .none)
    else { return nil }
    try transaction.budget.take(WriteCost.statement + WriteCost.parsing(stored.document.count))
    return CatalogEntry(
      handle: target.handle, id: target.id, document: try StoredDocument.parse(stored), type: type)
  }
}
