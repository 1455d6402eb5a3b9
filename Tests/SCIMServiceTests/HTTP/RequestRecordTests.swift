import HTTPMessage
import SCIMCore
import SCIMService
import Synchronization
import Testing

/// What the log is told of a request: enough to explain a failure, and nothing that is secret or personal.
@Suite("Request records")
struct RequestRecordTests {
  /// The records of one service, in their order.
  private final class Records: Sendable {
    private let state = Mutex<[RequestRecord]>([])
    var all: [RequestRecord] { state.withLock { $0 } }
    func add(_ record: RequestRecord) { state.withLock { $0.append(record) } }
  }

  private static let user: JSON = ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann"]

  private func tenant(
    _ change: (inout ServiceConfiguration) -> Void = { _ in }
  ) throws -> (tenant: Tenant, records: Records) {
    let records = Records()
    let harness = try Harness {
      $0.record = { records.add($0) }
      change(&$0)
    }
    return (try Tenant(harness), records)
  }

  @Test("Why a 401, and of which key where it is known; the answer does not tell")
  func unauthorized() throws {
    let (tenant, records) = try tenant()
    let organization = tenant.organization
    let past = Timestamp(milliseconds: Timestamp.now.milliseconds - 1000)
    let expired = try tenant.harness.key(of: organization, expires: past)
    let revoked = try tenant.harness.key(of: organization, revoked: past)
    let rows: [(field: String?, refusal: RequestRecord.KeyRefusal, isKnown: Bool)] = [
      (nil, .missing, false), ("Basic eDp5", .malformed, false), ("Bearer ", .malformed, false),
      ("Bearer Bearer nobody", .malformed, false),
      ("Bearer nobody", .unknown, false), ("Bearer \(expired)", .expired, true), ("Bearer \(revoked)", .revoked, true),
    ]
    var texts: Set<String> = []
    for row in rows {
      let client = Client(wire: tenant.client.wire, key: nil, harness: tenant.harness)
      let reply = try client.send("GET /Users", headers: row.field.map { [("Authorization", $0)] } ?? [])
      expectError(reply, 401)
      if row.refusal != .missing, row.refusal != .malformed { texts.insert(reply.text) }
      let record = try #require(records.all.last)
      #expect(record.status == 401 && record.keyRefusal == row.refusal, "\(record)")
      #expect(record.organization == (row.isKnown ? organization.name : nil), "\(record)")
      #expect(record.key?.hasPrefix("key_") == (row.isKnown ? true : nil), "\(record)")
      #expect(!"\(record)".contains(expired) && !"\(record)".contains(revoked) && !"\(record)".contains("nobody"))
    }
    #expect(texts.count == 1)
  }

  @Test("Of what a request was refused for: scimType, attribute, resource")
  func refused() throws {
    let (tenant, records) = try tenant()
    let client = tenant.client
    let made = try client.create("/Users", Self.user)
    let created = try #require(records.all.last)
    #expect(created.resource == made.id && created.status == 201 && created.route == "/Users")
    #expect(created.bytesIn == Self.user.encoded().count && created.bytesOut == made.answer.body.count)
    let rows: [(request: String, body: JSON?, status: Int, scimType: String?, attribute: String?, resource: String?)] =
      [
        ("POST /Users", Self.user, 409, "uniqueness", "userName", nil),
        (
          "POST /Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"]], 400, "invalidValue", "userName",
          nil
        ),
        ("POST /Users", ["schemas": ["urn:x"], "userName": "b"], 400, "invalidValue", "schemas", nil),
        (
          "PATCH /Users/\(made.id)", PatchBody.make([("replace", "active", "maybe")]), 400, "invalidValue", "active",
          made.id
        ),
        (
          "PATCH /Users/\(made.id)", PatchBody.make([("remove", "userName", nil)]), 400, "mutability", "userName",
          made.id
        ),
        ("PATCH /Users/\(made.id)", PatchBody.make([("add", "nosuch", "x")]), 400, "invalidPath", nil, made.id),
        ("GET /Users?filter=nosuch eq 1", nil, 400, "invalidFilter", nil, nil),
        ("GET /Users/nobody", nil, 404, nil, nil, "nobody"),
        ("GET /Users/ann@acme.example", nil, 404, nil, nil, nil),
        ("GET /Users/\(String(repeating: "x", count: 65))", nil, 404, nil, nil, nil),
        ("GET /Nothing", nil, 404, nil, nil, nil),
      ]
    for row in rows {
      let reply = try client.send(row.request, row.body)
      #expect(reply.status == row.status, "\(reply)")
      let record = try #require(records.all.last)
      #expect(record.status == row.status && record.scimType == row.scimType, "\(row.request): \(record)")
      #expect(record.attribute == row.attribute && record.resource == row.resource, "\(row.request): \(record)")
      #expect(record.organization == tenant.organization.name && record.key?.hasPrefix("key_") == true)
      for personal in ["maybe", "@", "filter"] { #expect(!"\(record)".contains(personal), "\(record)") }
    }
  }

  @Test("No record and no log line holds what a resource holds, or what was asked for")
  func personal() throws {
    let lines = Mutex<[String]>([])
    let (tenant, records) = try tenant { $0.log = { line in lines.withLock { $0.append("\(line)") } } }
    let client = tenant.client
    let mark = "zoe.müller@acme.example"
    func body(_ more: [(String, JSON)] = []) -> JSON {
      .object(
        JSONObject(
          [
            ("schemas", ["urn:ietf:params:scim:schemas:core:2.0:User"]), ("userName", .string(mark)),
            ("externalId", .string(mark)), ("emails", [["value": .string(mark)]]), ("password", .string(mark)),
          ].map { JSONObject.Member(key: $0.0, value: $0.1) } + more.map { .init(key: $0.0, value: $0.1) }))
    }
    let made = try client.create("/Users", body([("hat", .string(mark)), ("urn:acme:1.0:User", ["x": .string(mark)])]))
    let requests: [(String, JSON?)] = [
      ("POST /Users", body()), ("PUT /Users/\(made.id)", body([("active", .string(mark))])),
      ("PATCH /Users/\(made.id)", PatchBody.replace("title", .string(mark))),
      ("PATCH /Users/\(made.id)", PatchBody.replace("emails[value eq \"\(mark)\"].colour", .string(mark))),
      ("GET /Users?filter=userName eq \"\(mark)\"", nil), ("GET /Users?filter=userName \(mark)", nil),
      ("GET /Users?filter=\(mark) eq 1", nil), ("GET /Users?sortBy=\(mark)", nil), ("GET /Users/\(mark)", nil),
      ("GET /\(mark)", nil), ("DELETE /Users/\(mark)", nil),
      ("POST /Groups", ["displayName": "g", "members": [["value": .string(mark)]]]),
      ("POST /Users/.search", ["filter": .string("userName eq \"\(mark)\"")]), ("DELETE /Users/\(made.id)", nil),
    ]
    for (request, body) in requests { _ = try client.send(request, body) }
    _ = try client.send("POST /Users", text: "{\"userName\": \"\(mark)\"")
    #expect(records.all.count == requests.count + 2)
    let told = records.all.map { "\($0)" } + lines.withLock { $0 }
    for part in ["zoe", "ller@"] {
      #expect(!told.contains { $0.contains(part) }, "\(told.filter { $0.contains(part) })")
    }
  }

  @Test("A 429 names its organisation")
  func tooMany() throws {
    let (tenant, records) = try tenant { $0.requestsPerSecond = 25 }
    var reply = try tenant.client.send("GET /Users")
    for _ in 0..<1000 where reply.status == 200 { reply = try tenant.client.send("GET /Users") }
    expectError(reply, 429)
    #expect(reply.header("Retry-After") == "1")
    let record = try #require(records.all.last)
    #expect(record.status == 429 && record.organization == tenant.organization.name && record.key != nil)
  }

  @Test("Each request has its own id, also where its answer is remembered, and a fault's line has the same")
  func ids() throws {
    let (tenant, records) = try tenant()
    let made = try tenant.client.create("/Users", Self.user)
    for id in ["one", "two", "three"] {
      expect(try tenant.client.send("GET /Users/\(made.id)", headers: [("X-Request-Id", id)]), 200)
    }
    #expect(records.all.suffix(3).map(\.id) == ["one", "two", "three"])
    #expect(records.all.suffix(3).allSatisfy { $0.resource == made.id && $0.client == "127.0.0.9" })
  }

  @Test(
    "Where it comes from: the peer, or what a trusted proxy says",
    arguments: [
      (false, "1.2.3.4", "127.0.0.9"), (true, "1.2.3.4", "1.2.3.4"), (true, "9.9.9.9, 2001:db8::1", "2001:db8::1"),
      (true, "rubbish", "127.0.0.9"), (true, "", "127.0.0.9"),
    ])
  func clients(_ trusts: Bool, _ field: String, _ expected: String) throws {
    let (tenant, records) = try tenant { $0.trustsProxy = trusts }
    expect(try tenant.client.send("GET /Users", headers: [("X-Forwarded-For", field)]), 200)
    #expect(records.all.last?.client == expected)
  }

  @Test(
    "What the transport refuses is recorded, and 429 and 503 say when to come again",
    arguments: [400, 408, 413, 431, 503])
  func faults(_ status: Int) throws {
    let (tenant, records) = try tenant()
    let responder = try tenant.harness.service.makeResponder()
    let request = Request(method: "", path: "", peer: "127.0.0.8", id: "mine")
    let response = responder.response(to: Fault(status: status, reason: "No."), head: request)
    #expect(response.headers.contains { $0.name == "Retry-After" } == (status == 503))
    let record = try #require(records.all.last)
    #expect(record.status == status && record.id == "mine" && record.client == "127.0.0.8" && record.method.isEmpty)
  }
}
