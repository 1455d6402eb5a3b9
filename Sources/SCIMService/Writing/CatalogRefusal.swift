import SCIMCore

/// Why an element of `roles` or `entitlements` names nothing in a closed catalogue, where there is more to say than that it
/// is not there. HTTP clients and the command line are told the same.
public enum CatalogRefusal {
  private static let namedTypes = 10

  /// What is wrong with the element; nil where the catalogue just lacks what it names.
  ///
  /// - Parameters:
  ///   - name: the name as it is to be quoted, without quotes.
  ///   - type: the `type` of the element; empty where it has none.
  ///   - types: the types that `type` may name.
  ///   - candidates: those of them that it names.
  ///   - count: how many entries of these have the name.
  public static func reason(
    name: String, type: String, types: [ResourceType], candidates: [ResourceType], count: Int
  ) -> String? {
    if count > 1 {
      return "\(count) entries of this organisation's catalogue are called '\(name)'; name one by its id"
    }
    guard candidates.isEmpty, !types.isEmpty, !type.isEmpty, !name.isEmpty else { return nil }
    let names = types.map(\.name)
    let excerpt = type.count > 100 ? String(type.prefix(100)) + "…" : type
    let nearest = Suggestion.nearest(to: type, among: names)
    let list = names.prefix(namedTypes).joined(separator: ", ") + (names.count > namedTypes ? ", …" : "")
    return "there is no type '\(excerpt)'"
      + (nearest == nil ? "; the types are \(list)" : Suggestion.sentence(nearest))
  }
}
