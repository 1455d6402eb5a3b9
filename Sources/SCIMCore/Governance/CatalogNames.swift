/// Finds catalogue entries by the words that name them: an id, else a `value` or a name that no other entry has.
///
/// The rules are those by which the store links assignments to the catalogue.
public struct CatalogNames: Sendable {
  private var ids: [Scope: Int] = [:]
  /// The entries that go by a folded name or `value`; nil where there is more than one.
  private var names: [Scope: Int?] = [:]
  private let schemas: [String]

  private struct Scope: Hashable {
    var schema: String
    var name: String
  }

  /// Indexes the entries; they are named by their position from here on.
  public init(_ entries: [CatalogEntry]) {
    var schemas: [String] = []
    for (index, entry) in entries.enumerated() {
      if !schemas.contains(entry.schema) { schemas.append(entry.schema) }
      ids[Scope(schema: entry.schema, name: entry.id)] = index
      for name in Set([Folding.fold(entry.display), entry.value.map(Folding.fold)].compactMap { $0 }) {
        let scope = Scope(schema: entry.schema, name: name)
        if let known = names[scope], known != index {
          names[scope] = .some(nil)
        } else {
          names[scope] = index
        }
      }
    }
    self.schemas = schemas
  }

  /// The position of the entry of that base schema which the word names; nil where none or more than one.
  public func find(_ word: String, schema: String) -> Int? {
    if let index = ids[Scope(schema: schema, name: word)] { return index }
    return names[Scope(schema: schema, name: Folding.fold(word))] ?? nil
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
