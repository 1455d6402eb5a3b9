/// A multi-valued core attribute whose elements refer to other resources of the organisation and are stored as links.
public struct LinkDefinition: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// Elements name existing resources of these types by id, as `Group.members` does; no cycles. Many (tens of
    /// thousands) are expected, so they are never loaded for a change.
    case members(types: [String])
    /// Read-only: the other side of a `members` link, as `User.groups` shows `Group.members`; the ones above are
    /// shown with `type: "indirect"`.
    case memberOf(type: String, attribute: String)
    /// Elements name resources of the organisation's catalogue: of every type whose base schema this is. What matches
    /// nothing is kept in the document while the catalogue is open.
    case catalog(schema: String)
  }

  /// The name of the top-level attribute of the base schema, as the schema spells it.
  public let attribute: String
  public let kind: Kind

  public init(attribute: String, kind: Kind) {
    self.attribute = attribute
    self.kind = kind
  }
}
