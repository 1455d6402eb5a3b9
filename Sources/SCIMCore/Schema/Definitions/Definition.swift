/// One definition of an organisation's own: a schema, a resource type, or what it adds to a built-in type.
public struct Definition: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A Schema document (RFC 7643 section 7); named by its URN.
    case schema
    /// A ResourceType document (RFC 7643 section 6); named by its name.
    case type
    /// The extensions that a built-in type has besides its own: `{"schemaExtensions": […]}`; named by the type's name.
    case additions
    /// A built-in type that the organisation does not have: an empty object; named by the type's name.
    case retired
  }

  public let kind: Kind
  /// The URN of the schema, or the name of the type.
  public let name: String
  /// Without `schemas`, `id` and `meta` where these say nothing new.
  public var document: JSONObject
  /// Counts the changes from 1.
  public var version: Int64
  public var created: Timestamp
  public var modified: Timestamp

  public init(
    kind: Kind, name: String, document: JSONObject, version: Int64 = 1,
    created: Timestamp = Timestamp(milliseconds: 0), modified: Timestamp = Timestamp(milliseconds: 0)
  ) {
    self.kind = kind
    self.name = name
    self.document = document
    self.version = version
    self.created = created
    self.modified = modified
  }

  /// What an error calls it, for example `resource type License`.
  public var label: String {
    switch kind {
    case .schema: "schema \(name)"
    case .type: "resource type \(name)"
    case .additions: "extensions of \(name)"
    case .retired: "retirement of \(name)"
    }
  }
}

/// How much one organisation may define, so that what it costs the server is bounded.
public enum DefinitionLimits {
  public static let schemas = 200
  public static let types = 100
  /// Attributes of one type, those of its extensions and sub-attributes of complex ones each counted: a document is
  /// compared with them all.
  public static let attributes = 1000
  /// The same of all types of the organisation's own and those that it extends: each change of a definition goes through
  /// them all. Types share extensions, so that few bytes can make many.
  public static let attributesTogether = 3000
  /// All documents together, in bytes of JSON.
  public static let bytes = 256 << 10
}
