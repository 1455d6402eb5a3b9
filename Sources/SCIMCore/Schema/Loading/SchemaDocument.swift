import Foundation

/// The text of one Schema or ResourceType document (RFC 7643 sections 6 and 7) and the name that messages give it.
public struct SchemaDocument: Sendable {
  /// A file name or path, for example `types/User.type.json`.
  public var name: String
  /// The JSON text in UTF-8.
  public var data: Data

  public init(name: String, data: Data) {
    self.name = name
    self.data = data
  }
}
