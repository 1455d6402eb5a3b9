/// One resource as the store holds it: the document without what is derived, and the links that were asked for.
public struct StoredResource: Sendable {
  /// The engine's own number of the resource; meaningless outside the store.
  public var handle: Int64
  /// The name of the resource type.
  public var type: String
  public var id: String
  /// Counts the changes from 1; the ETag is `W/"<version>"`.
  public var version: Int64
  public var created: Timestamp
  public var modified: Timestamp
  /// Canonical JSON: `{"schemas":[…],"id":"…",…}` with every stored attribute, without `meta` and linked elements.
  public var document: [UInt8]
  /// The linked elements of the attributes that were asked for: those of one attribute in their order.
  public var links: [LinkElement]

  public init(
    handle: Int64, type: String, id: String, version: Int64, created: Timestamp, modified: Timestamp,
    document: [UInt8], links: [LinkElement] = []
  ) {
    self.handle = handle
    self.type = type
    self.id = id
    self.version = version
    self.created = created
    self.modified = modified
    self.document = document
    self.links = links
  }

  /// The entity tag as header field and `meta.version` show it.
  public var entityTag: String { "W/\"\(version)\"" }
}

/// One element of a link attribute, seen from its owner; for a `memberOf` attribute, from the member.
public struct LinkElement: Sendable, Equatable {
  /// The path of the attribute of the resource at hand, for example `members` or `groups`.
  public var attribute: String
  /// The engine's number of the resource at the other end.
  public var handle: Int64
  /// The resource at the other end, with its present display.
  public var end: LinkEnd
  /// What the link itself carries, such as `primary`.
  public var extra: JSONObject
  /// False where the link goes through other groups.
  public var isDirect: Bool
  /// True for what the resource has from its groups and not itself.
  public var isInherited: Bool

  public var type: String { end.type }
  public var id: String { end.id }
  public var display: String? { end.display }

  public init(
    attribute: String, handle: Int64, end: LinkEnd, extra: JSONObject = JSONObject(), isDirect: Bool = true,
    isInherited: Bool = false
  ) {
    self.attribute = attribute
    self.handle = handle
    self.end = end
    self.extra = extra
    self.isDirect = isDirect
    self.isInherited = isInherited
  }
}

/// Which link attributes to load with a resource.
public enum LinkSelection: Sendable, Equatable {
  case none
  case all
  case only(Set<String>)
  /// As `only`, without what the resource has from its groups.
  case own(Set<String>)

  /// True where derived elements are asked for as well.
  public var includesInherited: Bool {
    if case .own = self { false } else { true }
  }

  public func includes(_ attribute: String) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .only(let names), .own(let names): names.contains(attribute)
    }
  }
}
