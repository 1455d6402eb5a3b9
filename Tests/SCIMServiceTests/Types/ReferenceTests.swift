import SCIMCore
import Testing

/// `manager`: its `$ref` and name are the server's, and follow from who there is.
@Suite("References")
struct ReferenceTests {
  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

  private func user(_ name: String, manager: JSON? = nil) -> JSON {
    var body = JSONObject()
    body["schemas"] = ["urn:ietf:params:scim:schemas:core:2.0:User"]
    body["userName"] = .string(name)
    if let manager { body[Self.enterprise] = ["department": "Ops", "manager": manager] }
    return .object(body)
  }

  private func manager(_ resource: JSON?) -> JSON? { resource?[Self.enterprise]?["manager"] }

  @Test("a manager who exists is shown with address and name, wherever the user is shown")
  func shown() throws {
    let client = try Tenant(Harness()).client
    let boss = try client.create("/Users", user("boss"))
    let made = try client.create(
      "/Users",
      user("ada", manager: ["value": .string(boss.id), "$ref": "http://evil.example/x", "displayName": "Somebody"]))
    let expected: JSON = [
      "value": .string(boss.id), "$ref": .string(boss["meta"]?["location"]?.stringValue ?? ""), "displayName": "boss",
    ]
    #expect(manager(made.json) == expected)
    let read = try client.send("GET /Users/\(made.id)")
    #expect(manager(read.json) == expected)
    #expect(manager(try client.send(#"GET /Users?filter=userName eq "ada""#).resources.first) == expected)
    #expect(manager(try client.send("GET /Users?attributes=\(Self.enterprise):manager").resources.last) == expected)
    let part = try client.send("GET /Users/\(made.id)?attributes=\(Self.enterprise):manager.displayName")
    #expect(manager(part.json) == ["displayName": "boss"])

    // What a GET shows is put back, and nothing changes.
    let put = try client.send("PUT /Users/\(made.id)", read.json)
    #expect(put.version == made.version && manager(put.json) == expected, "\(put)")

    let renamed = try client.send("PATCH /Users/\(boss.id)", PatchBody.replace("displayName", "The Boss"))
    #expect(renamed.status == 200)
    let after = try client.send("GET /Users/\(made.id)")
    #expect(manager(after.json)?["displayName"] == "The Boss" && after.version == made.version)
    #expect(try client.send("DELETE /Users/\(boss.id)").status == 204)
    #expect(manager(try client.send("GET /Users/\(made.id)").json) == ["value": .string(boss.id)])
  }

  @Test("one who does not exist yet has his id alone, and is no group or other organisation's user")
  func absent() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let group = try client.create(
      "/Groups", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Ops"])
    let other = try Tenant(tenant.harness, name: "other.example").client.create("/Users", user("theirs"))
    for id in ["nobody", group.id, other.id, "a\"b"] {
      let made = try client.create("/Users", user("u-\(id)", manager: ["value": .string(id), "$ref": "../x"]))
      #expect(manager(made.json) == ["value": .string(id)])
    }
    // Nothing is looked for where there is no manager, or text that looks like one.
    let plain = try client.create("/Users", user(#"x"manager":{"value":"#))
    #expect(manager(plain.json) == nil)
  }

  @Test("a path sees what is shown, and may repeat it")
  func paths() throws {
    let client = try Tenant(Harness()).client
    let boss = try client.create("/Users", user("boss"))
    let made = try client.create("/Users", user("ada", manager: .string(boss.id)))
    func patch(_ op: String, _ path: String, _ value: JSON? = nil) throws -> Reply {
      try client.send("PATCH /Users/\(made.id)", PatchBody.make([(op, path, value)]))
    }
    #expect(try patch("replace", "manager.displayName", "boss").version == made.version)
    expectError(try patch("replace", "manager.displayName", "other"), 400, "mutability")
    expectError(try patch("replace", "manager.$ref", "http://evil.example/x"), 400, "mutability")
    #expect(manager(try patch("remove", #"manager[displayName eq "somebody"]"#).json) != nil)
    #expect(manager(try patch("remove", #"manager[displayName eq "Boss" and $ref pr]"#).json) == nil)
  }

  @Test(
    "what is filled in is in no filter and no order",
    arguments: ["manager.displayName eq \"boss\"", "manager[$ref pr]", "not (manager.$ref eq \"x\")"])
  func filters(filter: String) throws {
    let client = try Tenant(Harness()).client
    expectError(try client.send("GET /Users?filter=\(filter)"), 400, "invalidFilter")
    expectError(try client.send("GET /Users?sortBy=manager.displayName"), 400, "invalidValue")
    #expect(try client.send("GET /Users?filter=manager pr").total == 0)
  }
}
