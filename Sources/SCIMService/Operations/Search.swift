import HTTPMessage
import SCIMCompat
import SCIMCore

/// Queries over one type or all (RFC 7644 section 3.4.2), with index or cursor paging (RFC 9865).
enum Search {
  static func respond(
    _ exchange: Exchange, types: [ResourceType], parameters: SearchParameters, filters: FilterMemory,
    reader: any TenantReader
  ) throws(SCIMError) -> Response {
    // Each name is looked for in each type.
    try reader.budget.take(
      (parameters.attributes.count + parameters.excludedAttributes.count) * types.count * stepsOfName
        + (parameters.filter?.utf8.count ?? 0) * types.count / 2)
    let plan = try Plan(exchange, types: types, parameters: parameters, filters: filters)
    let page = try reader.search(plan.query)
    return try response(to: plan, page: page, exchange: exchange, reader: reader)
  }

  private static let stepsOfName = 20

  /// A query made ready: what to ask the store, and how to show what it gives.
  struct Plan {
    let query: SearchQuery
    /// By type; empty where the request names no attributes.
    let projections: [String: Projection]
    let startIndex: Int
    /// For cursor walks: what makes the next page's cursor.
    let cursor: Cursor?

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
        for (type, resolved) in try FilterResolver.resolve(
          filter, in: types, profile: exchange.profile, alias: Compat.name)
        {
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
          attributes: parameters.attributes, excluded: parameters.excludedAttributes, type: type, profile: profile,
          alias: Compat.name)
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
        let name = Compat.name(name, type: type, profile: profile)
        guard var reference = AttributeName.resolve(name, in: type, profile: profile) else { continue }
        if reference.sub == nil, reference.attribute.type == .complex {
          guard profile.isLenient,
            let sub = reference.attribute.subAttribute(named: "value")
              ?? reference.attribute.subAttribute(named: "formatted")
          else {
            throw SCIMError(.invalidValue, "'sortBy' must name a sub-attribute of the complex '\(reference.path)'.")
          }
          reference = AttributeReference(home: reference.home, attribute: reference.attribute, sub: sub)
        }
        guard !reference.isHidden else {
          throw SCIMError(.invalidValue, "'\(reference.path)' is never shown, so that 'sortBy' cannot name it.")
        }
        if type.link(for: reference) != nil || type.isFilled(reference) {
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

  private static func response(
    to plan: Plan, page: SearchPage, exchange: Exchange, reader: any TenantReader
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
