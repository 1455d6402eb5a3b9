/// A query over one type or several, with everything resolved.
public struct SearchQuery: Sendable {
  /// One type with the filter as resolved against it; nil matches all.
  public struct Part: Sendable {
    public var type: ResourceType
    public var filter: ResolvedFilter?

    public init(type: ResourceType, filter: ResolvedFilter?) {
      self.type = type
      self.filter = filter
    }
  }

  /// The order: by one attribute per type, resources without it last when ascending and first when descending
  /// (RFC 7644 section 3.4.2.3), then by creation.
  public struct Sort: Sendable {
    /// The attribute for each type name; a type that lacks it is absent here.
    public var attributes: [String: AttributeReference]
    public var isDescending: Bool

    public init(attributes: [String: AttributeReference], isDescending: Bool) {
      self.attributes = attributes
      self.isDescending = isDescending
    }
  }

  public enum Window: Sendable, Equatable {
    /// `offset` counts from 0.
    case index(offset: Int, count: Int)
    /// The first page of a cursor walk, or the page behind `after`.
    case cursor(after: CursorPosition?, count: Int)

    public var count: Int {
      switch self {
      case .index(_, let count), .cursor(_, let count): count
      }
    }
  }

  public var parts: [Part]
  public var sort: Sort?
  public var window: Window
  public var links: LinkSelection
  /// A page ends behind the resource with which it reaches that many bytes, though more were asked for: it may hold
  /// fewer (RFC 7644 section 3.4.2.4), and one client's page is not everybody's memory.
  public var byteLimit = 8 << 20
  /// The base of the URIs that clients see, without a slash at its end; for filters on `meta.location` and `$ref`.
  public var baseURL: String

  public init(parts: [Part], sort: Sort? = nil, window: Window, links: LinkSelection = .all, baseURL: String = "") {
    self.parts = parts
    self.sort = sort
    self.window = window
    self.links = links
    self.baseURL = baseURL
  }
}

/// The place of a resource in the order of a query, behind which the next page begins.
public struct CursorPosition: Sendable, Equatable {
  /// The sort key of the last resource; nil where it has none, or the query is not sorted.
  public var key: String?
  /// The engine's number of the last resource, which orders by creation.
  public var handle: Int64

  public init(key: String?, handle: Int64) {
    self.key = key
    self.handle = handle
  }
}

/// One page of a query.
public struct SearchPage: Sendable {
  /// How many resources match in all.
  public var total: Int
  public var resources: [StoredResource]
  /// For cursor windows: where the next page begins; nil on the last.
  public var next: CursorPosition?

  public init(total: Int, resources: [StoredResource], next: CursorPosition? = nil) {
    self.total = total
    self.resources = resources
    self.next = next
  }
}
