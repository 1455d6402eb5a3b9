import SCIMCore

extension SQLReader {
  /// About what one linked element takes in an answer.
  private static let bytesOfLink = 200

  /// - Throws: `tooMany` where it takes longer than the reader's limit.
  public func search(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage {
    try enter()
    guard let searchLimit else { return try find(query, in: organization) }
    connection.deadline = searchLimit.deadline
    defer { connection.deadline = nil }
    return try find(query, in: organization)
  }

  /// To be called in loops over rows or documents that ask little of the engine.
  func checkDeadline() throws(SCIMError) {
    if connection.deadline?.isOver == true { throw .searchTooLong }
  }

  private func find(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage {
    var parts: [SearchPart] = []
    var types: [Int64: ResourceType] = [:]
    for part in query.parts {
      if case .constant(false) = part.filter { continue }
      let number = try number(ofType: part.type.name)
      guard number != Self.unknown else { continue }
      types[number] = part.type
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
          type: part.type, number: number, isAll: filter == nil, rows: try compiler.matches(filter), sort: sort))
    }
    guard !parts.isEmpty else { return SearchPage(total: 0, resources: []) }
    let search = Search(
      reader: self, parts: parts, organization: organization, isSorted: query.sort != nil,
      isDescending: query.sort?.isDescending ?? false)
    let found = try search.run(query.window)
    var resources: [StoredResource] = []
    resources.reserveCapacity(found.positions.count)
    var bytes = 0
    for (index, position) in found.positions.enumerated() {
      try checkDeadline()
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
  /// True where nothing is filtered out.
  var isAll: Bool
  var rows: RowSet
  /// Where the values are by which is sorted; nil where the type has no such attribute.
  var sort: SortSource?
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
        && compiler.type.link(for: reference.attribute.name) == nil
      let number = try compiler.number(of: reference.path)
      try compiler.reader.settle(number)
      self = .key(attribute: number, path: reference.path, isRequired: isRequired)
    }
  }
}
