import SCIMCore
import Testing

/// Which of several faults a client hears of: what can be told without the resource comes first.
@Suite("Order of refusals")
struct RefusalOrderTests {
  @Test(
    "a PATCH that no resource could take is 400 before it is 404 or 412",
    arguments: [
      ("nothing", "x", "invalidPath"), ("emails[nothing eq 1]", "x", "invalidFilter"),
      ("active", "maybe", "invalidValue"),
    ] as [(String, JSON, String)])
  func patch(path: String, value: JSON, scimType: String) throws {
    let client = try Tenant(Harness()).client
    let made = try client.create(
      "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada"])
    let body = PatchBody.make([("replace", path, value)])
    expectError(try client.send("PATCH /Users/no-such-user", body), 400, scimType)
    expectError(
      try client.send("PATCH /Users/\(made.id)", body, headers: [("If-Match", "W/\"77\"")]), 400, scimType)
    let sound = PatchBody.make([("replace", "title", "x")])
    expectError(try client.send("PATCH /Users/no-such-user", sound), 404)
    expectError(try client.send("PATCH /Users/\(made.id)", sound, headers: [("If-Match", "W/\"77\"")]), 412)
  }

  @Test("so is one inside a Bulk request, which names the resource all the same (RFC 7644 section 3.7.3)")
  func bulk() throws {
    let client = try Tenant(Harness()).client
    let made = try client.create(
      "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada"])
    let reply = try client.send(
      "POST /Bulk",
      [
        "Operations": [
          ["method": "PATCH", "path": "/Users/none", "data": PatchBody.make([("replace", "nothing", "x")])],
          ["method": "PUT", "path": .string("/Users/\(made.id)"), "data": ["userName": 7]],
          ["method": "PATCH", "path": .string("/Users/\(made.id)")],
          ["method": "POST", "path": "/Users", "bulkId": "a", "data": ["userName": 7]],
        ]
      ])
    let operations = reply["Operations"]?.arrayValue ?? []
    #expect(operations.map { $0["status"] } == ["400", "400", "400", "400"], "\(reply)")
    let places = operations.map { $0["location"]?.stringValue?.split(separator: "/").suffix(2).joined(separator: "/") }
    #expect(places == ["Users/none", "Users/\(made.id)", "Users/\(made.id)", nil], "\(reply)")
  }
}
