import SCIMCore
import SCIMService
import Testing

/// What no client should send: each gets its SCIM error, and nothing changes.
@Suite("Bad input")
struct BadInputTests {
  /// One request and the error it gets. `U` at the end of an address stands for a user that exists, `G` for a group.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var request: String
    var body: [UInt8]?
    var headers: [(String, String)] = []
    var status: Int
    var scimType: String?

    init(
      _ name: String, _ request: String, _ body: String?, headers: [(String, String)] = [], _ status: Int,
      _ scimType: String? = nil
    ) {
      self.name = name
      self.request = request
      self.body = body.map { Array($0.utf8) }
      self.headers = headers
      self.status = status
      self.scimType = scimType
    }

    init(_ name: String, _ request: String, _ status: Int, _ scimType: String? = nil) {
      self.init(name, request, nil, status, scimType)
    }

    /// A POST whose body is no text.
    static func raw(_ name: String, _ request: String, _ bytes: [UInt8], _ status: Int, _ scimType: String) -> Row {
      var row = Row(name, request, status, scimType)
      row.body = bytes
      return row
    }

    var testDescription: String { name }
  }

  private static let valid = #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"new"}"#
  private static func user(_ members: String) -> String {
    #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"new",\#(members)}"#
  }
  private static func patch(_ operations: String) -> String {
    #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[\#(operations)]}"#
  }

  private static let brokenJSON: [(String, String)] = [
    ("an empty body", ""), ("cut short", String(valid.dropLast())), ("a comma too many", user("")),
    ("plain text", "hello"),
    ("two documents", valid + valid), ("single quotes", "{'userName':'new'}"), ("a number for a name", "{1:2}"),
    ("NaN", user(#""x":NaN"#)), ("an unpaired surrogate", user(#""title":"\ud800""#)), ("a comment", valid + "//"),
    ("a control character in a string", user("\"title\":\"a\u{1}b\"")),
    ("a name twice", user(#""title":"a","title":"b""#)),
    ("a name twice in other case", user(#""title":"a","TITLE":"b""#)), ("a leading zero", user(#""x":01"#)),
    ("nested 40 deep", user(#""x":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40))),
    ("nested 100,000 deep", String(repeating: "[", count: 100_000)),
    ("objects nested 20,000 deep", String(repeating: #"{"a":"#, count: 20_000)),
  ]

  static let rows: [Row] = syntax + bodies + patches + conditions + methods + addresses + queries + bulks

  private static let syntax: [Row] = brokenJSON.flatMap { name, body -> [Row] in
    let requests = [
      ("POST /Users", "POST"), ("PUT /Users/U", "PUT"), ("PATCH /Users/U", "PATCH"), ("POST /Bulk", "Bulk"),
      ("POST /Users/.search", "search"),
    ]
    return requests.map { request, verb in Row("\(verb): \(name)", request, body, 400, "invalidSyntax") }
  }

  private static let bodies: [Row] = [
    Row.raw(
      "invalid UTF-8", "POST /Users", Array(#"{"userName":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8), 400,
      "invalidSyntax"),
    Row.raw(
      "overlong UTF-8", "POST /Users", Array(#"{"userName":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8), 400,
      "invalidSyntax"),
    Row.raw("UTF-16", "POST /Users", [0xFE, 0xFF] + valid.utf8.flatMap { [0, $0] }, 400, "invalidSyntax"),
    Row("an array", "POST /Users", "[]", 400, "invalidSyntax"),
    Row("null", "POST /Users", "null", 400, "invalidSyntax"),
    Row("a string", "PUT /Users/U", "\"x\"", 400, "invalidSyntax"),
    Row(
      "another type's schemas", "POST /Users",
      #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"userName":"new"}"#, 400, "invalidValue"),
    Row("schemas as a number", "POST /Users", #"{"schemas":7,"userName":"new"}"#, 400, "invalidValue"),
    Row(
      "no userName", "POST /Users", #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"]}"#, 400, "invalidValue"),
    Row(
      "an empty userName", "POST /Users", #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":""}"#,
      400, "invalidValue"),
    Row(
      "userName as a number", "POST /Users",
      #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":7}"#, 400, "invalidValue"),
    Row("name as a string", "POST /Users", user(#""name":"Ann""#), 400, "invalidValue"),
    Row("emails as numbers", "POST /Users", user(#""emails":[1,2]"#), 400, "invalidValue"),
    Row("active as a word", "POST /Users", user(#""active":"perhaps""#), 400, "invalidValue"),
    Row(
      "two primary emails", "POST /Users",
      user(#""emails":[{"value":"a@b.example","primary":true},{"value":"c@d.example","primary":true}]"#), 400,
      "invalidValue"),
    Row(
      "an extension as a string", "POST /Users",
      user(#""urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":"x""#), 400, "invalidValue"),
    Row("a binary that is none", "POST /Users", user(#""x509Certificates":[{"value":"%%%"}]"#), 400, "invalidValue"),
    Row(
      "a name that is taken", "POST /Users",
      #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ANN"}"#, 409, "uniqueness"),
    Row(
      "an unknown member", "POST /Groups",
      #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"displayName":"x","members":[{"value":"nobody"}]}"#,
      400, "invalidValue"),
    Row(
      "a member without a value", "POST /Groups",
      #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"displayName":"x","members":[{"type":"User"}]}"#,
      400, "invalidValue"),
    Row(
      "a group in itself", "PATCH /Groups/G", patch(#"{"op":"add","path":"members","value":[{"value":"G"}]}"#), 400,
      "invalidValue"),
  ]

  private static let patches: [Row] = [
    Row(
      "PATCH without Operations", "PATCH /Users/U", #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"]}"#,
      400, "invalidSyntax"),
    Row(
      "Operations as an object", "PATCH /Users/U",
      #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":{"a":1}}"#, 400, "invalidSyntax"),
    Row("an operation that is none", "PATCH /Users/U", patch("7"), 400, "invalidSyntax"),
    Row("an unknown op", "PATCH /Users/U", patch(#"{"op":"move","path":"title","value":"x"}"#), 400, "invalidSyntax"),
    Row("no op", "PATCH /Users/U", patch(#"{"path":"title","value":"x"}"#), 400, "invalidSyntax"),
    Row("a path that is a number", "PATCH /Users/U", patch(#"{"op":"add","path":7,"value":"x"}"#), 400),
    Row("an unknown path", "PATCH /Users/U", patch(#"{"op":"add","path":"shoeSize","value":"x"}"#), 400, "invalidPath"),
    Row("a broken path", "PATCH /Users/U", patch(#"{"op":"add","path":"emails[","value":"x"}"#), 400),
    Row(
      "a broken filter in a path", "PATCH /Users/U",
      patch(#"{"op":"add","path":"emails[type is 7].value","value":"x"}"#), 400, "invalidFilter"),
    Row(
      "an unknown sub-attribute in a path", "PATCH /Users/U", patch(#"{"op":"add","path":"name.shoe","value":"x"}"#),
      400, "invalidPath"),
    Row("remove without path", "PATCH /Users/U", patch(#"{"op":"remove"}"#), 400, "noTarget"),
    Row("add without value", "PATCH /Users/U", patch(#"{"op":"add","path":"title"}"#), 400, "invalidValue"),
    Row("removing what is required", "PATCH /Users/U", patch(#"{"op":"remove","path":"userName"}"#), 400, "mutability"),
    Row(
      "replacing what is readOnly", "PATCH /Users/U",
      patch(#"{"op":"replace","path":"meta.created","value":"2020-01-01T00:00:00Z"}"#), 400, "mutability"),
    Row(
      "replacing the id", "PATCH /Users/U", patch(#"{"op":"replace","path":"id","value":"mine"}"#), 400, "mutability"),
    Row(
      "a good operation before a bad one", "PATCH /Users/U",
      patch(#"{"op":"add","path":"title","value":"x"},{"op":"add","path":"shoe","value":"x"}"#), 400, "invalidPath"),
    Row(
      "a good operation before one that fails late", "PATCH /Groups/G",
      patch(
        #"{"op":"replace","path":"displayName","value":"x"},{"op":"add","path":"members","value":[{"value":"nobody"}]}"#
      ), 400, "invalidValue"),
  ]

  private static let conditions: [Row] = [
    Row("XML", "POST /Users", valid, headers: [("Content-Type", "application/xml")], 415),
    Row("plain text as a type", "PUT /Users/U", valid, headers: [("Content-Type", "text/plain")], 415),
    Row("a form", "PATCH /Users/U", "a=1", headers: [("Content-Type", "application/x-www-form-urlencoded")], 415),
    Row("a stale tag", "PUT /Users/U", valid, headers: [("If-Match", "W/\"77\"")], 412),
    Row("a tag that is none", "DELETE /Users/U", nil, headers: [("If-Match", "soon")], 412),
  ]

  private static let methods: [Row] = [
    Row("PUT to a collection", "PUT /Users", valid, 405),
    Row("DELETE of a collection", "DELETE /Users", 405),
    Row("PATCH of a collection", "PATCH /Users", valid, 405),
    Row("POST to a resource", "POST /Users/U", valid, 405),
    Row("GET of Bulk", "GET /Bulk", 405),
    Row("POST to Schemas", "POST /Schemas", "{}", 405),
    Row("DELETE of the configuration", "DELETE /ServiceProviderConfig", 405),
    Row("GET of a search", "GET /Users/.search", 405),
    Row("an unknown verb", "BREW /Users", 405),
    Row("the verb in other case", "get /Users", 405),
  ]

  private static let addresses: [Row] = [
    Row("an unknown endpoint", "GET /Nothing", 404),
    Row("an unknown id", "GET /Users/nobody", 404),
    Row("too deep an address", "GET /Users/U/emails/0", 404),
    Row("an unknown schema", "GET /Schemas/urn:example:none", 404),
    Row("an unknown type", "GET /ResourceTypes/Nothing", 404),
    Row("dots in the address", "GET /Users/../../secret", 404),
    Row("a broken percent sign in the address", "GET /Users/%zz", 404),
    Row("a NUL in the address", "GET /Users/%00", 404),
    Row("/Me", "GET /Me", 501),
    Row("a filter on discovery", "GET /Schemas?filter=id pr", 403),
  ]

  private static let queries: [Row] = [
    Row("a filter cut short", "GET /Users?filter=userName eq", 400, "invalidFilter"),
    Row("an empty filter", "GET /Users?filter=", 400, "invalidFilter"),
    Row("an unknown operator", "GET /Users?filter=userName like \"x\"", 400, "invalidFilter"),
    Row("an unknown attribute", "GET /Users?filter=shoeSize eq 43", 400, "invalidFilter"),
    Row("SQL in a filter", "GET /Users?filter=userName eq \"x\"; DROP TABLE resource", 400, "invalidFilter"),
    Row("brackets that do not close", "GET /Users?filter=((((userName pr)", 400, "invalidFilter"),
    Row(
      "10,000 brackets", "GET /Users?filter=" + String(repeating: "(", count: 8000) + "userName pr", 400,
      "invalidFilter"),
    Row(
      "300 terms", "GET /Users?filter=" + Array(repeating: "title pr", count: 300).joined(separator: " or "), 400,
      "invalidFilter"),
    Row(
      "a filter of 10,000 bytes", "GET /Users?filter=title eq \"\(String(repeating: "x", count: 10_000))\"", 400,
      "invalidFilter"),
    Row("invalid UTF-8 in a filter", "GET /Users?filter=userName eq \"%FF\"", 400, "invalidValue"),
    Row("a NUL in a filter", "GET /Users?filter=userName eq \"%00\"", 400, "invalidValue"),
    Row("an unknown sort attribute", "GET /Users?sortBy=shoeSize", 400, "invalidValue"),
    Row("an unknown sort order", "GET /Users?sortBy=userName&sortOrder=random", 400, "invalidValue"),
    Row(
      "attributes with excludedAttributes", "GET /Users?attributes=userName&excludedAttributes=emails", 400,
      "invalidValue"),
    Row("a cursor from nowhere", "GET /Users?cursor=abc", 400, "invalidCursor"),
    Row(
      "a count that is no number", "POST /Users/.search",
      #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:SearchRequest"],"count":"many"}"#, 400, "invalidValue"),
    Row(
      "a filter that is no text", "POST /.search",
      #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:SearchRequest"],"filter":{}}"#, 400, "invalidValue"),
  ]

  private static let bulks: [Row] = [
    Row(
      "Bulk without Operations", "POST /Bulk", #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest"]}"#,
      400, "invalidSyntax"),
    Row(
      "failOnErrors as text", "POST /Bulk",
      #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],"failOnErrors":"x","Operations":[]}"#, 400,
      "invalidValue"),
  ]

  private struct World {
    let tenant: Tenant
    let user: String
    let group: String

    init(_ configure: (inout ServiceConfiguration) -> Void = { _ in }) throws {
      tenant = try Tenant(Harness(configure: configure))
      user = try tenant.client.create(
        "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann"]
      ).id
      group = try tenant.client.create(
        "/Groups",
        [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "All",
          "members": [["value": .string(user)]],
        ]
      ).id
    }

    func send(_ row: Row, over wire: (any Wire)? = nil) throws -> Reply {
      let client = Client(wire: wire ?? tenant.client.wire, key: tenant.client.key)
      let body = row.body.map { bytes -> [UInt8] in
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? Array(text.replacing("\"G\"", with: "\"\(group)\"").utf8) : bytes
      }
      let request = row.request.replacing("/U", with: "/\(user)", maxReplacements: row.request.contains("/U/") ? 1 : 0)
      var address = request
      if address.hasSuffix("/U") { address = address.dropLast() + user }
      if address.hasSuffix("/G") { address = address.dropLast() + group }
      return try client.send(address, bytes: body, headers: row.headers)
    }
  }

  @Test("Each is refused in SCIM's words, and nothing has changed")
  func table() throws {
    let world = try World()
    let before = try world.tenant.client.snapshot()
    for row in Self.rows where row.status >= 400 {
      let reply = try world.send(row)
      expectError(reply, row.status, row.scimType ?? (row.status == 400 ? reply["scimType"]?.stringValue : nil))
      if reply.status == 405 { #expect(reply.header("Allow")?.isEmpty == false, "\(row.name)") }
      #expect(!reply.text.contains("SELECT") && !reply.text.contains("sqlite"), "\(reply)")
    }
    #expect(try world.tenant.client.snapshot() == before)
  }

  @Test("The same over a socket, and the server serves the next request")
  func socket() throws {
    let world = try World()
    let server = try world.tenant.harness.serve()
    defer { server.stop() }
    let wire = SocketWire(port: server.port)
    let before = try world.tenant.client.snapshot()
    for row in Self.rows where row.status >= 400 {
      let reply = try world.send(row, over: wire)
      #expect(reply.status == row.status, "\(row.name): \(reply)")
      #expect(reply["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"], "\(row.name): \(reply)")
    }
    #expect(try world.tenant.client.snapshot() == before)
  }

  @Test("A body that is too long: 413, by its length alone or as it comes, and nothing changed")
  func tooLong() throws {
    let world = try World {
      $0.maxBodySize = 4096
      $0.bulkMaxPayloadSize = 8192
    }
    let server = try world.tenant.harness.serve()
    defer { server.stop() }
    let client = Client(wire: SocketWire(port: server.port), key: world.tenant.client.key)
    let before = try world.tenant.client.snapshot()
    let long = Self.user(#""title":"\#(String(repeating: "x", count: 5000))""#)
    for request in ["POST /Users", "PUT /Users/\(world.user)", "PATCH /Users/\(world.user)", "POST /Users/.search"] {
      expectError(try client.send(request, text: long), 413)
    }
    let bulk = try client.send("POST /Bulk", text: Self.user(#""x":"\#(String(repeating: "x", count: 9000))""#))
    expectError(bulk, 413)
    #expect(bulk["detail"]?.stringValue?.contains("8192") == true, "\(bulk)")
    #expect(try world.tenant.client.snapshot() == before)
  }

  @Test("Too many operations in Bulk and in PATCH: refused as a whole")
  func tooMany() throws {
    let world = try World { $0.bulkMaxOperations = 3 }
    let client = world.tenant.client
    let before = try client.snapshot()
    let operations = (0..<4).map { number -> JSON in
      [
        "method": "POST", "path": "/Users",
        "data": ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("b\(number)")],
      ]
    }
    let bulk = try client.send(
      "POST /Bulk",
      ["schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], "Operations": .array(operations)])
    expectError(bulk, 413)
    #expect(bulk["detail"]?.stringValue?.contains("maxOperations") == true)
    let patch = try client.send(
      "PATCH /Users/\(world.user)",
      PatchBody.make(Array(repeating: ("replace", "title", "x"), count: 1001)))
    #expect([400, 413].contains(patch.status), "\(patch)")
    #expect(try client.snapshot() == before)
  }

  @Test("No filter tells anything of a password")
  func passwords() throws {
    let world = try World()
    expect(
      try world.tenant.client.send(
        "PATCH /Users/\(world.user)", text: Self.patch(#"{"op":"add","path":"password","value":"s3cret-words"}"#)), 200,
      ["password": ["$absent": true]])
    for condition in ["eq \"s3cret-words\"", "ne \"x\"", "sw \"s3\"", "pr", "gt \"a\""] {
      for filter in ["password \(condition)", "not (password \(condition))"] {
        expectError(try world.tenant.client.send("GET /Users?filter=\(filter)"), 400, "invalidFilter")
      }
    }
    #expect(try world.tenant.client.send("GET /Users?sortBy=password").status == 400)
    #expect(try !world.tenant.harness.databaseContains("s3cret-words"))
  }

  @Test("A fault in the server: 500 with a request id and nothing from inside; the log has the id")
  func fault() throws {
    let lines = Lines()
    let world = try World {
      $0.hashPassword = { (_) throws(SCIMError) in throw SCIMError(.internalError, "the vault is on fire") }
      $0.log = { lines.append($0.description) }
    }
    let client = world.tenant.client
    let before = try client.snapshot()
    for (request, body) in [
      ("POST /Users", Self.user(#""password":"s3cret-words""#)),
      ("PUT /Users/\(world.user)", Self.user(#""password":"s3cret-words""#)),
      ("PATCH /Users/\(world.user)", Self.patch(#"{"op":"add","path":"password","value":"s3cret-words"}"#)),
    ] {
      let reply = try client.send(request, text: body)
      expectError(reply, 500)
      #expect(!reply.text.contains("fire") && !reply.text.contains("s3cret"))
      let logged = try #require(lines.all.last)
      #expect(logged.contains("the vault is on fire") && !logged.contains("s3cret"))
      let id = try #require(logged.split(separator: " ").first)
      #expect(reply["detail"]?.stringValue?.contains(id) == true, "\(reply), \(logged)")
    }
    #expect(try client.snapshot() == before)
  }
}
