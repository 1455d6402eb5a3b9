import Foundation
import SCIMCore
import Secrets
import Synchronization
import Testing

/// Bearer keys: what each role may do, and when a key is none.
@Suite("Keys")
struct KeyTests {
  private static let userURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let groupURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:Group"
  private static let bulkURN: JSON = "urn:ietf:params:scim:api:messages:2.0:BulkRequest"

  /// A write by every verb to an endpoint with an instance of it.
  private func writes(_ type: ResourceType, id: String) throws -> [(request: String, body: JSON?)] {
    let sample = SampleResource(type: type, mark: "other")
    return [
      ("POST \(type.endpoint)", sample.full), ("PUT \(type.endpoint)/\(id)", sample.full),
      ("PATCH \(type.endpoint)/\(id)", PatchBody.replace(try #require(sample.nameAttribute).name, "x")),
      ("DELETE \(type.endpoint)/\(id)", nil),
    ]
  }

  @Test("reader: reads and searches everything, writes nothing", arguments: BuiltInSchemas.registry.types.map(\.name))
  func reader(_ name: String) throws {
    let tenant = try Tenant(Harness())
    let type = try #require(BuiltInSchemas.registry.type(named: name))
    let made = try tenant.client.create(type.endpoint, SampleResource(type: type, mark: "alpha").full)
    let before = try tenant.client.snapshot()
    let reader = try tenant.client(role: .reader)
    let search: JSON = ["schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"]]
    for (request, body) in [
      ("GET \(type.endpoint)", nil), ("GET \(type.endpoint)/\(made.id)", nil),
      ("POST \(type.endpoint)/.search", search),
      ("POST /.search", search), ("GET /Schemas", nil), ("GET /ResourceTypes", nil), ("HEAD \(type.endpoint)", nil),
    ] as [(String, JSON?)] {
      expect(try reader.send(request, body), 200)
    }
    for (request, body) in try writes(type, id: made.id) { expectError(try reader.send(request, body), 403) }
    // Nor does a refusal tell what there is.
    for (request, body) in try writes(type, id: "nobody") { expectError(try reader.send(request, body), 403) }
    expectError(
      try reader.send(
        "POST /Bulk",
        [
          "schemas": [Self.bulkURN],
          "Operations": [["method": "DELETE", "path": .string("\(type.endpoint)/\(made.id)")]],
        ]), 403)
    #expect(try tenant.client.snapshot() == before)
  }

  @Test(
    "provisioner: writes users and groups, not the catalogue; in Bulk by operation",
    arguments: BuiltInSchemas.registry.types.map(\.name))
  func provisioner(_ name: String) throws {
    let tenant = try Tenant(Harness())
    let type = try #require(BuiltInSchemas.registry.type(named: name))
    let made = try tenant.client.create(type.endpoint, SampleResource(type: type, mark: "alpha").full)
    let provisioner = try tenant.client(role: .provisioner)
    let before = try tenant.client.snapshot()
    func bulk() throws -> Reply {
      let operations = try writes(type, id: made.id).map { request, body -> JSON in
        let parts = request.split(separator: " ")
        var operation: JSONObject = JSONObject()
        operation["method"] = .string(String(parts[0]))
        operation["path"] = .string(String(parts[1]))
        if let body { operation["data"] = body }
        return .object(operation)
      }
      let user: JSON = [
        "method": "POST", "path": "/Users", "data": ["schemas": [Self.userURN], "userName": "in-bulk"],
      ]
      return try provisioner.send(
        "POST /Bulk", ["schemas": [Self.bulkURN], "Operations": .array(operations + [user])])
    }
    let answered = try bulk()
    let statuses = answered["Operations"]?.arrayValue?.compactMap { $0["status"]?.stringValue }
    if type.isCatalog {
      #expect(statuses == ["403", "403", "403", "403", "201"], "\(answered)")
      #expect(answered["Operations"]?[0]?["response"]?["status"] == "403")
      let user = try provisioner.send("GET /Users?filter=userName eq \"in-bulk\"")
      #expect(try provisioner.send("DELETE /Users/\(user.ids.first ?? "")").status == 204)
      for (request, body) in try writes(type, id: made.id) { expectError(try provisioner.send(request, body), 403) }
      #expect(try tenant.client.snapshot() == before)
      expect(try provisioner.send("GET \(type.endpoint)/\(made.id)"), 200)
    } else {
      // The PUT would take the name that the POST has taken.
      #expect(statuses == ["201", "409", "200", "204", "201"], "\(answered)")
    }
  }

  @Test("A provisioner assigns what is in the catalogue")
  func assigning() throws {
    let tenant = try Tenant(Harness())
    let role = try tenant.client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk"])
    let provisioner = try tenant.client(role: .provisioner)
    let user = try provisioner.create(
      "/Users", ["schemas": [Self.userURN], "userName": "ann", "roles": [["value": .string(role.id)]]])
    #expect(user["roles"]?[0]?["display"] == "Clerk")
  }

  @Test("Two keys at once, one revoked, the other expired: 401 at once, in the same words as a key never made")
  func rotation() throws {
    let tenant = try Tenant(Harness())
    let harness = tenant.harness
    let id = tenant.organization.id
    func add(_ name: String, expires: Timestamp?) throws -> Client {
      let secret = APIKeySecret.generate()
      let key = APIKey(
        id: name, organization: id, label: name, role: .provisioner, profile: .interop, created: .now,
        expires: expires)
      try harness.store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.createKey(key, digest: SecretDigest.sha256(secret))
      }
      return Client(wire: tenant.client.wire, key: secret)
    }
    let tomorrow = Timestamp(milliseconds: Timestamp.now.milliseconds + 86_400_000)
    let first = try add("key_first", expires: tomorrow)
    let second = try add("key_second", expires: nil)
    let expired = try add("key_expired", expires: Timestamp(milliseconds: Timestamp.now.milliseconds - 1))
    for client in [first, second] { expect(try client.send("GET /Users"), 200) }
    let before = try tenant.client.snapshot()
    try harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.revokeKey(id: "key_first", in: id, at: .now)
    }
    let unknown = Client(wire: tenant.client.wire, key: APIKeySecret.generate())
    let reference = try unknown.send("GET /Users")
    for client in [first, expired, unknown] {
      for request in ["GET /Users", "GET /Users/nobody", "GET /Nothing", "POST /Users", "DELETE /Users/nobody"] {
        let refused = try client.send(request, request.hasPrefix("POST") ? ["userName": "x"] : nil)
        expectError(refused, 401)
        #expect(refused.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
        #expect(refused.answer.body == reference.answer.body)
        #expect(!refused.text.contains(client.key ?? "-"))
      }
    }
    expect(try second.send("GET /Users"), 200)
    #expect(try tenant.client.snapshot() == before)
  }

  @Test("A key that is revoked from some time on works until then")
  func overlap() throws {
    let tenant = try Tenant(Harness())
    let secret = APIKeySecret.generate()
    for (name, offset, status) in [("key_soon", Int64(60_000), 200), ("key_past", -60_000, 401)] {
      let secret = secret + name
      let key = APIKey(
        id: name, organization: tenant.organization.id, label: "x", role: .reader, profile: .interop, created: .now)
      let time = Timestamp(milliseconds: Timestamp.now.milliseconds + offset)
      let id = tenant.organization.id
      try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.createKey(key, digest: SecretDigest.sha256(secret))
        try transaction.revokeKey(id: name, in: id, at: time)
      }
      #expect(try Client(wire: tenant.client.wire, key: secret).send("GET /Users").status == status)
    }
  }

  @Test(
    "Where the key may stand",
    arguments: [
      ("Bearer KEY", 200), ("bearer KEY", 200), ("BEARER KEY", 200), ("bEaReR   KEY", 200), ("KEY", 401),
      ("Basic KEY", 401), ("BearerKEY", 401), ("Bearer", 401), ("Bearer ", 401), ("Bearer KEYx", 401),
      ("Bearer xKEY", 401), ("Token KEY", 401), ("Bearer KEY KEY", 401), ("Bearer \"KEY\"", 401), ("", 401),
    ])
  func placement(_ value: String, status: Int) throws {
    let tenant = try Tenant(Harness())
    let key = try #require(tenant.client.key)
    let anonymous = Client(wire: tenant.client.wire, key: nil)
    let reply = try anonymous.send(
      "GET /Users", headers: [("Authorization", value.replacing("KEY", with: key))])
    #expect(reply.status == status, "\(reply)")
    if status == 401 { expectError(reply, 401) }
  }

  @Test("A name with its password opens nothing, and the answer asks for a bearer key alone")
  func basic() throws {
    let tenant = try Tenant(Harness())
    let body: JSON = ["schemas": [Self.userURN], "userName": "ann", "password": "t1meMa$heen"]
    _ = try tenant.client.create("/Users", body)
    let key = try #require(tenant.client.key)
    let anonymous = Client(wire: tenant.client.wire, key: nil)
    for credentials in ["ann:t1meMa$heen", "ann:\(key)", ":\(key)", "\(key):"] {
      let field = "Basic " + Data(credentials.utf8).base64EncodedString()
      for request in ["GET /Users", "POST /Users", "GET /Schemas"] {
        let reply = try anonymous.send(
          request, request.hasPrefix("POST") ? body : nil, headers: [("Authorization", field)])
        expectError(reply, 401)
        let challenge = try #require(reply.header("WWW-Authenticate"))
        #expect(
          challenge.hasPrefix("Bearer") && !challenge.contains("Basic") && !challenge.contains(","), "\(challenge)")
      }
    }
  }

  @Test("No answer, no record and no log line holds a key, whatever is sent with it")
  func nowhere() throws {
    let lines = Mutex<[String]>([])
    let tenant = try Tenant(
      Harness {
        $0.log = { line in lines.withLock { $0.append("\(line)") } }
        $0.record = { record in lines.withLock { $0.append("\(record)") } }
      })
    let key = try #require(tenant.client.key)
    let past = Timestamp(milliseconds: Timestamp.now.milliseconds - 1000)
    let revoked = try tenant.harness.key(of: tenant.organization, revoked: past)
    let unknown = APIKeySecret.generate()
    var answers: [String] = []
    for secret in [key, revoked, unknown] {
      let client = Client(wire: tenant.client.wire, key: secret)
      for (request, body) in [
        ("GET /Users", nil), ("GET /Users/nobody", nil), ("GET /Nothing", nil), ("GET /ServiceProviderConfig", nil),
        ("POST /Users", ["schemas": [Self.userURN], "userName": "u"]), ("POST /Users", ["userName": 1]),
        ("PATCH /Users/nobody", PatchBody.replace("title", "x")), ("GET /Users?access_token=\(secret)", nil),
        ("POST /Users", ["userName": "v", "access_token": .string(secret)]),
      ] as [(String, JSON?)] {
        let reply = try client.send(request, body)
        answers.append(reply.text + "\(reply.answer.headers)")
      }
      _ = try client.send("GET /Users", headers: [("Authorization", "Basic \(secret)")])
    }
    let told = lines.withLock { $0 }
    #expect(told.count >= 30)
    for secret in [key, revoked, unknown] {
      #expect(!told.contains { $0.contains(secret) })
      #expect(!answers.contains { $0.contains(secret) })
    }
  }

  @Test("A key in the address, a cookie, another field or the body opens nothing")
  func elsewhere() throws {
    let tenant = try Tenant(Harness())
    let key = try #require(tenant.client.key)
    let anonymous = Client(wire: tenant.client.wire, key: nil)
    for name in ["access_token", "token", "key", "authorization", "api_key"] {
      expectError(try anonymous.send("GET /Users?\(name)=\(key)"), 401)
      expectError(try anonymous.send("GET /Users", headers: [("Cookie", "\(name)=\(key)")]), 401)
    }
    expectError(try anonymous.send("GET /Users", headers: [("X-Api-Key", key)]), 401)
    let body: JSON = ["schemas": [Self.userURN], "userName": "x", "access_token": .string(key)]
    expectError(try anonymous.send("POST /Users", body), 401)
    #expect(try tenant.client.send("GET /Users").total == 0)
  }

  @Test("The store holds no secret, only a digest of it; the list tells what a rotation needs")
  func stored() throws {
    let tenant = try Tenant(Harness())
    let key = try #require(tenant.client.key)
    let id = tenant.organization.id
    let listed = try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.keys(of: id)
    }
    #expect(listed.count == 1 && listed[0].label == "test" && listed[0].role == .admin)
    #expect(!"\(listed)".contains(key))
    #expect(try tenant.harness.databaseContains(key) == false)
    #expect(try tenant.harness.databaseContains(listed[0].id))
  }

  @Test("The list shows when a key was last used")
  func lastUse() throws {
    let tenant = try Tenant(Harness())
    let id = tenant.organization.id
    let unused = try tenant.client(role: .reader)
    let before = Timestamp.now
    for _ in 0..<3 { expect(try tenant.client.send("GET /Users"), 200) }
    // Writes are taken in order: this one comes behind the note of the use.
    let keys = try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.keys(of: id)
    }
    #expect(keys.map(\.role) == [.reader, .admin])
    #expect(keys[0].lastUsed == nil)
    #expect(keys[1].lastUsed.map { $0 >= before } == true)
    expect(try unused.send("GET /Users"), 200)
  }
}
