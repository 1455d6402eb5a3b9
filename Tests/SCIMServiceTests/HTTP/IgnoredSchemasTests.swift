import SCIMCore
import SCIMService
import Synchronization
import Testing

/// What is passed over since no schema has it is named in the log, once.
@Suite("Schemas that are ignored")
struct IgnoredSchemasTests {
  private static let hr = "urn:acme:hr:1.0:User"

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  @Test("each is named once for an organisation and type, without the values in it")
  func once() throws {
    let lines = Lines()
    let tenant = try Tenant(Harness { $0.log = { lines.add($0.description) } })
    func body(_ name: String) -> JSON {
      var body = JSONObject()
      body["schemas"] = ["urn:ietf:params:scim:schemas:core:2.0:User", .string(Self.hr), "urn:acme:listed:1.0:User"]
      body["userName"] = .string(name)
      body[Self.hr] = ["badge": "secret"]
      body["nothing"] = 1
      return .object(body)
    }
    let made = try tenant.client.create("/Users", body("ada"))
    _ = try tenant.client.create("/Users", body("bob"))
    _ = try tenant.client.send("PUT /Users/\(made.id)", body("ada"))
    let patch = PatchBody.make([("add", nil, ["urn:acme:other:1.0:User": ["x": "secret"], "title": "T"])])
    for _ in 0..<2 { #expect(try tenant.client.send("PATCH /Users/\(made.id)", patch).status == 200) }
    #expect(lines.all.count == 3, "\(lines.all)")
    for urn in [Self.hr, "urn:acme:listed:1.0:User", "urn:acme:other:1.0:User"] {
      #expect(lines.all.count { $0.contains(urn) && $0.contains("acme.example") && $0.contains("User") } == 1)
    }
    #expect(!lines.all.contains { $0.contains("secret") || $0.contains("nothing") })
  }

  @Test("they are no fault of the server")
  func noFault() throws {
    let kinds = Mutex<[FaultRecord.Kind]>([])
    let tenant = try Tenant(Harness { $0.log = { record in kinds.withLock { $0.append(record.kind) } } })
    _ = try tenant.client.create("/Users", ["userName": "ada", "urn:acme:hr:1.0:User": ["badge": "x"]])
    #expect(kinds.withLock { $0 } == [.ignored])
  }

  @Test("of one organisation only the first are, however many it invents")
  func bounded() throws {
    let lines = Lines()
    let tenant = try Tenant(Harness { $0.log = { lines.add($0.description) } })
    for number in 0..<50 {
      var body = JSONObject()
      body["userName"] = .string("u\(number)")
      body["urn:acme:\(number):User"] = ["x": 1]
      _ = try tenant.client.create("/Users", .object(body))
    }
    #expect(lines.all.count == 32)
    let other = try Tenant(tenant.harness, name: "other.example").client
    _ = try other.create("/Users", ["userName": "u", "urn:acme:1:User": ["x": 1]])
    #expect(lines.all.count == 33)
  }
}
