import SCIMCore
import SCIMSQL
import Testing

/// What is remembered of a page must not outlive the state in which it was true.
struct PageMemoryTests {
  static let orders: [(sort: String?, filter: String?)] = [
    (nil, nil), ("title", nil), (nil, "active eq true"), ("title", "active eq true"), (nil, "groups pr"),
  ]

  private func pages(
    _ query: SearchQuery, _ reader: any StoreReader, from start: Int, in organization: OrganizationID
  ) throws -> [String] {
    var query = query
    var ids: [String] = []
    while true {
      query.window = .index(offset: start + ids.count, count: 3)
      let page = try reader.tenant(organization).search(query)
      ids += page.resources.map(\.id)
      if page.resources.isEmpty { return ids }
    }
  }

  @Test(arguments: orders) func pagesFollowWhatChanges(_ order: (sort: String?, filter: String?)) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let groups = try temporary.type("Group")
    var users: [StoredResource] = []
    for number in 0..<20 {
      let title = number % 5 == 4 ? JSONObject() : JSONObject([.init(key: "title", value: .string("t\(number % 7)"))])
      var document = JSONObject([.init(key: "userName", value: .string("u\(number)"))])
      document.members += title.members
      document["active"] = .bool(number % 3 != 0)
      users.append(try temporary.create("User", .object(document), in: org))
    }
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    for user in users where user.handle % 4 != 0 { try temporary.link(group, "members", to: user, in: org) }
    var query = SearchQuery(
      parts: [
        .init(
          type: type, filter: try order.filter.map { try ResolvedFilter(parsing: $0, type: type, profile: .interop) })
      ], window: .index(offset: 0, count: 1000), links: .none)
    query.sort = try order.sort.map {
      SearchQuery.Sort(
        attributes: ["User": try #require(AttributeName.resolve($0, in: type, profile: .interop))],
        isDescending: false)
    }
    let reader = try temporary.store.makeReader()
    let other = try temporary.store.makeReader()
    func expectPages() throws {
      let whole = try reader.tenant(org).search(query).resources.map(\.id)
      #expect(try pages(query, reader, from: 0, in: org) == whole)
      // Another thread's reader goes on from what this one remembered.
      #expect(try pages(query, other, from: 6, in: org) == Array(whole.dropFirst(6)))
    }
    try expectPages()
    let (second, third) = (users[1], users[2])
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).delete(second, type: type)
    }
    try expectPages()
    try temporary.create("User", ["userName": "new", "title": "t0", "active": true], in: org)
    try expectPages()
    let changed = Fixture.document(["userName": "u2", "title": "t9", "active": false], type: type)
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).update(third, type: type, document: changed, password: .keep)
    }
    try expectPages()
    let document = Fixture.document(["displayName": "g"], type: groups)
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).unlinkAll(owner: group.handle, attribute: "members")
      let group = try transaction.tenant(org).resource(id: group.id, type: groups, links: .none) ?? group
      _ = try transaction.tenantTransaction(org).update(group, type: groups, document: document, password: .keep)
    }
    try expectPages()
  }
}
