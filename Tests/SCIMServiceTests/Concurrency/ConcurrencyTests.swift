import SCIMCore
import Testing

/// Many clients at the same time: each answer is true, and the end is what the answers say. Over a socket, on two loops'
/// worth of threads, so that requests meet in the server as they do in life.
@Suite("At the same time")
struct ConcurrencyTests {
  private static let userURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let groupURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:Group"

  /// A server and a client with an admin key of an organisation on it.
  private static func serving(_ body: (Client) throws -> Void) throws {
    let harness = try Harness()
    let organization = try harness.organization("acme.example")
    let key = try harness.key(of: organization)
    let server = try harness.serve()
    defer { server.stop() }
    try body(Client(wire: SocketWire(port: server.port), key: key))
  }

  private static func user(_ name: String) -> JSON { ["schemas": [userURN], "userName": .string(name)] }

  private static func users(_ count: Int, _ client: Client) throws -> [String] {
    try Parallel.map(count) { try client.create("/Users", user("user\($0)")).id }
  }

  @Test("20 pairs of PATCHes with one If-Match: one wins, the other's value is nowhere")
  func pairs() throws {
    try Self.serving { client in
      let made = try client.create("/Users", Self.user("ann"))
      var version = made.version
      for round in 0..<20 {
        let tag = version
        let replies = try Parallel.map(2, threads: 2) { side in
          try client.send(
            "PATCH /Users/\(made.id)", PatchBody.replace("title", .string("\(round)-\(side)")),
            headers: [("If-Match", tag)])
        }
        #expect(replies.map(\.status).sorted() == [200, 412], "\(replies)")
        let winner = try #require(replies.firstIndex { $0.status == 200 })
        let now = try client.send("GET /Users/\(made.id)")
        #expect(now["title"] == .string("\(round)-\(winner)"))
        #expect(now.version == replies[winner].version)
        version = now.version
      }
    }
  }

  @Test("PATCHes that each add or remove one member of one group: the members are what the answers say")
  func members() throws {
    try Self.serving { client in
      let ids = try Self.users(60, client)
      let group = try client.create(
        "/Groups",
        [
          "schemas": [Self.groupURN], "displayName": "All",
          "members": .array(ids.prefix(20).map { ["value": .string($0)] }),
        ])
      // The first 20 go, the last 40 come.
      let replies = try Parallel.map(60) { index in
        let operation: (op: String, path: String?, value: JSON?) =
          index < 20
          ? ("remove", "members[value eq \"\(ids[index])\"]", nil)
          : ("add", "members", [["value": .string(ids[index])]])
        return try client.send("PATCH /Groups/\(group.id)", PatchBody.make([operation]))
      }
      #expect(replies.allSatisfy { $0.status == 200 })
      let after = try client.send("GET /Groups/\(group.id)")
      let members = after["members"]?.arrayValue?.compactMap { $0["value"]?.stringValue } ?? []
      #expect(members.count == 40 && Set(members) == Set(ids[20...]))
      // Each of the changes is a version, and none is two.
      #expect(Set(replies.map(\.version)).count == 60)
      #expect(try client.send("GET /Users?filter=groups.value eq \"\(group.id)\"&count=0").total == 40)
    }
  }

  @Test("50 creates of one userName: one is made, 49 are 409")
  func names() throws {
    try Self.serving { client in
      let replies = try Parallel.map(50) { index in
        try client.send("POST /Users", Self.user(index.isMultiple(of: 2) ? "ann@acme.example" : "ANN@ACME.example"))
      }
      #expect(replies.filter { $0.status == 201 }.count == 1)
      for reply in replies where reply.status != 201 { expectError(reply, 409, "uniqueness") }
      let list = try client.send("GET /Users")
      #expect(list.total == 1)
      #expect(list.ids == replies.filter { $0.status == 201 }.map(\.id))
    }
  }

  @Test("10 places, 40 users at once: exactly 10 hold the role")
  func places() throws {
    try Self.serving { client in
      let settings = "urn:ietf:params:scim:schemas:core:2.0:Role"
      let role = try client.create(
        "/Roles",
        [
          "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk",
          settings: ["limitedAssignmentsPermitted": true, "totalAssignmentsPermitted": 10],
        ])
      let ids = try Self.users(20, client)
      let replies = try Parallel.map(40) { index in
        let roles: JSON = [["value": .string(role.id)]]
        if index < 20 {
          return try client.send("PATCH /Users/\(ids[index])", PatchBody.make([("add", "roles", roles)]))
        }
        return try client.send(
          "POST /Users", ["schemas": [Self.userURN], "userName": .string("late\(index)"), "roles": roles])
      }
      let taken = replies.filter { $0.status < 300 }
      #expect(taken.count == 10)
      for reply in replies where reply.status >= 300 { expectError(reply, 400, "invalidValue") }
      let holders = try client.send("GET /Users?filter=roles.value eq \"\(role.id)\"")
      #expect(Set(holders.ids) == Set(taken.map(\.id)) && holders.total == 10)
      #expect(try client.send("GET /Roles/\(role.id)")[settings]?["totalAssignmentsUsed"] == 10)
      // No user was half made.
      #expect(try client.send("GET /Users?count=0").total == 20 + Int64(taken.filter { $0.status == 201 }.count))
    }
  }

  @Test("A role and users deleted while they are assigned and joined: nothing refers to them afterwards")
  func deletions() throws {
    try Self.serving { client in
      let role = try client.create(
        "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk"])
      let ids = try Self.users(20, client)
      let group = try client.create("/Groups", ["schemas": [Self.groupURN], "displayName": "All"])
      let replies = try Parallel.map(41) { index in
        if index == 20 { return try client.send("DELETE /Roles/\(role.id)") }
        if index < 20 {
          let roles: JSON = [["value": .string(role.id)]]
          return try client.send("PATCH /Users/\(ids[index])", PatchBody.make([("add", "roles", roles)]))
        }
        let id = ids[(index - 21) / 2]
        if index.isMultiple(of: 2) { return try client.send("DELETE /Users/\(id)") }
        return try client.send(
          "PATCH /Groups/\(group.id)", PatchBody.make([("add", "members", [["value": .string(id)]])]))
      }
      for reply in replies { #expect([200, 204, 400, 404].contains(reply.status), "\(reply)") }
      for user in try client.send("GET /Users").resources {
        #expect(user["roles"]?.arrayValue?.allSatisfy { $0["$ref"] == nil } ?? true, "\(user)")
      }
      let left = Set(try client.send("GET /Users").ids)
      let members = try client.send("GET /Groups/\(group.id)")["members"]?.arrayValue ?? []
      #expect(left.count == 10)
      #expect(members.allSatisfy { left.contains($0["value"]?.stringValue ?? "") })
    }
  }

  @Test("A cursor walk while others delete what was read: each who stays exactly once")
  func walk() throws {
    try Self.serving { client in
      let ids = try Self.users(40, client)
      var seen: [String] = []
      var cursor: String? = ""
      var deleted: Set<String> = []
      while let text = cursor, seen.count < 100 {
        let page = try client.send("GET /Users?cursor=\(text)&count=10")
        #expect(page.status == 200, "\(page)")
        seen += page.ids
        let going = Array(page.ids.prefix(5))
        let replies = try Parallel.map(going.count, threads: 4) { try client.send("DELETE /Users/\(going[$0])") }
        #expect(replies.allSatisfy { $0.status == 204 })
        deleted.formUnion(going)
        cursor = page["nextCursor"]?.stringValue
      }
      #expect(seen.count == 40 && Set(seen) == Set(ids))
      #expect(Set(try client.send("GET /Users").ids) == Set(ids).subtracting(deleted))
    }
  }

  @Test("Two organisations writing the same at once do not meet")
  func organizations() throws {
    let harness = try Harness()
    let server = try harness.serve()
    defer { server.stop() }
    let clients = try ["a.example", "b.example"].map { name in
      Client(wire: SocketWire(port: server.port), key: try harness.key(of: harness.organization(name)))
    }
    let replies = try Parallel.map(40) { index in
      try clients[index % 2].send("POST /Users", Self.user("user\(index / 2)"))
    }
    #expect(replies.allSatisfy { $0.status == 201 })
    for (side, client) in clients.enumerated() {
      let list = try client.send("GET /Users")
      #expect(list.total == 20)
      #expect(Set(list.ids) == Set(replies.enumerated().filter { $0.offset % 2 == side }.map(\.element.id)))
    }
  }
}
