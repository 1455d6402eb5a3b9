/// A resource that a link is to point at.
public struct LinkTarget: Sendable, Equatable {
  public var handle: Int64
  public var type: String
  public var id: String
  /// Its name, where the look-up says so.
  public var display: String?

  public init(handle: Int64, type: String, id: String, display: String? = nil) {
    self.handle = handle
    self.type = type
    self.id = id
    self.display = display
  }
}

/// What many words name in a catalogue.
public struct CatalogMatches: Sendable {
  /// Those that have the word for an id.
  public var ids: [String: [LinkTarget]] = [:]
  /// Those that go by the word: of each type and attribute all there are, or two of them where there are more.
  public var names: [String: [LinkTarget]] = [:]

  public init() {}

  /// The one resource of these types that the word names: by its id, else by a name that no other of them has.
  public func match(_ word: String, types: [ResourceType]) -> LinkTarget? {
    func isIncluded(_ target: LinkTarget) -> Bool { types.contains { $0.name == target.type } }
    if let target = ids[word]?.first(where: isIncluded) { return target }
    guard let named = names[word]?.filter(isIncluded), let first = named.first,
      named.allSatisfy({ $0.handle == first.handle })
    else { return nil }
    return first
  }
}
