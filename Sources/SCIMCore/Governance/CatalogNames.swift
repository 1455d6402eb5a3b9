/// Finds catalogue entries by the words that name them: an id, else a `value` or a name that no other entry has.
///
/// The rules are those by which assignments are linked to the catalogue.
public struct CatalogNames: Sendable {
  private var ids: [Scope: Int] = [:]
  /// The entries that go by a folded name or `value`; nil where there is more than one.
  private var names: [Scope: Int?] = [:]
  private var schemas: [String] = []
  private var typedSchemas: Set<String> = []
  /// The types of each schema, in lower case.
  private var types: [String: Set<String>] = [:]

  /// Where a word is unique: among all entries of a base schema, or, where a type is given, of one type.
  private struct Scope: Hashable {
    var schema: String
    /// In lower case; nil for all types.
    var type: String?
    var name: String
  }

  /// Indexes the entries; they are named by their position from here on.
  ///
  /// - Parameter types: those of the catalogue, by which words with a `type` are told apart; they may have no entries.
  public init(_ entries: [CatalogEntry], types: [ResourceType] = []) {
    for type in types { self.types[type.schema.id, default: []].insert(ASCII.lowercase(type.name)) }
    for (index, entry) in entries.enumerated() {
      if !schemas.contains(entry.schema) { schemas.append(entry.schema) }
      if entry.isTyped { typedSchemas.insert(entry.schema) }
      let entryType = ASCII.lowercase(entry.type)
      self.types[entry.schema, default: []].insert(entryType)
      for type in [nil, entryType] {
        let id = Scope(schema: entry.schema, type: type, name: entry.id)
        if ids[id] == nil { ids[id] = index }
        for name in Set([Folding.fold(entry.display), entry.value.map(Folding.fold)].compactMap { $0 }) {
          let scope = Scope(schema: entry.schema, type: type, name: name)
          names[scope] = names[scope] == nil ? index : .some(nil)
        }
      }
    }
  }

  /// The position of the entry of that base schema which the word names; nil where none or more than one. A type that is
  /// not empty says of which one; where the types of the schema are not told apart by it, only if it is one of them.
  public func find(_ word: String, schema: String, type: String = "") -> Int? {
    let lower = ASCII.lowercase(type)
    let isType = typedSchemas.contains(schema) || types[schema]?.contains(lower) == true
    let type = type.isEmpty || !isType ? nil : lower
    if let index = ids[Scope(schema: schema, type: type, name: word)] { return index }
    return names[Scope(schema: schema, type: type, name: Folding.fold(word))] ?? nil
  }

  /// As above, among the entries of that schema first, then among those of the others.
  public func find(_ word: String, preferring schema: String) -> Int? {
    if let index = find(word, schema: schema) { return index }
    for other in schemas where other != schema {
      if let index = find(word, schema: other) { return index }
    }
    return nil
  }
}
