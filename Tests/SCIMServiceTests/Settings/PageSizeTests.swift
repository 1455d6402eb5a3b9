import SCIMCore
import Testing

/// Another default page and another maximum.
@Suite("Page sizes")
struct PageSizeTests {
  private static func tenant(users: Int) throws -> Tenant {
    let tenant = try Tenant(
      Harness {
        $0.defaultPageSize = 2
        $0.maxPageSize = 4
      })
    for number in 0..<users {
      _ = try tenant.client.create(
        "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("u\(number)")])
    }
    return tenant
  }

  @Test("ServiceProviderConfig tells them")
  func configuration() throws {
    let client = try Self.tenant(users: 0).client
    expect(
      try client.send("GET /ServiceProviderConfig"), 200,
      ["filter": ["maxResults": 4], "pagination": ["defaultPageSize": 2, "maxPageSize": 4]])
  }

  @Test("Index paging caps, cursor paging refuses")
  func pages() throws {
    let client = try Self.tenant(users: 6).client
    for (query, count) in [
      ("", 2), ("?count=1", 1), ("?count=4", 4), ("?count=5", 4), ("?count=99999999999999999999", 4), ("?count=0", 0),
      ("?count=-3", 0), ("?startIndex=5", 2), ("?startIndex=6&count=4", 1), ("?startIndex=7", 0),
      ("?startIndex=99999999999999999999", 0), ("?startIndex=0", 2), ("?startIndex=-8&count=3", 3),
    ] {
      let page = try client.send("GET /Users\(query)")
      #expect(page.status == 200 && page.total == 6, "\(page)")
      #expect(page.resources.count == count && page["itemsPerPage"] == .integer(Int64(count)), "\(page)")
    }
    #expect(try client.send("GET /Users?cursor=").resources.count == 2)
    #expect(try client.send("GET /Users?cursor=&count=4").resources.count == 4)
    expectError(try client.send("GET /Users?cursor=&count=5"), 400, "invalidCount")
    for query in ["count=x", "count=1.5", "count=", "startIndex=one", "startIndex=1e3"] {
      expectError(try client.send("GET /Users?\(query)"), 400, "invalidValue")
    }
  }

  @Test("Every page of a walk, by index and by cursor, holds each user once and tells the total", arguments: [1, 3, 4])
  func walk(_ count: Int) throws {
    let client = try Self.tenant(users: 7).client
    let everyone = try (0..<2).flatMap { try client.send("GET /Users?startIndex=\($0 * 4 + 1)&count=4").ids }
    #expect(everyone.count == 7)
    var byIndex: [String] = []
    for start in stride(from: 1, through: 7, by: count) {
      byIndex += try client.send("GET /Users?startIndex=\(start)&count=\(count)").ids
    }
    #expect(byIndex == everyone)
    var byCursor: [String] = []
    var cursor: String? = ""
    var pages = 0
    while let text = cursor, pages < 20 {
      let page = try client.send("GET /Users?cursor=\(text)&count=\(count)")
      #expect(page.total == 7 && page["startIndex"] == nil, "\(page)")
      byCursor += page.ids
      cursor = page["nextCursor"]?.stringValue
      pages += 1
    }
    #expect(byCursor == everyone)
    #expect(pages == (7 + count - 1) / count)
  }

  @Test("A cursor of another query, count or maker is refused")
  func foreignCursors() throws {
    let client = try Self.tenant(users: 6).client
    let cursor = try #require(
      try client.send("GET /Users?cursor=&count=2&filter=userName sw \"u\"")["nextCursor"]?.stringValue)
    let same = "filter=userName sw \"u\"&count=2"
    expect(try client.send("GET /Users?cursor=\(cursor)&\(same)"), 200)
    for query in [
      "filter=userName sw \"v\"&count=2", "count=2", "\(same)&sortBy=userName",
      "\(same)&sortBy=userName&sortOrder=descending",
    ] {
      expectError(try client.send("GET /Users?cursor=\(cursor)&\(query)"), 400, "invalidCursor")
    }
    expectError(try client.send("GET /Groups?cursor=\(cursor)&count=2"), 400, "invalidCursor")
    expectError(
      try client.send("GET /Users?cursor=\(cursor)&filter=userName sw \"u\"&count=3"), 400, "invalidCount")
    var forged = Array(cursor.utf8)
    forged[forged.count / 2] = forged[forged.count / 2] == 0x41 ? 0x42 : 0x41
    for text in [String(decoding: forged, as: UTF8.self), "x", "AAAA", cursor + "A", String(cursor.dropLast())] {
      expectError(try client.send("GET /Users?cursor=\(text)&\(same)"), 400, "invalidCursor")
    }
    // Deleting what is behind a cursor does not move what is before it.
    let page = try client.send("GET /Users?cursor=&count=2")
    for id in page.ids { #expect(try client.send("DELETE /Users/\(id)").status == 204) }
    let next = try client.send("GET /Users?cursor=\(page["nextCursor"]?.stringValue ?? "")&count=2")
    #expect(next.total == 4 && next.resources.compactMap { $0["userName"]?.stringValue } == ["u2", "u3"], "\(next)")
  }

  @Test("A cursor that is too old is expiredCursor")
  func expiredCursor() throws {
    let client = try Tenant(Harness { $0.cursorTimeout = -1 }).client
    for name in ["a", "b"] {
      _ = try client.create(
        "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string(name)])
    }
    let cursor = try #require(try client.send("GET /Users?cursor&count=1")["nextCursor"]?.stringValue)
    expectError(try client.send("GET /Users?cursor=\(cursor)&count=1"), 400, "expiredCursor")
  }
}
