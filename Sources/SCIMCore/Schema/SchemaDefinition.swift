/// One schema: its URN, its attributes, and the document that `/Schemas` serves (RFC 7643 section 7).
public final class SchemaDefinition: Sendable {
  /// The URN, for example `urn:ietf:params:scim:schemas:core:2.0:User`.
  public let id: String
  public let name: String
  public let text: String
  public let attributes: [AttributeDefinition]
  /// The document as it was read, without `meta`.
  public let document: JSONObject

  public init(id: String, name: String, text: String, attributes: [AttributeDefinition], document: JSONObject) {
    self.id = id
    self.name = name
    self.text = text
    self.attributes = attributes
    self.document = document
  }

  /// The attribute of that name in any ASCII letter case; nil where there is none.
  public func attribute(named name: String) -> AttributeDefinition? {
    attributes.first { ASCII.equalIgnoringCase($0.name, name) }
  }
}
