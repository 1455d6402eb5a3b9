/// An attribute name resolved against a resource type: which schema it belongs to, its definition, and the
/// sub-attribute where one is named (RFC 7644 section 3.10).
public struct AttributeReference: Sendable {
  /// Where the attribute stands in a resource.
  public enum Home: Sendable, Equatable {
    /// `schemas`, `id`, `externalId` or `meta`.
    case common
    /// The base schema of the type: at the top of the resource.
    case core
    /// An extension: inside the object under this URN, as its schema spells it.
    case `extension`(String)
  }

  public let home: Home
  public let attribute: AttributeDefinition
  public let sub: AttributeDefinition?

  public init(home: Home, attribute: AttributeDefinition, sub: AttributeDefinition? = nil) {
    self.home = home
    self.attribute = attribute
    self.sub = sub
  }

  /// The definition of what is named in the end: the sub-attribute, or else the attribute.
  public var leaf: AttributeDefinition { sub ?? attribute }

  /// The canonical name: `userName`, `name.givenName`, `urn:…:enterprise:2.0:User:department`,
  /// `urn:…:enterprise:2.0:User:manager.value`. It names the attribute in the store's index.
  public var path: String {
    let name = sub.map { attribute.name + "." + $0.name } ?? attribute.name
    if case .extension(let urn) = home { return urn + ":" + name }
    return name
  }
}
