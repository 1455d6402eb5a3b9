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
