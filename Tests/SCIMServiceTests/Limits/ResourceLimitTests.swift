import SCIMCore
import SCIMSQL
import Testing

/// How much one resource may hold, and one write change: exactly that much, and one more.
@Suite("Limits of resources")
struct ResourceLimitTests {
  private static let core = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let role = "urn:okta:scim:schemas:core:1.0:Role"
  private static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"

  private let steps = WriteSteps()
  private let tenant: Tenant
  private var client: Client { tenant.client }

  init() throws { tenant = try Tenant(Harness(options: steps.options), notesUses: false) }

  private static func emails(_ count: Int, _ name: String = "e") -> JSON {
    .array((0..<count).map { ["value": .string("\(name)\($0)@a.b")] })
  }

  /// A user with two values beside its e-mails.
  private static func user(_ name: String, emails count: Int) -> JSON {
    ["schemas": [.string(core)], "userName": .string(name), "active": true, "emails": emails(count)]
  }

  @Test("A resource has 5,000 values by POST, PUT and PATCH; 5,001 are 413, and nothing changes")
  func values() throws {
    expectError(try client.send("POST /Users", Self.user("ann", emails: 4999)), 413)
    #expect(try client.send("GET /Users?count=0").total == 0)
    let made = try client.create("/Users", Self.user("ann", emails: 4998))
    let address = "/Users/\(made.id)"
    expectError(try client.send("PUT \(address)", Self.user("ann", emails: 4999)), 413)
    let one: JSON = [["value": "one@a.b"]]
    expectError(try client.send("PATCH \(address)", PatchBody.make([("add", "emails", one)])), 413)
    #expect(try client.send("GET \(address)?attributes=id,meta").version == made.version)
    expect(try client.send("PUT \(address)", Self.user("ann", emails: 4997)), 200)
    expect(try client.send("PATCH \(address)?attributes=id", PatchBody.make([("add", "emails", one)])), 200)
    #expect(try client.send("GET \(address)")["emails"]?.arrayValue?.count == 4998)
  }

  @Test("The elements that link to the catalogue are values as well; the members of a group are not")
  func links() throws {
    func entitlements(_ count: Int) -> JSON {
      [
        "schemas": [.string(Self.core)], "userName": "ann", "active": true,
        "entitlements": .array((0..<count).map { ["value": .string("n\($0)")] }),
      ]
    }
    expectError(try client.send("POST /Users", entitlements(4999)), 413)
    expect(try client.send("POST /Users?attributes=id", entitlements(4998)), 201)
  }

  @Test("The operations of one PATCH bring 10,000 values; 10,001 are 400 tooMany, and nothing changes")
  func broughtValues() throws {
    let made = try client.create("/Users", Self.user("ann", emails: 1))
    func body(_ count: Int) -> JSON {
      PatchBody.make(
        [("replace", "emails", Self.emails(4998, "a")), ("replace", "emails", Self.emails(4998, "b"))]
          + (0..<count - 2 * 4998).map { ("replace", "title", .string("t\($0)")) })
    }
    expectError(try client.send("PATCH /Users/\(made.id)", body(10_001)), 400, "tooMany")
    #expect(try client.send("GET /Users/\(made.id)").version == made.version)
    // The title is one value more than before.
    expectError(try client.send("PATCH /Users/\(made.id)", body(10_000)), 413)
    let room = PatchBody.make(
      [("replace", "emails", Self.emails(4997, "a")), ("replace", "emails", Self.emails(4997, "b"))]
        + (0..<6).map { ("replace", "title", .string("t\($0)")) })
    expect(try client.send("PATCH /Users/\(made.id)?attributes=title", room), 200, ["title": "t5"])
  }

  /// The bytes of the document as it is stored.
  private func documentSize(_ id: String) throws -> Int {
    let type = try #require(BuiltInSchemas.registry.type(named: "User"))
    let reader = try tenant.harness.store.makeReader()
    return try #require(try reader.tenant(tenant.organization.id).resource(id: id, type: type, links: .none)).document
      .count
  }

  @Test("A document grows to 1 MiB; of one byte more it is 413, and nothing changes")
  func document() throws {
    let made = try client.create(
      "/Users", ["schemas": [.string(Self.core)], "userName": "ann", "title": "x", "nickName": "x"])
    func fill(_ attribute: String, _ count: Int) throws -> Reply {
      try client.send(
        "PATCH /Users/\(made.id)?attributes=id",
        PatchBody.replace(attribute, .string(String(repeating: "x", count: count))))
    }
    expect(try fill("title", 600_000), 200)
    let room = (1 << 20) - (try documentSize(made.id))
    expectError(try fill("nickName", room + 2), 413)
    #expect(try documentSize(made.id) == (1 << 20) - room)
    expect(try fill("nickName", room + 1), 200)
    #expect(try documentSize(made.id) == 1 << 20)
  }

  // MARK: - Work

  /// Fills the database without bounds: what is in it is not what is tested.
  private func store(_ body: @escaping @Sendable (any StoreTransaction, OrganizationID) throws(SCIMError) -> Void)
    throws
  {
    let organization = tenant.organization.id
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      transaction.budget = .unlimited
      try body(transaction, organization)
    }
  }

  /// Creates users u0, u1, …, and a role and a group that have so many of them.
  private func fill(holders: Int, members: Int) throws {
    try store { (transaction, organization) throws(SCIMError) in
      let registry = BuiltInSchemas.registry
      guard let user = registry.type(named: "User"), let group = registry.type(named: "Group"),
        let role = registry.type(named: "Role")
      else { return }
      func create(_ type: ResourceType, _ id: String, _ name: String) throws(SCIMError) -> Int64 {
        let document = ResourceDocument.ordered(JSONObject([.init(key: name, value: .string(id))]), type: type)
        return try transaction.tenantTransaction(organization).create(
          type: type, id: id, document: document, passwordHash: nil
        )
        .handle
      }
      let all = try create(role, "role", "displayName")
      let crew = try create(group, "group", "displayName")
      var users: [Int64] = []
      for number in 0..<max(holders, members) { users.append(try create(user, "u\(number)", "userName")) }
      for user in users.prefix(holders) {
        _ = try transaction.tenantTransaction(organization).link(owner: user, attribute: "roles", targets: [all])
      }
      _ = try transaction.tenantTransaction(organization).link(
        owner: crew, attribute: "members", targets: Array(users.prefix(members)))
    }
    _ = steps.take()
  }

  @Test(
    "A role that 1,000 hold, a group with 8,000 members is deleted in one commit; one more, and it takes two",
    arguments: [(1000, 8000, 1), (1001, 8001, 2)])
  func deletions(_ holders: Int, _ members: Int, _ commits: Int) throws {
    try fill(holders: holders, members: members)
    for address in ["/Roles/role", "/Groups/group"] {
      expect(try client.send("DELETE \(address)"), 204)
      let taken = steps.take()
      #expect(taken.count == commits, "\(address): \(taken)")
    }
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("20,000 members in one PUT or PATCH are 400 tooMany, and nothing changes")
  func members() throws {
    try fill(holders: 0, members: 20_000)
    let other = try client.create("/Groups", ["schemas": [.string(Self.group)], "displayName": "other"])
    let members = JSON.array((0..<20_000).map { ["value": .string("u\($0)")] })
    expectError(
      try client.send("PATCH /Groups/\(other.id)", PatchBody.make([("add", "members", members)])), 400, "tooMany")
    expectError(
      try client.send(
        "PUT /Groups/\(other.id)", ["schemas": [.string(Self.group)], "displayName": "other", "members": members]),
      400, "tooMany")
    let now = try client.send("GET /Groups/\(other.id)")
    #expect(now.version == other.version && now["members"] == nil)
  }

  @Test("Emptying a group of 20,000 fits into one write, of 26,000 it is 400 tooMany, and nothing changes")
  func emptying() throws {
    try fill(holders: 0, members: 26_000)
    let body: JSON = ["schemas": [.string(Self.group)], "displayName": "group"]
    expectError(try client.send("PUT /Groups/group?attributes=id", body), 400, "tooMany")
    expectError(
      try client.send("PATCH /Groups/group?attributes=id", PatchBody.make([("remove", "members", nil)])), 400,
      "tooMany")
    #expect(try client.send("GET /Groups?filter=members.value eq \"u25999\"&attributes=id").total == 1)
    for start in [0, 3000] {
      let some = JSON.array((start..<start + 3000).map { ["value": .string("u\($0)")] })
      expect(
        try client.send("PATCH /Groups/group?attributes=id", PatchBody.make([("remove", "members", some)])), 200)
    }
    expect(try client.send("PUT /Groups/group?attributes=id", body), 200)
    #expect(try client.send("GET /Groups?filter=members pr&attributes=id").total == 0)
    #expect(steps.take().allSatisfy { $0 <= WorkBudget.writeLimit })
  }
}
