import SCIMCore

extension SQLReader {
  /// About what one linked element takes in an answer.
  private static let bytesOfLink = 200

  /// - Throws: `tooCostly` or `tooMany` where it takes more than the budget.
  func search(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage {
    try pin()
    defer { unpin() }
    if let page = try lookUp(query, in: organization) { return page }
    if query.sort != nil || query.parts.contains(where: { $0.filter != nil }) {
      // What a statement made of a filter or an order costs shows only when it has run.
      try budget.expectUnbounded()
    }
    return try find(query, in: organization)
  }

  /// Up to this many resources of one value are found without composing a statement.
  static let maximumLookedUp = 100

  /// The page where the filter names a value that few resources have; nil where it does not, or more than `limit` have
  /// it.
  func lookUp(
    _ query: SearchQuery, limit: Int = maximumLookedUp, in organization: OrganizationID
  ) throws(SCIMError) -> SearchPage? {
    guard query.sort == nil, query.parts.count == 1, let filter = query.parts[0].filter,
      case .index(let offset, let count) = query.window
    else { return nil }
    let type = query.parts[0].type
    let compiler = try FilterCompiler(reader: self, type: type, organization: organization, baseURL: query.baseURL)
    guard compiler.typeNumber != Self.unknown else { return SearchPage(total: 0, resources: []) }
    guard let numbers = try LookUp(filter, compiler: compiler)?.numbers(limit: limit) else { return nil }
    let shown = numbers.dropFirst(max(offset, 0)).prefix(max(count, 0))
    let found = Search.Found(
      total: numbers.count, positions: shown.map { CursorPosition(key: nil, handle: $0) })
    return try page(found, query, types: [compiler.typeNumber: type], in: organization)
  }

  private func find(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage {
    var parts: [SearchPart] = []
    var expected = 0
    var types: [Int64: ResourceType] = [:]
    for part in query.parts {
      if case .constant(false) = part.filter { continue }
      let number = try number(ofType: part.type.name)
      guard number != Self.unknown else { continue }
      types[number] = part.type
      if part.filter == nil, budget.movesToWorker { expected += try count(ofType: number, in: organization) }
      let compiler = try FilterCompiler(
        reader: self, type: part.type, organization: organization, baseURL: query.baseURL)
      var filter = part.filter
      if case .constant(true) = filter { filter = nil }
      let sort = try query.sort.flatMap { (sort) throws(SCIMError) in
        try sort.attributes[part.type.name].flatMap { (reference) throws(SCIMError) in
          try SortSource(reference, compiler: compiler)
        }
      }
      parts.append(
        SearchPart(
          type: part.type, number: number, filter: filter, compiler: compiler, rows: try compiler.matches(filter),
          sort: sort))
    }
    guard !parts.isEmpty else { return SearchPage(total: 0, resources: []) }
    try budget.expect(min(expected, max(query.window.count, 0)) * ReadCost.resource)
    let search = Search(
      reader: self, parts: parts, organization: organization, isSorted: query.sort != nil,
      isDescending: query.sort?.isDescending ?? false)
    return try page(search.run(query.window), query, types: types, in: organization)
  }

  /// Reads what was found, up to the byte limit.
  private func page(
    _ found: Search.Found, _ query: SearchQuery, types: [Int64: ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> SearchPage {
    var resources: [StoredResource] = []
    resources.reserveCapacity(found.positions.count)
    var bytes = 0
    for (index, position) in found.positions.enumerated() {
      guard
        let resource = try resource(
          number: position.handle, links: query.links, types: types, in: organization)
      else { continue }
      bytes += resource.document.count + resource.links.count * Self.bytesOfLink
      resources.append(resource)
      if bytes >= query.byteLimit, index + 1 < found.positions.count {
        // A cursor goes on behind the last one shown; an index, from what itemsPerPage says.
        var next: CursorPosition?
        if case .cursor = query.window { next = position }
        return SearchPage(total: found.total, resources: resources, next: next)
      }
    }
    return SearchPage(total: found.total, resources: resources, next: found.next)
  }
}

/// One type of a search, compiled.
struct SearchPart {
  var type: ResourceType
  var number: Int64
  /// Nil where nothing is filtered out.
  var filter: ResolvedFilter?
  var compiler: FilterCompiler
  var rows: RowSet
  /// Where the values are by which is sorted; nil where the type has no such attribute.
  var sort: SortSource?
  var isAll: Bool { filter == nil }
}

/// Where the values of a sort attribute are.
enum SortSource {
  /// In a column of `resource`.
  case column(SQLName, isNumber: Bool)
  /// In the index under that attribute; required ones no resource lacks.
  case key(attribute: Int64, path: String, isRequired: Bool)

  init?(_ reference: AttributeReference, compiler: FilterCompiler) throws(SCIMError) {
    switch ResourceColumn(reference) {
    case .id, .location: self = .column("id", isNumber: false)
    case .created: self = .column("created", isNumber: true)
    case .modified: self = .column("modified", isNumber: true)
    case .version: self = .column("version", isNumber: true)
    // The same for all of a type.
    case .resourceType, .meta: return nil
    case nil:
      var reference = reference
      if reference.leaf.type == .complex {
        guard reference.sub == nil, let value = reference.attribute.subAttribute(named: "value") else { return nil }
        reference = AttributeReference(home: reference.home, attribute: reference.attribute, sub: value)
      }
      let isRequired =
        reference.home == .core && reference.sub == nil && reference.leaf.isRequired
        && compiler.type.link(for: reference) == nil
      let number = try compiler.number(of: reference.path)
      try compiler.reader.settle(number)
      self = .key(attribute: number, path: reference.path, isRequired: isRequired)
    }
  }
}
