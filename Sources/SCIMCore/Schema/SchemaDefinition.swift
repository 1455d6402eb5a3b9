/// One schema: its URN, its attributes, and the document that `/Schemas` serves (RFC 7643 section 7).
public final class SchemaDefinition: Sendable {
  /// The URN, for example `urn:ietf:params:scim:schemas:core:2.0:User`.
  public let id: String
  public let name: String
  public let text: String
  public let attributes: [AttributeDefinition]
  /// The document as it was read, without `meta`, and with every characteristic of its attributes stated.
  public let document: JSONObject
  /// True where no two resources may have the same value of some attribute.
  let hasUniqueValues: Bool
  /// Places in `attributes` by the names in lower case.
  private let places: [String: Int]

  public init(id: String, name: String, text: String, attributes: [AttributeDefinition], document: JSONObject) {
    self.id = id
    self.name = name
    self.text = text
    self.attributes = attributes
    self.document = document
    hasUniqueValues = attributes.contains { $0.uniqueness != .none && $0.type != .complex }
    places = Dictionary(
      attributes.enumerated().map { (ASCII.lowercase($1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The attribute of that name in any ASCII letter case; nil where there is none.
  public func attribute(named name: String) -> AttributeDefinition? {
    places[ASCII.lowercase(name)].map { attributes[$0] }
  }

  /// The place in `attributes` of that name in any ASCII letter case; nil where there is none.
  public func place(of name: String) -> Int? {
    // Few names are sooner compared than hashed: most differ in length already.
    attributes.count <= 64
      ? AttributeSlots.index(of: name, in: attributes) : places[ASCII.lowercase(name)]
  }
}
