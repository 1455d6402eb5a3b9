import SCIMCore
import SCIMService
import Synchronization
import Testing

/// What is passed over since no schema has it is named in the log, once.
@Suite("Names that are ignored")
struct IgnoredNamesTests {
  private static let hr = "urn:acme:hr:1.0:User"
  private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    /// Those since the last call.
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  private let lines = Lines()
  private let tenant: Tenant

  init() throws {
    let lines = lines
    tenant = try Tenant(Harness { $0.log = { lines.add($0.description) } })
  }

  /// What the only line since the last call names.
  private func named(_ place: SourceLocation = #_sourceLocation) throws -> [String] {
    let taken = lines.take()
    try #require(taken.count == 1, "\(taken)", sourceLocation: place)
    #expect(!taken[0].contains("secret"), sourceLocation: place)
    let names = try #require(taken[0].components(separatedBy: ": ").last, sourceLocation: place)
    return names.components(separatedBy: ", ")
  }

  @Test("each is named once for an organisation and type, without the values in it")
  func once() throws {
    func body(_ name: String) -> JSON {
      var body = JSONObject()
      body["schemas"] = [.string(Self.user), .string(Self.hr), "urn:acme:listed:1.0:User"]
      body["userName"] = .string(name)
      body[Self.hr] = ["badge": "secret"]
      body["favouriteColour"] = "secret"
      return .object(body)
    }
    let made = try tenant.client.create("/Users", body("ada"))
    let line = try #require(lines.take().first)
    #expect(
      line.hasSuffix(
        "acme.example sends attributes or schemas that User does not have, and they are ignored: "
          + "\(Self.hr), favouriteColour, urn:acme:listed:1.0:User"))
    _ = try tenant.client.create("/Users", body("bob"))
    _ = try tenant.client.send("PUT /Users/\(made.id)", body("ada"))
    #expect(lines.take() == [])
    let patch = PatchBody.make([("add", nil, ["urn:acme:other:1.0:User": ["x": "secret"], "title": "T"])])
    for _ in 0..<2 { #expect(try tenant.client.send("PATCH /Users/\(made.id)", patch).status == 200) }
    #expect(try named() == ["urn:acme:other:1.0:User"])
    _ = try tenant.client.create("/Groups", ["displayName": "g", "favouriteColour": "secret"])
    #expect(try named() == ["favouriteColour"])
  }

  @Test("wherever they stand in a body")
  func places() throws {
    let core = JSON.object(JSONObject([.init(key: "shoeSize", value: "secret"), .init(key: "title", value: "T")]))
    var body = JSONObject()
    body["userName"] = "ada"
    body["name"] = ["givenName": "Ada", "pronunciation": "secret"]
    body["emails"] = [["value": "a@b.c", "label": "secret"], ["value": "d@e.f", "label": "secret"]]
    body["roles"] = [["value": "x", "since": "secret"]]
    body[Self.user] = core
    body[Self.enterprise] = ["shirt": "secret", "manager": ["value": "m", "since": "secret"]]
    let made = try tenant.client.create("/Users", .object(body))
    #expect(
      Set(try named()) == [
        "name.pronunciation", "emails.label", "roles.since", "\(Self.user):shoeSize", "\(Self.enterprise):shirt",
        "\(Self.enterprise):manager.since",
      ])

    var value = JSONObject()
    value["hat"] = "secret"
    value["name"] = ["title": "secret"]
    value["hats[type eq \"x\"].value"] = "secret"
    value[Self.enterprise] = ["shirt": "secret", "desk": "secret"]
    let operations: [(String, String?, JSON?)] = [
      ("add", nil, .object(value)), ("add", "emails", [["value": "x@y.z", "note": "secret"]]),
      ("replace", "name", ["familyName": "L", "suffix": "secret"]),
    ]
    expect(try tenant.client.send("PATCH /Users/\(made.id)", PatchBody.make(operations)), 200)
    #expect(
      try named() == [
        "hat", "name.title", "hats[type eq \"x\"].value", "\(Self.enterprise):desk", "emails.note", "name.suffix",
      ])

    _ = try tenant.client.create("/Groups", ["displayName": "g", "members": [["value": .string(made.id), "x": 1]]])
    #expect(try named() == ["members.x"])
  }

  @Test("so are those of a Bulk request")
  func bulk() throws {
    let reply = try tenant.client.send(
      "POST /Bulk",
      [
        "schemas": [.string(BulkRunTests.message)],
        "Operations": [
          ["method": "POST", "path": "/Users", "bulkId": "a", "data": ["userName": "ada", "hat": "secret"]]
        ],
      ])
    expect(reply, 200)
    #expect(try named() == ["hat"])
  }

  @Test("they are no fault of the server")
  func noFault() throws {
    let kinds = Mutex<[FaultRecord.Kind]>([])
    let tenant = try Tenant(Harness { $0.log = { record in kinds.withLock { $0.append(record.kind) } } })
    _ = try tenant.client.create("/Users", ["userName": "ada", "hat": 1, "urn:acme:hr:1.0:User": ["badge": "x"]])
    #expect(kinds.withLock { $0 } == [.ignored])
  }

  @Test("of one request and of one organisation only the first are, however many it invents, and short")
  func bounded() throws {
    var body = JSONObject()
    body["userName"] = "ada"
    for number in 0..<100 { body["n\(number)"] = 1 }
    _ = try tenant.client.create("/Users", .object(body))
    #expect(try named() == (0..<8).map { "n\($0)" })
    // Long by bytes, by characters, and as one character with very many accents.
    let long = ["x" + String(repeating: "y", count: 5000), "a" + String(repeating: "\u{301}", count: 5000)]
    _ = try tenant.client.create(
      "/Users", .object(JSONObject([.init(key: "userName", value: "bob")] + long.map { .init(key: $0, value: 1) })))
    #expect(try named().allSatisfy { $0.utf8.count < 80 && $0.hasSuffix("…") })
    for number in 0..<50 {
      var body = JSONObject()
      body["userName"] = .string("u\(number)")
      body["urn:acme:\(number):User"] = ["x": 1]
      _ = try tenant.client.create("/Users", .object(body))
    }
    let taken = lines.take()
    #expect(taken.count == 22)
    #expect(taken.filter { $0.contains("No more of this organisation") } == taken.suffix(1))
    let other = try Tenant(tenant.harness, name: "other.example").client
    _ = try other.create("/Users", ["userName": "u", "urn:acme:1:User": ["x": 1]])
    #expect(lines.take().count == 1)
  }
}
