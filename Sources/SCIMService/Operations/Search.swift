import HTTPMessage
import SCIMCore

/// Queries over one type or all (RFC 7644 section 3.4.2), with index or cursor paging (RFC 9865).
enum Search {
  static func operation(
    _ exchange: Exchange, types: [ResourceType], parameters: SearchParameters, filters: FilterMemory
  ) throws(SCIMError) -> Operation {
    let plan = try Plan(exchange, types: types, parameters: parameters, filters: filters)
    if plan.isBounded {
      return .here { (reader) throws(SCIMError) in try run(plan, exchange: exchange, reader: reader) }
    }
    let search: @Sendable (any StoreReader) throws(SCIMError) -> Response = { (reader) throws(SCIMError) in
      try run(plan, exchange: exchange, reader: reader)
    }
    guard plan.mayLookUp else { return .worker(search) }
    return .hereIfCheap(
      { (reader) throws(SCIMError) in
        let page = try reader.lookUp(plan.query, limit: maximumOnLoop, in: exchange.organization.id)
        guard let page else { return nil }
        return try response(to: plan, page: page, exchange: exchange, reader: reader)
      }, otherwise: search)
  }

  /// So many resources, each with its links, may be read while others wait.
  private static let maximumOnLoop = 4

  /// A query made ready: what to ask the store, and how to show what it gives.
  ///
  /// A class, since closures hold it on the way: they count one reference and copy nothing.
  final class Plan: Sendable {
    let query: SearchQuery
    /// By type; empty where the request names no attributes.
    let projections: [String: Projection]
    let startIndex: Int
    /// For cursor walks: what makes the next page's cursor.
    let cursor: Cursor?

    /// True where the cost is that of a few index look-ups, so that the loop may pay it.
    var isBounded: Bool {
      guard query.parts.count == 1, query.sort == nil, query.window.count <= 100,
        !query.parts[0].type.hasMembers(in: query.links)
      else { return false }
      if case .index(let offset, _) = query.window, offset > 1000 { return false }
      // Without a filter a page is as long as its resources, and each may be linked to many others.
      return query.parts[0].filter.map(isSelective) ?? query.parts[0].type.links.isEmpty
    }

    /// True where the store may find that a value picks few resources.
    var mayLookUp: Bool {
      query.parts.count == 1 && query.sort == nil && cursor == nil && query.parts[0].filter != nil
        && !query.parts[0].type.hasMembers(in: query.links)
    }

    /// True where an equality on an attribute that is unique picks the resources, and the little else that is asked of them
    /// is equality as well: each is one step in an index, while parts of texts may be looked for in all resources.
    private func isSelective(_ filter: ResolvedFilter) -> Bool {
      switch filter {
      case .compare(let reference, .eq, _): reference.leaf.uniqueness != .none
      case .and(let terms):
        terms.count <= 8 && terms.contains(where: isSelective)
          && terms.allSatisfy {
            switch $0 {
            case .compare(_, .eq, _), .compare(_, .ne, _), .constant: true
            default: false
            }
          }
      case .constant(let value): !value
      default: false
      }
    }

    init(
      _ exchange: Exchange, types: [ResourceType], parameters: SearchParameters, filters: FilterMemory
    ) throws(SCIMError) {
      guard parameters.attributes.isEmpty || parameters.excludedAttributes.isEmpty else {
        throw SCIMError(.invalidValue, "'attributes' and 'excludedAttributes' exclude each other.")
      }
      var parts: [SearchQuery.Part] = []
      if let text = parameters.filter, types.count == 1 {
        parts = [
          SearchQuery.Part(type: types[0], filter: try filters.resolve(text, in: types[0], profile: exchange.profile))
        ]
      } else if let text = parameters.filter {
        let filter = try FilterParser.parse(text, profile: exchange.profile)
        for (type, resolved) in try FilterResolver.resolve(filter, in: types, profile: exchange.profile) {
          parts.append(SearchQuery.Part(type: type, filter: resolved))
        }
      } else {
        parts = types.map { SearchQuery.Part(type: $0, filter: nil) }
      }
      let links: LinkSelection
      (projections, links) = try Self.projections(parameters, types: types, profile: exchange.profile)
      let sort = try Self.sort(parameters, types: types, profile: exchange.profile)
      let service = exchange.service
      let count = max(0, parameters.count ?? service.configuration.defaultPageSize)
      startIndex = max(1, parameters.startIndex ?? 1)
      let window: SearchQuery.Window
      if let text = parameters.cursor {
        guard count <= service.configuration.maxPageSize else {
          throw SCIMError(
            .invalidCount, "With a cursor 'count' may be at most \(service.configuration.maxPageSize).")
        }
        let cursor = Cursor(exchange, types: types, parameters: parameters, count: count)
        window = .cursor(after: text.isEmpty ? nil : try cursor.position(in: text), count: count)
        self.cursor = cursor
      } else {
        window = .index(offset: startIndex - 1, count: min(count, service.configuration.maxPageSize))
        cursor = nil
      }
      query = SearchQuery(parts: parts, sort: sort, window: window, links: links, baseURL: exchange.baseURL)
    }

    /// What to show of each type, and the links that this needs.
    private static func projections(
      _ parameters: SearchParameters, types: [ResourceType], profile: Profile
    ) throws(SCIMError) -> ([String: Projection], LinkSelection) {
      if parameters.attributes.isEmpty, parameters.excludedAttributes.isEmpty, types.allSatisfy(\.isShownWhole) {
        return ([:], .all)
      }
      var projections: [String: Projection] = [:]
      var links: Set<String> = []
      var allLinks = true
      for type in types {
        let projection = try Projection(
          attributes: parameters.attributes, excluded: parameters.excludedAttributes, type: type, profile: profile)
        projections[type.name] = projection
        switch projection.links(for: type) {
        case .all: for link in type.links { links.insert(link.attribute) }
        case .none: allLinks = false
        case .only(let names), .own(let names):
          links.formUnion(names)
          allLinks = false
        }
      }
      return (projections, allLinks ? .all : .only(links))
    }

    private static func sort(
      _ parameters: SearchParameters, types: [ResourceType], profile: Profile
    ) throws(SCIMError) -> SearchQuery.Sort? {
      var isDescending = false
      if let order = parameters.sortOrder, !order.isEmpty {
        switch ASCII.lowercase(order) {
        case "ascending": break
        case "descending": isDescending = true
        default: throw SCIMError(.invalidValue, "'sortOrder' must be ascending or descending.")
        }
      }
      guard let name = parameters.sortBy, !name.isEmpty else { return nil }
      var attributes: [String: AttributeReference] = [:]
      for type in types {
        guard var reference = AttributeName.resolve(name, in: type, profile: profile) else { continue }
        if reference.sub == nil, reference.attribute.type == .complex {
          guard
            let sub = reference.attribute.subAttribute(named: "value")
              ?? reference.attribute.subAttribute(named: "formatted")
          else { throw SCIMError(.invalidValue, "'sortBy' needs a sub-attribute of this complex attribute.") }
          reference = AttributeReference(home: reference.home, attribute: reference.attribute, sub: sub)
        }
        guard reference.leaf.returned != .never else { continue }
        if type.link(for: reference) != nil {
          throw SCIMError(.invalidValue, "Resources cannot be sorted by '\(reference.attribute.name)'.")
        }
        attributes[type.name] = reference
      }
      guard !attributes.isEmpty else {
        throw SCIMError(.invalidValue, "'sortBy' names an attribute that the schema does not have.")
      }
      return SearchQuery.Sort(attributes: attributes, isDescending: isDescending)
    }
  }

  private static func run(_ plan: Plan, exchange: Exchange, reader: any StoreReader) throws(SCIMError) -> Response {
    let page = try reader.search(plan.query, in: exchange.organization.id)
    return try response(to: plan, page: page, exchange: exchange, reader: reader)
  }

  private static func response(
    to plan: Plan, page: SearchPage, exchange: Exchange, reader: any StoreReader
  ) throws(SCIMError) -> Response {
    var body: [UInt8] = []
    body.reserveCapacity(256 + page.resources.reduce(0) { $0 + ResourceRenderer.roomFor($1) })
    body += Self.opening
    body += String(page.total).utf8
    if plan.cursor == nil {
      body += #","startIndex":"#.utf8
      body += String(plan.startIndex).utf8
    }
    body += #","itemsPerPage":"#.utf8
    body += String(page.resources.count).utf8
    if let cursor = plan.cursor, let next = page.next {
      body += #","nextCursor":""#.utf8
      body += cursor.text(of: next).utf8
      body += #"""#.utf8
    }
    body += #","Resources":["#.utf8
    var isFirst = true
    var known: ResourceType?
    for stored in page.resources {
      // Neighbours mostly have one type.
      if known?.name != stored.type { known = exchange.registry.type(named: stored.type) }
      guard let type = known else { continue }
      if !isFirst { body.append(UInt8(ascii: ",")) }
      isFirst = false
      try exchange.append(
        stored, type: type, projection: plan.projections[stored.type] ?? Projection.none, reader: reader, to: &body)
    }
    body += "]}".utf8
    return Response(status: 200, headers: [("Content-Type", exchange.media.rawValue)], body: body)
  }

  private static let opening = Array(
    #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:ListResponse"],"totalResults":"#.utf8)
}
