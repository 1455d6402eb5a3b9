import SCIMCore

/// What an organisation has while a seed file is read: in the database, and of the file so far.
final class SeedWorld {
  let catalog: Organization.Catalog
  private let stored: (any TenantReader)?
  /// Names of resources of the file, and the ids that they have or that stand for these.
  private(set) var references = SeedReferences()
  /// The types of the resources of the file by these ids.
  private var types: [String: String] = [:]
  /// The ids of the catalogue resources of the file by the names that assignments know them by.
  private var names: [Name: Set<String>] = [:]
  /// The same of the database, of names that were asked for.
  private var storedNames: [Name: Set<String>] = [:]

  /// The ids of the catalogue resources of all files, by their names.
  private var made: [SeedOccurrences.Name: [String]] = [:]
  private var occurrences = SeedOccurrences()
  /// Which of its name in its file the resource is that was asked for last.
  private var occurrence: SeedOccurrences.Occurrence?

  private struct Name: Hashable {
    var type: String
    var attribute: String
    var key: String
  }

  init(catalog: Organization.Catalog, stored: (any TenantReader)?) {
    self.catalog = catalog
    self.stored = stored
  }

  /// True where the organisation is in the database.
  var isStored: Bool { stored != nil }

  /// Another file begins.
  func beginFile() { occurrences = SeedOccurrences() }

  /// The id under which the database has a resource of the file; nil where it has none. To be asked once for each, before
  /// it is added.
  func existing(_ resource: SeedResource) throws(SCIMError) -> String? {
    occurrence = occurrences.next(resource.body, of: resource.type)
    guard let stored else { return nil }
    return try SeedRun.existing(
      resource.body, id: resource.id, type: resource.type, occurrence: occurrence?.index ?? 0, in: stored)?.id
  }

  /// - Parameter found: its id in the database.
  func add(_ resource: SeedResource, id found: String?) {
    var known: String?
    if let occurrence, resource.id == nil, let ids = made[occurrence.name], occurrence.index < ids.count {
      known = ids[occurrence.index]
    }
    // No id has a blank.
    let id = found ?? resource.id ?? known ?? "new \(types.count)"
    if let occurrence, made[occurrence.name]?.contains(id) != true { made[occurrence.name, default: []].append(id) }
    types[id] = resource.type.name
    references.add(id: id, body: resource.body, type: resource.type)
    guard resource.type.isCatalog else { return }
    for (path, definition, value) in resource.catalogNames {
      let name = Name(type: resource.type.name, attribute: path, key: Self.key(value, of: definition))
      names[name, default: []].insert(id)
    }
  }

  /// True where a resource of one of these types has the id.
  func isResource(_ id: String, of candidates: [ResourceType]) throws(SCIMError) -> Bool {
    if let type = types[id] { return candidates.contains { $0.name == type } }
    guard let stored, !candidates.isEmpty else { return false }
    return try stored.referenced(id: id, types: candidates.map(\.name)) != nil
  }

  /// How many catalogue resources of these types a word names: one by its id, else those that have it for a name.
  func catalogCount(_ word: String, of candidates: [ResourceType]) throws(SCIMError) -> Int {
    guard !word.isEmpty else { return 0 }
    if try isResource(word, of: candidates) { return 1 }
    var ids: Set<String> = []
    for type in candidates {
      for (path, definition) in type.catalogNames {
        let name = Name(type: type.name, attribute: path, key: Self.key(word, of: definition))
        ids.formUnion(names[name] ?? [])
        ids.formUnion(try stored(name, word, type))
      }
    }
    return ids.count
  }

  /// The ids of what the database has by that name: a hundred where there are more.
  private func stored(_ name: Name, _ word: String, _ type: ResourceType) throws(SCIMError) -> Set<String> {
    guard let stored else { return [] }
    if let known = storedNames[name] { return known }
    let text = String(decoding: JSON.string(word).encoded(), as: UTF8.self)
    let filter = try ResolvedFilter(parsing: "\(name.attribute) eq \(text)", type: type, profile: .strict)
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: type, filter: filter)], window: .index(offset: 0, count: 100), links: .none)
    let ids = Set(try stored.search(query).resources.map(\.id))
    storedNames[name] = ids
    return ids
  }

  private static func key(_ text: String, of definition: AttributeDefinition) -> String {
    definition.isCaseExact ? text : Folding.fold(text)
  }
}

extension SeedResource {
  fileprivate var catalogNames: [(path: String, definition: AttributeDefinition, value: String)] {
    type.catalogNames.compactMap { path, definition in
      let content = path == definition.name ? body : type.countedExtension.flatMap { body[$0]?.objectValue }
      return content?[definition.name]?.stringValue.map { (path, definition, $0) }
    }
  }
}
