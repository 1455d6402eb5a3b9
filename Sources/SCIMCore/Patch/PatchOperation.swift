/// One operation of a PATCH request (RFC 7644 section 3.5.2).
public struct PatchOperation: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case add, remove, replace
  }

  public var kind: Kind
  /// The path as sent; nil where the operation is on the resource as a whole.
  public var path: String?
  /// The value as sent; nil where there was none, which is not the same as `.null`.
  public var value: JSON?

  public init(_ kind: Kind, path: String? = nil, value: JSON? = nil) {
    self.kind = kind
    self.path = path
    self.value = value
  }
}
