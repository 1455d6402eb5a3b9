import SCIMCore

/// Counts the catalogue resources of one name in a file. Several may have one; where nothing else tells them apart, the
/// first of the file is the first of the database, and so on.
struct SeedOccurrences: Sendable {
  struct Name: Hashable, Sendable {
    var type: String
    /// Folded where letter case does not count.
    var text: String
  }

  struct Occurrence: Sendable {
    var name: Name
    /// From 0.
    var index: Int
  }

  private var counts: [Name: Int] = [:]

  /// Which of its name the resource is; nil where it is none of the catalogue, or has no name.
  mutating func next(_ body: JSONObject, of type: ResourceType) -> Occurrence? {
    guard type.isCatalog, let attribute = type.schema.attribute(named: "displayName"),
      let text = body[attribute.name]?.stringValue
    else { return nil }
    let name = Name(type: type.name, text: attribute.isCaseExact ? text : Folding.fold(text))
    let index = counts[name] ?? 0
    counts[name] = index + 1
    return Occurrence(name: name, index: index)
  }
}
