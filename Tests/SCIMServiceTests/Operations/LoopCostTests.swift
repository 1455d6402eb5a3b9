import SCIMCore
import SCIMSQLite
import Testing

/// What one request may ask of a loop, which serves all organisations: what needs more is answered by a worker.
@Suite("Cost of requests on loops")
struct LoopCostTests {
  private static let core = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"

  private static let entitlements = "urn:ietf:params:scim:schemas:core:2.0:Role"

  private let work = WorkMeter()
  private let tenant: Tenant
  private let meter: LoopMeter
  private var client: Client { tenant.client }

  init() throws {
    tenant = try Tenant(Harness(meter: work))
    meter = try LoopMeter(tenant)
  }

  private func users(_ names: [String], title: String = "plain", emails: Int = 1) throws -> [String] {
    let mails = (0..<emails).map { ["value": .string("mail\($0)@example.com")] as JSON }
    return try names.map { name in
      try client.create(
        "/Users",
        ["schemas": [.string(Self.core)], "userName": .string(name), "title": .string(title), "emails": .array(mails)]
      ).id
    }
  }

  private func expectWorker(
    _ outcome: LoopMeter.Outcome, status: Int = 200, _ request: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.isDeferred, "\(request)", sourceLocation: sourceLocation)
    #expect(outcome.status == status, "\(request)", sourceLocation: sourceLocation)
    #expect(outcome.steps <= WorkBudget.loopLimit, "\(request)", sourceLocation: sourceLocation)
  }

  private func expectLoop(_ outcome: LoopMeter.Outcome, steps: Int, _ request: String) {
    #expect(!outcome.isDeferred && outcome.status == 200, "\(request): \(outcome.status)")
    #expect(outcome.steps <= steps, "\(request)")
  }

  @Test("What clients ask before each write is answered by the loop")
  func cheap() throws {
    let ids = try users(["ada", "bob", "cyd"])
    for request in [
      "GET /Users/\(ids[0])", "GET /Users?filter=userName eq \"ada\"", "GET /Users?filter=id eq \"\(ids[1])\"",
      "GET /Users?filter=externalId eq \"x\"", "GET /Users?filter=emails.value eq \"mail0@example.com\"",
      "GET /Users?filter=title eq \"plain\" and active eq true",
      "GET /Users?filter=emails[type eq \"work\" and value eq \"mail0@example.com\"]", "GET /Users?count=3",
      "GET /Roles",
    ] {
      expectLoop(try meter.send(request), steps: 2000, request)
    }
  }

  @Test("A filter of many terms on few large documents")
  func documents() throws {
    let ids = try users(["a", "b", "c", "d"], title: "fatty", emails: 4000)
    let terms = (0..<190).map { "value co \"zz\($0)\"" }.joined(separator: " or ")
    for request in [
      "GET /Users?filter=title eq \"fatty\" and emails[\(terms)]", "GET /Users?filter=title eq \"fatty\"",
      "GET /Users/\(ids[0])", "GET /Users/\(ids[0])?attributes=emails.type",
    ] {
      // The engine's own work as well: none of the documents but the first is read.
      expectWorker(try meter.send(request), request)
    }
  }

  @Test("Statements that are made of a filter or an order are begun by a worker alone")
  func composed() throws {
    _ = try users((0..<60).map { "user \($0)" })
    for request in [
      "GET /Users?filter=title co \"x\"", "GET /Users?filter=title pr", "GET /Users?sortBy=title",
      "GET /?filter=displayName eq \"x\"", "GET /Users?filter=not (title eq \"x\")",
      "GET /Users?filter=groups.display eq \"x\"",
    ] {
      let outcome = try meter.send(request)
      expectWorker(outcome, request)
      #expect(outcome.steps < 500, "\(request)")
    }
  }

  @Test("A page of many resources is a worker's, and the loop reads none of it")
  func pages() throws {
    _ = try users((0..<120).map { "user \($0)" })
    let outcome = try meter.send("GET /Users")
    expectWorker(outcome, "GET /Users")
    #expect(outcome.steps < 500)
  }

  @Test("Who is in very many groups, and a group of very many")
  func links() throws {
    let ids = try users((0..<900).map { "user \($0)" })
    let members: JSON = .array(ids.map { ["value": .string($0)] })
    let large = try client.create(
      "/Groups", ["schemas": [.string(Self.group)], "displayName": "large", "members": members])
    for number in 0..<30 {
      let groups = (0..<25).map { place -> JSON in
        [
          "method": "POST", "path": "/Groups", "bulkId": .string("\(place)"),
          "data": [
            "schemas": [.string(Self.group)], "displayName": .string("g\(number).\(place)"),
            "members": [["value": .string(ids[0])]],
          ],
        ]
      }
      _ = try client.send("POST /Bulk", ["schemas": [.string(BulkRunTests.message)], "Operations": .array(groups)])
    }
    let inMany = try meter.send("GET /Users/\(ids[0])")
    expectWorker(inMany, "in many groups")
    #expect(try JSON(parsing: inMany.body)["groups"]?.arrayValue?.count == 751)
    expectLoop(try meter.send("GET /Users/\(ids[1])"), steps: 2000, "in one group")
    let group = try meter.send("GET /Groups/\(large.id)")
    expectWorker(group, "large group")
    #expect(group.steps < 4000, "its members were counted, not read")
    expectLoop(try meter.send("GET /Groups/\(large.id)?excludedAttributes=members"), steps: 2000, "without members")
  }

  @Test("The number of assignments is kept, and read where it is shown: the holders are not counted")
  func counts() throws {
    let role = "urn:okta:scim:schemas:core:1.0:Role"
    let plain = try client.create("/Roles", ["schemas": [.string(role)], "displayName": "plain"])
    let counted = try client.create(
      "/Roles",
      [
        "schemas": [.string(role), .string(Self.entitlements)], "displayName": "counted",
        Self.entitlements: ["supported": true],
      ])
    let bulk = (0..<400).map { number -> JSON in
      [
        "method": "POST", "path": "/Users", "bulkId": .string("\(number)"),
        "data": [
          "schemas": [.string(Self.core)], "userName": .string("user \(number)"),
          "roles": [["value": .string(plain.id)], ["value": .string(counted.id)]],
        ],
      ]
    }
    _ = try client.send("POST /Bulk", ["schemas": [.string(BulkRunTests.message)], "Operations": .array(bulk)])
    func instructions(_ request: String) throws -> Int {
      _ = try meter.send(request)
      var status = 0
      let count = try work.work { status = try meter.send(request).status }
      #expect(status == 200)
      return count
    }
    #expect(try instructions("GET /Roles/\(plain.id)?attributes=displayName,id") < 400)
    #expect(try instructions("GET /Roles/\(plain.id)?count=1") < 400)
    #expect(try instructions("GET /Roles/\(counted.id)?attributes=displayName") < 400)
    #expect(try instructions("GET /Roles/\(counted.id)?count=1") < 400)
    let shown = try client.send("GET /Roles/\(counted.id)")
    #expect(shown[Self.entitlements]?["totalAssignmentsUsed"] == 400)
    let asked = try client.send("GET /Roles/\(plain.id)?attributes=\(Self.entitlements):totalAssignmentsUsed")
    #expect(asked[Self.entitlements]?["totalAssignmentsUsed"] == 400)
    #expect(
      try client.send("GET /Roles?filter=\(Self.entitlements):totalAssignmentsUsed eq 400&attributes=id").total == 2)
  }

  @Test("A long body is parsed by a worker, whatever is in it")
  func bodies() throws {
    let long = Array(#"{"schemas":["x"],"userName":"\#(String(repeating: "a", count: 20_000))"#.utf8)
    let outcome = try meter.send("POST /Users", long)
    expectWorker(outcome, status: 400, "POST /Users")
    #expect(outcome.steps == 0)
    let short = try meter.send("POST /Users", Array(#"{"schemas":["x"]"#.utf8))
    #expect(!short.isDeferred && short.status == 400)
    // A good one is written as well.
    let text = String(repeating: "a", count: 20_000)
    let good: JSON = ["schemas": [.string(Self.core)], "userName": "long", "title": .string(text)]
    #expect(try meter.send("POST /Users", good.encoded()).status == 201)
    #expect(try client.send("GET /Users?filter=userName eq \"long\"").total == 1)
  }

  @Test("More names of attributes than any schema has are refused")
  func names() throws {
    let names = (0..<1001).map { JSON.string("a\($0)") }
    for member in ["attributes", "excludedAttributes"] {
      let reply = try client.send(
        "POST /Users/.search",
        ["schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], member: .array(names)] as JSON)
      expectError(reply, 400, "invalidValue")
    }
    let list = Array(repeating: "a", count: 1001).joined(separator: ",")
    expectError(try client.send("GET /Users?attributes=\(list)"), 400, "invalidValue")
    expectError(try client.send("GET /Users/x?excludedAttributes=\(list)"), 400, "invalidValue")
  }
}
