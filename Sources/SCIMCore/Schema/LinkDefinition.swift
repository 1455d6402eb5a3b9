/// A multi-valued attribute whose elements refer to other resources of the organisation and are stored as links.
public final class LinkDefinition: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// Elements name existing resources of these types by id, as `Group.members` does; no cycles. Many (tens of
    /// thousands) are expected, so they are never loaded for a change. Of the base schema only.
    case members(types: [String])
    /// Read-only: the other side of a `members` link, as `User.groups` shows `Group.members`; the ones above are
    /// shown with `type: "indirect"`. Of the base schema only.
    case memberOf(type: String, attribute: String)
    /// Elements name resources of the organisation's catalogue: of every type whose base schema this is. What matches
    /// nothing is kept in the document while the catalogue is open.
    case catalog(schema: String)
  }

  /// What a catalogue attribute shows behind its own elements, derived when it is read.
  public struct Inheritance: Sendable, Hashable {
    /// The `memberOf` attribute of the same type that leads to the resources that grant, directly or through others.
    public let through: String
    /// The path of the catalogue attribute of these.
    public let attribute: String

    public init(through: String, attribute: String) {
      self.through = through
      self.attribute = attribute
    }
  }

  /// The canonical path of the attribute (`AttributeReference.path`): `members`, or `urn:…:Group:roles` for one of an
  /// extension.
  public let attribute: String
  /// The attribute's name, as its schema spells it.
  public let name: String
  /// The URN of the extension that the attribute stands in; nil for the base schema.
  public let extensionURN: String?
  public let kind: Kind
  /// Nil where the attribute shows its own elements alone.
  public let inheritance: Inheritance?
  /// True where the elements are for the members of the resource, which does not hold them itself.
  public let isGrant: Bool

  public init(
    attribute name: String, of extensionURN: String? = nil, kind: Kind, inheritance: Inheritance? = nil,
    isGrant: Bool = false
  ) {
    attribute = extensionURN.map { $0 + ":" + name } ?? name
    self.name = name
    self.extensionURN = extensionURN
    self.kind = kind
    self.inheritance = inheritance
    self.isGrant = isGrant
  }

  public static func == (a: LinkDefinition, b: LinkDefinition) -> Bool {
    a === b
      || a.attribute == b.attribute && a.extensionURN == b.extensionURN && a.kind == b.kind
        && a.inheritance == b.inheritance && a.isGrant == b.isGrant
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(attribute)
    hasher.combine(kind)
  }
}
