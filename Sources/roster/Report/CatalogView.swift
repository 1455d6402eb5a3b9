import SCIMCore

/// One organisation's catalogue as reports look things up in it.
struct CatalogView {
  let entries: [CatalogEntry]
  let names: CatalogNames
  let graph: ContainmentGraph

  /// - Parameter types: those of the organisation, for `candidate`.
  init(_ entries: [CatalogEntry], types: [ResourceType] = []) {
    self.entries = entries
    names = CatalogNames(entries, types: types.filter(\.isCatalog))
    graph = ContainmentGraph(entries, names: names)
  }

  /// The entries that nobody holds, neither directly nor as a part of what they hold, and that no group grants.
  var unused: [CatalogEntry] {
    // The parts of what a group grants are held by its members alone.
    let reached = graph.reached(from: entries.indices.filter { entries[$0].isHeld })
    return entries.indices.filter { !reached.contains($0) && !entries[$0].isAssigned }.map { entries[$0] }
  }

  /// The entry that a value of somebody names by now, though it is not linked; nil where none or more than one.
  func candidate(for value: UnmatchedValue) -> CatalogEntry? {
    guard !value.value.isEmpty else { return nil }
    return names.find(value.value, schema: value.schema, type: value.type).map { entries[$0] }
  }
}
