/// A resource as a client sent it, brought to the form in which it is stored.
public struct NormalizedResource: Sendable, Equatable {
  /// `schemas`, `externalId` and the attributes in schema order and spelling, extensions under their URNs; without
  /// `id`, `meta`, readOnly attributes, `password` and the attributes that are links.
  public var document: JSONObject
  /// The password as sent, to be hashed; nil where none was.
  public var password: String?
  /// The elements sent for each writable link attribute, by its path, in order: objects with `value` and what
  /// else the schema allows. An attribute that was not sent is absent.
  public var links: [String: [JSONObject]]
  /// Names in the body, and URNs in its `schemas`, that no schema of the type has: passed over, the first few of them.
  public var unknownNames: [String] = []

  public init(document: JSONObject, password: String? = nil, links: [String: [JSONObject]] = [:]) {
    self.document = document
    self.password = password
    self.links = links
  }
}

/// One row of the store's index: a filterable value of a document.
public struct IndexKey: Sendable, Hashable {
  /// The canonical name of the attribute (`AttributeReference.path`).
  public var path: String
  /// The value in a form that sorts bytewise (`SortableKey`): folded text, UTC instant, sortable number.
  public var key: String
  /// The position of the element that holds the value; 0 in single-valued attributes. Ties together the
  /// sub-attributes of one element.
  public var element: Int
  /// True for the one value by which the resource is sorted: the primary element's, else the first.
  public var isSortKey: Bool

  public init(path: String, key: String, element: Int, isSortKey: Bool) {
    self.path = path
    self.key = key
    self.element = element
    self.isSortKey = isSortKey
  }
}

/// An `IndexKey` with its leaf by number (`ResourceType.indexedLeaves`), as the store takes it.
public struct IndexRow: Sendable, Hashable {
  public var leaf: Int
  public var key: String
  public var element: Int
  public var isSortKey: Bool

  public static func == (left: IndexRow, right: IndexRow) -> Bool {
    left.leaf == right.leaf && left.element == right.element && left.isSortKey == right.isSortKey
      && ASCII.equal(left.key, right.key)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(leaf)
    hasher.combine(element)
    for byte in key.utf8 { hasher.combine(byte) }
  }
}

/// A value that no other resource of the type may have.
public struct UniqueKey: Sendable, Hashable {
  public var path: String
  public var key: String

  public init(path: String, key: String) {
    self.path = path
    self.key = key
  }
}
