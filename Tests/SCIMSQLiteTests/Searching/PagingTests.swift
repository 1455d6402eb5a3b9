import SCIMCore
import SCIMSQL
import Testing

/// Pages of any size join up to the whole, in the order that was asked for.
struct PagingTests {
  /// The order that sorting must give, told on the documents themselves.
  private struct Row {
    var id: String
    var handle: Int64
    var key: String?
  }

  static let sorts: [String?] = [
    nil, "userName", "title", "name.familyName", "emails", "emails.value", "meta.created", "meta.lastModified", "id",
    "externalId", "nickName",
  ]
  static let filters: [String?] = [nil, "active eq true", "title co \"a\" or emails pr", "not (title pr)"]

  private func key(_ attribute: String, _ stored: StoredResource, _ type: ResourceType) throws -> String? {
    switch attribute {
    case "id": return stored.id
    case "meta.created": return SortableKey.integer(stored.created.milliseconds).text
    case "meta.lastModified": return SortableKey.integer(stored.modified.milliseconds).text
    default:
      let path = attribute == "emails" ? "emails.value" : attribute
      let document = try JSON(parsing: stored.document).objectValue ?? JSONObject()
      return DocumentIndex.keys(of: document, type: type).first { $0.path == path && $0.isSortKey }?.key
    }
  }

  @Test(arguments: sorts, [false, true]) func pagesJoinUp(_ attribute: String?, _ isDescending: Bool) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    var tenant = RandomTenant(seed: 9)
    _ = try tenant.fill(temporary, users: 30, groups: 2, roles: 1, in: org)
    let reader = try temporary.store.makeReader()
    let sort = try attribute.map {
      SearchQuery.Sort(
        attributes: ["User": try #require(AttributeName.resolve($0, in: type, profile: .interop))],
        isDescending: isDescending)
    }
    for text in Self.filters {
      let filter = try text.map { try ResolvedFilter(parsing: $0, type: type, profile: .interop) }
      var query = SearchQuery(
        parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 1000), links: .none)
      let everything = try reader.tenant(org).search(query).resources
      var rows: [Row] = []
      for stored in everything {
        rows.append(
          Row(id: stored.id, handle: stored.handle, key: try attribute.flatMap { try key($0, stored, type) }))
      }
      let expected = attribute == nil ? rows : rows.sorted { precedes($0, $1, isDescending) }
      query.sort = sort
      for count in [1, 4, 1000] {
        var byIndex: [String] = []
        while true {
          query.window = .index(offset: byIndex.count, count: count)
          let page = try reader.tenant(org).search(query)
          #expect(page.total == expected.count)
          if page.resources.isEmpty { break }
          byIndex += page.resources.map(\.id)
        }
        #expect(byIndex == expected.map(\.id), "\(text ?? "all") by index, \(count) a page")
        var byCursor: [String] = []
        var after: CursorPosition?
        repeat {
          query.window = .cursor(after: after, count: count)
          let page = try reader.tenant(org).search(query)
          #expect(page.total == expected.count)
          byCursor += page.resources.map(\.id)
          after = page.next
        } while after != nil && byCursor.count <= expected.count
        #expect(byCursor == expected.map(\.id), "\(text ?? "all") by cursor, \(count) a page")
      }
    }
  }

  private func precedes(_ left: Row, _ right: Row, _ isDescending: Bool) -> Bool {
    switch (left.key, right.key) {
    case (nil, nil): return left.handle < right.handle
    case (nil, _): return isDescending
    case (_, nil): return !isDescending
    case (let one?, let two?):
      if one.utf8.elementsEqual(two.utf8) { return left.handle < right.handle }
      return one.utf8.lexicographicallyPrecedes(two.utf8) != isDescending
    }
  }

  @Test func aSearchOverSeveralTypesIsOneList() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let types = try ["User", "Group", "Role"].map { try temporary.type($0) }
    var expected: [String] = []
    for number in 0..<12 {
      let name = ["User", "Group", "Role"][number % 3]
      let attribute = name == "User" ? "userName" : "displayName"
      var document = JSONObject([.init(key: attribute, value: .string("n\(number)"))])
      document["externalId"] = .string(number % 2 == 0 ? "even\(number)" : "odd\(number)")
      expected.append(try temporary.create(name, .object(document), in: org).id)
    }
    let reader = try temporary.store.makeReader()
    let parts = types.map { SearchQuery.Part(type: $0, filter: nil) }
    var found: [String] = []
    var after: CursorPosition?
    repeat {
      let page = try reader.tenant(org).search(SearchQuery(parts: parts, window: .cursor(after: after, count: 5)))
      #expect(page.total == 12)
      found += page.resources.map(\.id)
      after = page.next
    } while after != nil
    #expect(found == expected)
    let even = try types.map {
      SearchQuery.Part(
        type: $0, filter: try ResolvedFilter(parsing: "externalId sw \"even\"", type: $0, profile: .interop))
    }
    let page = try reader.tenant(org).search(SearchQuery(parts: even, window: .index(offset: 1, count: 2)))
    #expect(page.total == 6)
    #expect(page.resources.map(\.id) == [expected[2], expected[4]])
    #expect(page.resources.map(\.type) == ["Role", "Group"])
  }

  @Test func countZeroGivesTheTotalAlone() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    try temporary.create("User", ["userName": "ada"], in: org)
    let type = try temporary.type("User")
    for window in [SearchQuery.Window.index(offset: 0, count: 0), .cursor(after: nil, count: 0)] {
      let page = try temporary.store.makeReader().tenant(org).search(
        SearchQuery(parts: [.init(type: type, filter: nil)], window: window))
      #expect(page.total == 1)
      #expect(page.resources.isEmpty)
      #expect(page.next == nil)
    }
  }
}
