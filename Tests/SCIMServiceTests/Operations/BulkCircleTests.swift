import SCIMCore
import Testing

/// Creations of one Bulk request that refer to each other in a circle.
@Suite("Circles in Bulk")
struct BulkCircleTests {
  private static let roleURN = "urn:ietf:params:scim:schemas:core:2.0:Role"
  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

  private func role(_ bulkID: String, _ name: String, contains: [String] = [], containedBy: [String] = []) -> JSON {
    func words(_ list: [String]) -> JSON { .array(list.map { .string("bulkId:\($0)") }) }
    return post(
      "/Roles", bulkID,
      [
        "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": .string(name),
        Self.roleURN: ["contains": words(contains), "containedBy": words(containedBy)],
      ])
  }

  private func user(_ bulkID: String, _ name: String, manager: String) -> JSON {
    post(
      "/Users", bulkID,
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string(name),
        Self.enterprise: ["manager": ["value": .string("bulkId:\(manager)")]],
      ])
  }

  private func post(_ path: String, _ bulkID: String, _ data: JSON) -> JSON {
    ["method": "POST", "path": .string(path), "bulkId": .string(bulkID), "data": data]
  }

  private func statuses(_ client: Client, _ operations: [JSON]) throws -> [String] {
    let reply = try client.send(
      "POST /Bulk", ["schemas": [.string(BulkRunTests.message)], "Operations": .array(operations)])
    return (reply["Operations"]?.arrayValue ?? []).compactMap { $0["status"]?.stringValue }
  }

  @Test("One that fails leaves no reference to it: all of the circle fail")
  func failing() throws {
    let client = try Tenant(Harness()).client
    _ = try client.create("/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Taken"])
    _ = try client.create("/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "taken"])
    let before = try client.snapshot()
    #expect(
      try statuses(client, [role("a", "Taken", contains: ["b"]), role("b", "B", containedBy: ["a"])])
        == ["409", "409"])
    #expect(
      try statuses(client, [role("a", "A", containedBy: ["b"]), role("b", "Taken", contains: ["a"])])
        == ["409", "409"])
    #expect(try statuses(client, [user("a", "taken", manager: "b"), user("b", "b", manager: "a")]) == ["409", "409"])
    // The circle goes through three, and something outside refers to it.
    #expect(
      try statuses(
        client,
        [
          user("a", "a", manager: "b"), user("b", "b", manager: "c"), user("c", "taken", manager: "a"),
          user("d", "d", manager: "b"), user("e", "e", manager: "f"), user("f", "f", manager: "e"),
        ]) == ["409", "409", "409", "409", "201", "201"])
    let names = try client.send("GET /Users").resources.compactMap { $0["userName"]?.stringValue }
    #expect(names.sorted() == ["e", "f", "taken"])
    for user in try client.send("GET /Users?filter=userName ne \"taken\"").ids {
      #expect(try client.send("DELETE /Users/\(user)").status == 204)
    }
    #expect(try client.snapshot() == before)
  }

  private func group(_ bulkID: String, members: [String]) -> JSON {
    post(
      "/Groups", bulkID,
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": .string(bulkID),
        "members": .array(members.map { ["value": .string($0)] }),
      ])
  }

  private func change(_ method: String, _ id: String, _ data: JSON) -> JSON {
    ["method": .string(method), "path": .string("/Groups/\(id)"), "data": data]
  }

  @Test("A group or a role that bulkIds would make a part of itself is 409, and whatever else goes on")
  func ofItself() throws {
    let client = try Tenant(Harness()).client
    func adding(_ member: String) -> JSON { PatchBody.make([("add", "members", [["value": .string(member)]])]) }
    func put(_ name: String, _ member: String) -> JSON {
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": .string(name),
        "members": [["value": .string(member)]],
      ]
    }
    let typed: JSON = post(
      "/Groups", "t",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "t",
        "members": [["value": "bulkId:t", "type": "Group"]],
      ])
    let rows: [(name: String, operations: [JSON], statuses: [String])] = [
      ("itself", [group("a", members: ["bulkId:a"]), group("b", members: [])], ["409", "201"]),
      (
        "itself and another", [group("c", members: ["bulkId:d", "bulkId:c"]), group("d", members: [])], ["409", "201"]
      ),
      ("itself by type", [typed], ["409"]),
      ("each other", [group("e", members: ["bulkId:f"]), group("f", members: ["bulkId:e"])], ["409", "409"]),
      (
        "each other, turned round", [group("f", members: ["bulkId:e"]), group("e", members: ["bulkId:f"])],
        ["409", "409"]
      ),
      (
        "PATCH adds itself", [group("g", members: []), change("PATCH", "bulkId:g", adding("bulkId:g"))], ["201", "409"]
      ),
      ("PUT has itself", [group("h", members: []), change("PUT", "bulkId:h", put("h", "bulkId:h"))], ["201", "409"]),
      (
        "PATCH closes a circle",
        [
          group("i", members: ["bulkId:j"]), group("j", members: []), change("PATCH", "bulkId:j", adding("bulkId:i")),
        ], ["201", "201", "409"]
      ),
      ("roles", [role("k", "K", contains: ["k"]), role("l", "L", containedBy: ["l"])], ["409", "409"]),
      ("no circle", [group("m", members: ["nobody"]), group("n", members: ["bulkId:d", "nobody"])], ["400", "400"]),
      ("another that does not exist", [group("o", members: ["nobody"]), group("p", members: [])], ["400", "201"]),
    ]
    for row in rows {
      #expect(try statuses(client, row.operations) == row.statuses, "\(row.name)")
    }
    let names = try client.send("GET /Groups?sortBy=displayName").resources.compactMap {
      $0["displayName"]?.stringValue
    }
    #expect(names == ["b", "d", "g", "h", "i", "j", "p"])
    // Without bulkIds it is a value that is not taken.
    let one = try client.create(
      "/Groups", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "one"])
    expectError(try client.send("PATCH /Groups/\(one.id)", adding(one.id)), 400, "invalidValue")
    expectError(try client.send("PUT /Groups/\(one.id)", put("one", one.id)), 400, "invalidValue")
    #expect(try statuses(client, [change("PATCH", one.id, adding(one.id))]) == ["400"])
    #expect(try client.send("GET /Groups/\(one.id)")["members"] == nil)
    #expect(try client.harness?.store.makeCheck().run() == [])
  }

  @Test("One that can be made is made, whatever else hangs on it")
  func made() throws {
    let client = try Tenant(Harness()).client
    let operations = [
      user("a", "a", manager: "b"), user("b", "b", manager: "c"), user("c", "c", manager: "b"),
      user("d", "d", manager: "d"), role("r", "R", contains: ["s"]), role("s", "S", containedBy: ["r"]),
    ]
    #expect(try statuses(client, operations) == ["201", "201", "201", "201", "201", "201"])
    let users = try client.send("GET /Users").resources
    var ids: [JSON: JSON] = [:]
    for user in users { ids[user["userName"] ?? .null] = user["id"] }
    for (name, manager) in [("a", "b"), ("b", "c"), ("c", "b"), ("d", "d")] {
      let user = users.first { $0["userName"] == .string(name) }
      #expect(user?[Self.enterprise]?["manager"]?["value"] == ids[.string(manager)], "\(name)")
    }
  }

  @Test("A circle as long as a request is made")
  func long() throws {
    let client = try Tenant(Harness()).client
    let count = 400
    let operations = (0..<count).map { user("u\($0)", "u\($0)", manager: "u\(($0 + 1) % count)") }
    #expect(Set(try statuses(client, operations)) == ["201"])
    #expect(try client.send("GET /Users?count=0").total == Int64(count))
  }
}
