import SCIMCore

extension [ResourceType] {
  /// Those of which a resource may be that an element of a link names by its `value`, by the `type` in the element. One that
  /// names none of them is a word of the client's own, such as `direct`, and says nothing.
  ///
  /// - Parameters:
  ///   - type: in any letter case; empty where the element has none.
  ///   - isTyped: true where `type` can be nothing but the name of one of them, so that another leaves none.
  public func candidates(named type: String, isTyped: Bool = false) -> [ResourceType] {
    guard !type.isEmpty else { return self }
    let named = filter { ASCII.equalIgnoringCase($0.name, type) }
    return named.isEmpty && !isTyped ? self : named
  }
}
