import SCIMCore
import Testing

/// How much a message may hold where nothing is set: exactly that much, and one more.
@Suite("Limits of messages")
struct MessageLimitTests {
  private static let core = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let bulk = "urn:ietf:params:scim:api:messages:2.0:BulkRequest"
  private static let search = "urn:ietf:params:scim:api:messages:2.0:SearchRequest"

  private let client: Client
  private let user: String

  init() throws {
    client = try Tenant(Harness()).client
    user = try client.create(
      "/Users",
      ["schemas": [.string(Self.core)], "userName": "ann", "title": "x", "emails": [["value": "a@b.example"]]]
    ).id
  }

  /// Expects the status of a write that is one too many, and that it changed nothing.
  private func expectRefused(
    _ request: String, text: String, _ status: Int, _ scimType: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try client.snapshot()
    expectError(try client.send(request, text: text), status, scimType, sourceLocation: sourceLocation)
    #expect(try client.snapshot() == before, sourceLocation: sourceLocation)
  }

  private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }
  private static func list(_ count: Int, _ separator: String, _ text: String) -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }

  // MARK: - JSON

  @Test("32 levels of JSON are read, 33 are 400 invalidSyntax")
  func levels() throws {
    func body(_ levels: Int, _ name: String) -> String {
      // The object is the first one.
      let list = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
      return #"{"schemas":["\#(Self.core)"],"userName":"\#(name)","x":\#(list)}"#
    }
    for (request, name, status) in [("POST /Users", "bob", 201), ("PUT /Users/\(user)", "ann", 200)] {
      try expectRefused(request, text: body(33, name), 400, "invalidSyntax")
      expect(try client.send(request, text: body(32, name)), status)
    }
    // The value stands three levels deep.
    func patch(_ levels: Int) -> String {
      let value = String(repeating: "[", count: levels - 3) + String(repeating: "]", count: levels - 3)
      return #"{"Operations":[{"op":"replace","path":"title","value":"y","x":\#(value)}]}"#
    }
    try expectRefused("PATCH /Users/\(user)", text: patch(33), 400, "invalidSyntax")
    expect(try client.send("PATCH /Users/\(user)", text: patch(32)), 200)
  }

  // MARK: - Filters and paths

  private static let filters: [(name: String, make: @Sendable (Int) -> String, most: Int)] = [
    ("8 KiB", { #"title eq "\#(letters($0 - 11))""# }, 8192),
    ("200 conditions", { list($0, " or ", "title pr") }, 200),
    ("50 open brackets", { String(repeating: "(", count: $0) + "title pr" + String(repeating: ")", count: $0) }, 50),
    (
      "50 with a value path",
      { "emails[" + String(repeating: "(", count: $0 - 1) + "value pr" + String(repeating: ")", count: $0 - 1) + "]" },
      50
    ),
  ]

  @Test("A filter has 8 KiB, 200 conditions and 50 open brackets; one more of each is 400 invalidFilter")
  func filters() throws {
    #expect(Self.filters[0].make(8192).utf8.count == 8192)
    for row in Self.filters {
      for (count, isTaken) in [(row.most, true), (row.most + 1, false)] {
        let filter = row.make(count)
        var body = JSONObject()
        body["schemas"] = [.string(Self.search)]
        body["filter"] = .string(filter)
        for reply in [
          try client.send("GET /Users?filter=\(filter)"), try client.send("POST /Users/.search", .object(body)),
          try client.send("POST /.search", .object(body)),
        ] {
          if isTaken { expect(reply, 200) } else { expectError(reply, 400, "invalidFilter") }
        }
      }
    }
  }

  @Test("The path of a PATCH has as much; one byte more is 400 invalidPath, more in its brackets invalidFilter")
  func paths() throws {
    func path(_ count: Int) -> String { #"emails[value eq "\#(Self.letters(count - 19))"]"# }
    #expect(path(8192).utf8.count == 8192)
    let rows: [(make: (Int) -> String, most: Int, scimType: String)] = [
      (path, 8192, "invalidPath"),
      ({ "emails[" + Self.list($0, " or ", #"value eq "y""#) + "]" }, 200, "invalidFilter"),
      (
        { count in
          "emails[" + String(repeating: "(", count: count - 1) + #"value eq "y""#
            + String(repeating: ")", count: count - 1) + "]"
        }, 50, "invalidFilter"
      ),
    ]
    for row in rows {
      let body = PatchBody.make([("remove", row.make(row.most + 1), nil)])
      try expectRefused(
        "PATCH /Users/\(user)", text: String(decoding: body.encoded(), as: UTF8.self), 400, row.scimType)
      expect(try client.send("PATCH /Users/\(user)", PatchBody.make([("remove", row.make(row.most), nil)])), 200)
    }
  }

  // MARK: - Operations

  @Test("A PATCH has 1000 operations; 1001 are 413")
  func patchOperations() throws {
    func body(_ count: Int) -> JSON {
      PatchBody.make((0..<count).map { ("replace", "title", .string("t\($0)")) })
    }
    try expectRefused(
      "PATCH /Users/\(user)", text: String(decoding: body(1001).encoded(), as: UTF8.self), 413)
    expect(try client.send("PATCH /Users/\(user)", body(1000)), 200, ["title": "t999"])
  }

  @Test("A Bulk request has 1000 operations; 1001 are 413")
  func bulkOperations() throws {
    func body(_ count: Int) -> JSON {
      let operations = (0..<count).map { number -> JSON in
        [
          "method": "PATCH", "path": .string("/Users/\(user)"),
          "data": PatchBody.replace("title", .string("t\(number)")),
        ]
      }
      return ["schemas": [.string(Self.bulk)], "Operations": .array(operations)]
    }
    try expectRefused("POST /Bulk", text: String(decoding: body(1001).encoded(), as: UTF8.self), 413)
    let reply = try client.send("POST /Bulk", body(1000))
    expect(reply, 200)
    #expect(reply["Operations"]?.arrayValue?.count { $0["status"] == "200" } == 1000)
    expect(try client.send("GET /Users/\(user)"), 200, ["title": "t999"])
  }

  @Test("A Bulk request sets 100 different passwords; 101 are 413, and nothing changes")
  func bulkPasswords() throws {
    func body(_ count: Int, _ name: String) -> JSON {
      // One of them twice, and the others once.
      let operations = (0...count).map { number -> JSON in
        [
          "method": "POST", "path": "/Users", "bulkId": .string("\(number)"),
          "data": [
            "schemas": [.string(Self.core)], "userName": .string("\(name)\(number)"),
            "password": .string("s3cret \(max(number, 1))"),
          ],
        ]
      }
      return ["schemas": [.string(Self.bulk)], "Operations": .array(operations)]
    }
    try expectRefused("POST /Bulk", text: String(decoding: body(101, "a").encoded(), as: UTF8.self), 413)
    let reply = try client.send("POST /Bulk", body(100, "b"))
    expect(reply, 200)
    #expect(reply["Operations"]?.arrayValue?.count { $0["status"] == "201" } == 101)
  }

  // MARK: - Names

  @Test("1000 names stand in attributes or excludedAttributes; 1001 are 400 invalidValue")
  func names() throws {
    for parameter in ["attributes", "excludedAttributes"] {
      let first = Self.list(999, ",", "title")
      for address in ["/Users", "/Users/\(user)", "/"] {
        expect(try client.send("GET \(address)?\(parameter)=\(first),title"), 200)
        expect(try client.send("GET \(address)?\(parameter)=\(first)&\(parameter)=title"), 200)
        expectError(try client.send("GET \(address)?\(parameter)=\(first),title,title"), 400, "invalidValue")
        expectError(
          try client.send("GET \(address)?\(parameter)=\(first)&\(parameter)=title,title"), 400, "invalidValue")
      }
      for (count, status) in [(1000, 200), (1001, 400)] {
        var body = JSONObject()
        body["schemas"] = [.string(Self.search)]
        body[parameter] = .array(Array(repeating: "title", count: count))
        #expect(try client.send("POST /Users/.search", .object(body)).status == status)
      }
    }
  }

  // MARK: - Pages

  @Test("A page has 1000 resources: more are capped by index, and 400 invalidCount with a cursor")
  func pages() throws {
    let operations = (0..<1000).map { number -> JSON in
      [
        "method": "POST", "path": "/Users", "bulkId": .string("\(number)"),
        "data": ["schemas": [.string(Self.core)], "userName": .string("u\(number)")],
      ]
    }
    expect(try client.send("POST /Bulk", ["schemas": [.string(Self.bulk)], "Operations": .array(operations)]), 200)
    for (query, count) in [("", 100), ("count=999", 999), ("count=1000", 1000), ("count=1001", 1000)] {
      let page = try client.send("GET /Users?attributes=id&\(query)")
      #expect(page.total == 1001 && page.resources.count == count, "\(query)")
    }
    #expect(try client.send("GET /Users?attributes=id&cursor=&count=1000").resources.count == 1000)
    expectError(try client.send("GET /Users?attributes=id&cursor=&count=1001"), 400, "invalidCount")
  }
}
