/// A stored definition that cannot be read any more, so that what it defines is not there. All else is.
public struct UnreadableDefinition: Sendable, Equatable {
  public var kind: Definition.Kind
  /// As the definition is named.
  public var name: String
  /// Of what adds to a built-in type, the URN that cannot be read.
  public var urn: String?
  /// What is wrong with it.
  public var reason: String

  /// True for the same definition, whatever is wrong with it.
  func isSame(as other: UnreadableDefinition) -> Bool {
    kind == other.kind && name == other.name && urn == other.urn
  }
}
