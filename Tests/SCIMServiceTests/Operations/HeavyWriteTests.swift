import SCIMCore
import SCIMSQL
import SCIMService
import Testing

/// Whatever one request asks for, no commit takes more steps than one write may: what needs more is refused, or takes
/// several commits.
@Suite("Heavy writes")
struct HeavyWriteTests {
  private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"
  private static let role = "urn:okta:scim:schemas:core:1.0:Role"
  private static let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"

  private let steps = WriteSteps()
  private let tenant: Tenant
  private var client: Client { tenant.client }

  init() throws {
    // The commits that are counted are those of the requests alone.
    tenant = try Tenant(Harness(options: steps.options), notesUses: false)
  }

  /// Fills the database without bounds: what is in it is not what is tested.
  private func store<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction, OrganizationID) throws(SCIMError) -> Value
  ) throws -> Value {
    let organization = tenant.organization.id
    return try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      transaction.budget = .unlimited
      return try body(transaction, organization)
    }
  }

  private func make(
    _ count: Int, _ typeName: String, _ name: String, in transaction: any StoreTransaction,
    _ organization: OrganizationID, _ body: (Int) -> JSON
  ) throws(SCIMError) -> [StoredResource] {
    guard let type = BuiltInSchemas.registry.type(named: typeName) else { return [] }
    var made: [StoredResource] = []
    for number in 0..<count {
      let document = ResourceDocument.ordered(body(number).objectValue ?? JSONObject(), type: type)
      made.append(
        try transaction.tenantTransaction(organization).create(
          type: type, id: "\(name)\(number)", document: document, passwordHash: nil))
    }
    return made
  }

  @Test("What is counted are commits of requests that write")
  func reading() throws {
    _ = steps.take()
    expect(try client.send("GET /Users?count=0"), 200)
    // Behind whatever the request has left to be written.
    for _ in 0..<2 { try store { (_, _) in } }
    #expect(steps.take().count == 2)
  }

  @Test("Adding many groups to one that many contain looks once at what is above it")
  func groupsAboveAndBelow() throws {
    let hub = try client.create("/Groups", ["schemas": [.string(Self.group)], "displayName": "hub"])
    let count = 3000
    try store { (transaction, organization) throws(SCIMError) in
      _ = try make(count, "Group", "below", in: transaction, organization) { ["displayName": .string("below \($0)")] }
      let above = try make(count, "Group", "above", in: transaction, organization) {
        ["displayName": .string("above \($0)")]
      }
      guard let type = BuiltInSchemas.registry.type(named: "Group"),
        let hub = try transaction.tenant(organization).resource(id: hub.id, type: type, links: .none)
      else { return }
      for group in above {
        _ = try transaction.tenantTransaction(organization).link(
          owner: group.handle, attribute: "members", targets: [hub.handle])
      }
    }
    _ = steps.take()
    func add(_ ids: [String]) throws -> Reply {
      try client.send(
        "PATCH /Groups/\(hub.id)", PatchBody.make([("add", "members", .array(ids.map { ["value": .string($0)] }))]))
    }
    expect(try add((0..<count).map { "below\($0)" }), 204)
    let taken = steps.take()
    #expect(taken.count == 1)
    #expect(taken.allSatisfy { $0 < WorkBudget.writeLimit / 2 }, "\(taken)")
    expectError(try add(["above17"]), 400, "invalidValue")
    expectError(try add([hub.id]), 400, "invalidValue")
  }

  /// Bodies with more values than a resource may have.
  static let large: [(name: String, request: String, body: JSON, status: Int)] = [
    (
      "a user with 48,000 e-mails", "POST /Users",
      [
        "schemas": [.string(user)], "userName": "large",
        "emails": .array((0..<48_000).map { .string("e\($0)@a.b") }),
      ], 413
    ),
    (
      "one by PUT", "PUT /Users/small",
      [
        "schemas": [.string(user)], "userName": "small",
        "emails": .array((0..<5_001).map { ["value": .string("e\($0)@a.b")] }),
      ], 413
    ),
    (
      "one by PATCH", "PATCH /Users/small",
      PatchBody.make([("add", "emails", .array((0..<9_000).map { ["value": .string("e\($0)@a.b")] }))]), 413
    ),
    (
      "one by a long PATCH", "PATCH /Users/small",
      PatchBody.make([("add", "emails", .array((0..<20_000).map { ["value": .string("e\($0)@a.b")] }))]), 400
    ),
    (
      "a user with 40,000 entitlements that nobody knows", "POST /Users",
      [
        "schemas": [.string(user)], "userName": "large",
        "entitlements": .array((0..<40_000).map { ["value": .string("n\($0)")] }),
      ], 413
    ),
    (
      "a role with 80,000 parts", "POST /Roles",
      [
        "schemas": [.string(role), .string(draft)], "displayName": "large",
        .init(stringLiteral: draft): ["contains": .array((0..<80_000).map { .string("p\($0)") })],
      ].asBody, 413
    ),
  ]

  @Test("A resource of very many values is refused before the writer works for it", arguments: 0..<large.count)
  func manyValues(_ index: Int) throws {
    let row = Self.large[index]
    try store { (transaction, organization) throws(SCIMError) in
      _ = try make(1, "User", "small", in: transaction, organization) { _ in ["userName": "small0"] }
    }
    _ = steps.take()
    let reply = try client.send(row.request.replacing("/small", with: "/small0"), row.body)
    #expect(reply.status == row.status, "\(row.name): \(reply)")
    #expect(steps.take().allSatisfy { $0 < WorkBudget.writeLimit / 4 }, "\(row.name)")
    #expect(try client.send("GET /Users?filter=emails pr or entitlements pr").total == 0, "\(row.name)")
  }

  @Test("A role of some thousand parts is stored; a change of its description asks nothing of the catalogue")
  func largeRoles() throws {
    func body(_ number: Int, _ description: String) -> JSON {
      [
        "schemas": [.string(Self.role), .string(Self.draft)], "displayName": .string("role \(number)"),
        "description": .string(description),
        .init(stringLiteral: Self.draft): [
          "contains": .array(
            (0..<3000).map { .string("part \($0)") } + (number > 0 ? [.string("role \(number - 1)")] : []))
        ],
      ].asBody
    }
    var roles: [Reply] = []
    for number in 0..<10 {
      _ = steps.take()
      roles.append(try client.create("/Roles", body(number, "one")))
      #expect(steps.take().allSatisfy { $0 < WorkBudget.writeLimit }, "\(number)")
    }
    let top = try #require(roles.last)
    expect(try client.send("PATCH /Roles/\(top.id)", PatchBody.replace("description", "two")), 200)
    #expect(steps.take().allSatisfy { $0 < WorkBudget.writeLimit / 4 })
    // A circle is still one.
    expectError(
      try client.send(
        "PATCH /Roles/\(roles[8].id)", PatchBody.make([("add", "\(Self.draft):contains", [.string("role 9")])])), 400,
      "invalidValue")
  }

  @Test("A role that many hold is deleted in several commits; each holder moves once")
  func deletedRole() throws {
    let count = 3500
    let role = try client.create("/Roles", ["schemas": [.string(Self.role)], "displayName": "all"])
    try store { (transaction, organization) throws(SCIMError) in
      let users = try make(count, "User", "u", in: transaction, organization) { ["userName": .string("u\($0)")] }
      guard let type = BuiltInSchemas.registry.type(named: "Role"),
        let role = try transaction.tenant(organization).resource(id: role.id, type: type, links: .none)
      else { return }
      for user in users {
        _ = try transaction.tenantTransaction(organization).link(
          owner: user.handle, attribute: "roles", targets: [role.handle])
      }
    }
    _ = steps.take()
    expect(try client.send("DELETE /Roles/\(role.id)"), 204)
    let taken = steps.take()
    #expect(taken.count == 4)
    #expect(taken.allSatisfy { $0 <= WorkBudget.writeLimit }, "\(taken)")
    expectError(try client.send("GET /Roles/\(role.id)"), 404)
    #expect(try client.send("GET /Users?filter=roles pr&count=0").total == 0)
    for user in ["u0", "u1999", "u3499"] {
      let shown = try client.send("GET /Users/\(user)")
      #expect(shown["roles"] == nil)
      #expect(shown.version == "W/\"2\"")
    }
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("So is one in a Bulk request, and a group of very many members")
  func deletedInBulk() throws {
    let count = 9000
    try store { (transaction, organization) throws(SCIMError) in
      let users = try make(count, "User", "u", in: transaction, organization) { ["userName": .string("u\($0)")] }
      let groups = try make(2, "Group", "g", in: transaction, organization) { ["displayName": .string("g\($0)")] }
      for group in groups {
        _ = try transaction.tenantTransaction(organization).link(
          owner: group.handle, attribute: "members", targets: users.map(\.handle))
      }
    }
    _ = steps.take()
    expect(try client.send("DELETE /Groups/g0"), 204)
    #expect(steps.take().count == 2)
    let reply = try client.send(
      "POST /Bulk",
      [
        "schemas": [.string(BulkRunTests.message)],
        "Operations": [
          ["method": "PATCH", "path": "/Users/u1", "data": PatchBody.replace("title", "one")],
          ["method": "DELETE", "path": "/Groups/g1"],
          ["method": "PATCH", "path": "/Users/u1", "data": PatchBody.replace("title", "two")],
          ["method": "DELETE", "path": "/Groups/g1"],
        ],
      ])
    expect(reply, 200)
    #expect(
      reply["Operations"]?.arrayValue?.compactMap { $0["status"]?.stringValue } == ["200", "204", "200", "404"])
    let taken = steps.take()
    #expect(taken.count > 1)
    #expect(taken.allSatisfy { $0 <= WorkBudget.writeLimit }, "\(taken)")
    #expect(try client.send("GET /Users/u1")["groups"] == nil)
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("A deletion that a stop cut short goes on when it is asked to")
  func resumed() throws {
    let organization = tenant.organization.id
    try store { (transaction, organization) throws(SCIMError) in
      let users = try make(2500, "User", "u", in: transaction, organization) { ["userName": .string("u\($0)")] }
      let roles = try make(1, "Role", "r", in: transaction, organization) { _ in ["displayName": "r"] }
      for user in users {
        _ = try transaction.tenantTransaction(organization).link(
          owner: user.handle, attribute: "roles", targets: [roles[0].handle])
      }
    }
    // The first transaction of a deletion, and no more.
    let isDone = try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) -> Bool in
      guard let type = BuiltInSchemas.registry.type(named: "Role"),
        let role = try transaction.tenant(organization).resource(id: "r0", type: type, links: .none)
      else { return true }
      return try transaction.tenantTransaction(organization).delete(role, type: type)
    }
    #expect(!isDone)
    #expect(try client.send("GET /Users?filter=roles pr&count=0").total == 1500)
    #expect(try tenant.harness.store.makeCheck().run() == [])
    #expect(try resume() == 1)
    expectError(try client.send("GET /Roles/r0"), 404)
    #expect(try client.send("GET /Users?filter=roles pr&count=0").total == 0)
    #expect(try tenant.harness.store.makeCheck().run() == [])
    #expect(try resume() == 0)
  }

  /// Goes on with deletions; gives how many are done.
  private func resume() throws -> Int {
    try wait { (finish: @escaping @Sendable (Result<Int, SCIMError>) -> Void) in
      tenant.harness.store.resumeDeletions { done, failure in finish(failure.map { .failure($0) } ?? .success(done)) }
    }
  }

  private func wait<Value: Sendable>(
    _ begin: (@escaping @Sendable (Result<Value, SCIMError>) -> Void) -> Void
  ) throws -> Value {
    let done = Waiter<Value>()
    begin { done.finish($0) }
    return try done.value()
  }

  @Test("A Bulk request of heavy operations takes several commits, in order and with its references")
  func heavyBulk() throws {
    let emails = JSON.array((0..<2000).map { ["value": .string("e\($0)@a.b")] })
    var operations: [JSON] = (0..<6).map { number in
      [
        "method": "POST", "path": "/Users", "bulkId": .string("u\(number)"),
        "data": ["schemas": [.string(Self.user)], "userName": .string("u\(number)"), "emails": emails],
      ]
    }
    operations.append([
      "method": "POST", "path": "/Groups", "bulkId": "g",
      "data": [
        "schemas": [.string(Self.group)], "displayName": "g",
        "members": .array((0..<6).map { ["value": .string("bulkId:u\($0)")] }),
      ],
    ])
    operations += (0..<6).map { ["method": "DELETE", "path": .string("/Users/bulkId:u\($0)")] }
    _ = steps.take()
    let reply = try client.send(
      "POST /Bulk", ["schemas": [.string(BulkRunTests.message)], "Operations": .array(operations)])
    expect(reply, 200)
    let statuses = reply["Operations"]?.arrayValue?.compactMap { $0["status"]?.stringValue }
    #expect(statuses == Array(repeating: "201", count: 7) + Array(repeating: "204", count: 6))
    let taken = steps.take()
    #expect(taken.count >= 4)
    #expect(taken.allSatisfy { $0 <= WorkBudget.writeLimit }, "\(taken)")
    #expect(try client.send("GET /Groups?attributes=members").resources.first?["members"] == nil)
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("Ten thousand members fit into one PUT and one PATCH; the answer is read and written elsewhere")
  func manyMembers() throws {
    let count = 10_000
    try store { (transaction, organization) throws(SCIMError) in
      _ = try make(count, "User", "u", in: transaction, organization) { ["userName": .string("u\($0)")] }
    }
    let members = JSON.array((0..<count).map { ["value": .string("u\($0)")] })
    let group = try client.create("/Groups", ["schemas": [.string(Self.group)], "displayName": "g"])
    _ = steps.take()
    let put = try client.send(
      "PUT /Groups/\(group.id)", ["schemas": [.string(Self.group)], "displayName": "g", "members": members])
    expect(put, 200)
    #expect(put["members"]?.arrayValue?.count == count)
    expect(try client.send("PATCH /Groups/\(group.id)", PatchBody.make([("remove", "members", nil)])), 200)
    expect(try client.send("PATCH /Groups/\(group.id)", PatchBody.make([("add", "members", members)])), 204)
    let taken = steps.take()
    #expect(taken.count == 3)
    #expect(taken.allSatisfy { $0 <= WorkBudget.writeLimit }, "\(taken)")
  }
}

extension [String: JSON] {
  fileprivate var asBody: JSON { .object(JSONObject(map { .init(key: $0.key, value: $0.value) })) }
}
