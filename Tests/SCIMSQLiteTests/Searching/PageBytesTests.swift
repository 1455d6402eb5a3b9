import SCIMCore
import SCIMSQL
import Testing

/// A page ends where it holds enough bytes, and the pages still join up to the whole.
struct PageBytesTests {
  private func fill() throws -> (TemporaryStore, OrganizationID, ResourceType) {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let long = String(repeating: "x", count: 1000)
    for number in 0..<10 {
      let name = "u\(number)"
      _ = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.tenantTransaction(org).create(
          type: type, id: nil,
          document: Fixture.document(["userName": .string(name), "title": .string(long)], type: type),
          passwordHash: nil)
      }
    }
    return (temporary, org, type)
  }

  private func walk(_ next: (SearchPage) -> SearchQuery.Window, from first: SearchQuery.Window) throws -> [Int] {
    let (temporary, org, type) = try fill()
    let reader = try temporary.store.makeReader()
    var query = SearchQuery(parts: [.init(type: type, filter: nil)], window: first)
    query.byteLimit = 2500
    var sizes: [Int] = []
    var ids: Set<String> = []
    while sizes.count < 20 {
      let page = try reader.tenant(org).search(query)
      #expect(page.total == 10)
      sizes.append(page.resources.count)
      ids.formUnion(page.resources.map(\.id))
      if ids.count == 10 { break }
      query.window = next(page)
    }
    #expect(ids.count == 10)
    return sizes
  }

  @Test func byIndex() throws {
    var offset = 0
    let sizes = try walk(
      { page in
        offset += page.resources.count
        return .index(offset: offset, count: 100)
      }, from: .index(offset: 0, count: 100))
    #expect(sizes == [3, 3, 3, 1])
  }

  @Test func byCursor() throws {
    let sizes = try walk({ .cursor(after: $0.next, count: 100) }, from: .cursor(after: nil, count: 100))
    #expect(sizes == [3, 3, 3, 1])
  }

  /// It ends with the resource that fills it, and goes on where one byte is left.
  @Test func aPageEndsWhenItIsFull() throws {
    let (temporary, org, type) = try fill()
    let reader = try temporary.store.makeReader()
    var query = SearchQuery(parts: [.init(type: type, filter: nil)], window: .index(offset: 0, count: 100))
    query.links = .none
    #expect(query.byteLimit == 8 << 20)
    let two = try reader.tenant(org).search(query).resources.prefix(2).reduce(0) { $0 + $1.document.count }
    for (limit, count) in [(two - 1, 2), (two, 2), (two + 1, 3)] {
      query.byteLimit = limit
      #expect(try reader.tenant(org).search(query).resources.count == count, "\(limit)")
    }
  }

  @Test func oneResourceIsAlwaysShown() throws {
    let (temporary, org, type) = try fill()
    var query = SearchQuery(parts: [.init(type: type, filter: nil)], window: .cursor(after: nil, count: 100))
    query.byteLimit = 1
    let page = try temporary.store.makeReader().tenant(org).search(query)
    #expect(page.resources.count == 1)
    #expect(page.next != nil)
  }
}
