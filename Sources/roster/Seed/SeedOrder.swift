import SCIMCore

/// The order in which types are seeded.
enum SeedOrder {
  /// First the catalogue, which users refer to; then what has no members; then what has.
  static func order(_ types: [ResourceType]) -> [ResourceType] {
    func rank(_ type: ResourceType) -> Int {
      if type.isCatalog { return 0 }
      return type.hasMembers ? 2 : 1
    }
    return types.enumerated()
      .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
      .map(\.element)
  }
}
