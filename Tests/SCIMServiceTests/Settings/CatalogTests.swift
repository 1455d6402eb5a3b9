import SCIMCore
import Testing

/// Closed catalogues, limited assignments, and what becomes of assignments when the catalogue moves.
@Suite("Catalogues")
struct CatalogTests {
  private static let userURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let assignments = "urn:ietf:params:scim:schemas:core:2.0:Role"

  private func role(_ client: Client, _ name: String, _ settings: JSON? = nil) throws -> Reply {
    var body: JSONObject = JSONObject()
    body["schemas"] = ["urn:okta:scim:schemas:core:1.0:Role"]
    body["displayName"] = .string(name)
    if let settings { body[Self.assignments] = settings }
    return try client.create("/Roles", .object(body))
  }

  private func user(_ name: String, _ roles: [String]) -> JSON {
    [
      "schemas": [Self.userURN], "userName": .string(name),
      "roles": .array(roles.map { ["value": .string($0)] }),
    ]
  }

  @Test("Closed: what is not in it is refused by name, and nothing changes", arguments: ["roles", "entitlements"])
  func closed(_ attribute: String) throws {
    let client = try Tenant(Harness(), catalog: .closed).client
    let clerk = try role(client, "Clerk")
    let made = try client.create("/Users", user("ann", [clerk.id]))
    let before = try client.snapshot()
    let body: JSON = [
      "schemas": [Self.userURN], "userName": "bob", attribute: [["value": "Unheard"]],
    ]
    let replies = [
      try client.send("POST /Users", body), try client.send("PUT /Users/\(made.id)", body),
      try client.send("PATCH /Users/\(made.id)", PatchBody.make([("add", attribute, [["value": "Unheard"]])])),
      try client.send("PATCH /Users/\(made.id)", PatchBody.make([("replace", attribute, [["value": "Unheard"]])])),
      try client.send("PATCH /Users/\(made.id)", PatchBody.make([("add", nil, [attribute: [["value": "Unheard"]]])])),
      try client.send(
        "PATCH /Users/\(made.id)",
        PatchBody.make([("replace", "title", "Dr"), ("add", attribute, [["value": "Unheard"]])])),
    ]
    for reply in replies {
      expectError(reply, 400, "invalidValue")
      #expect(reply["detail"]?.stringValue?.contains("Unheard") == true)
    }
    #expect(try client.snapshot() == before)
    // By id and by name alike.
    for value in [clerk.id, "clerk"] {
      let reply = try client.send(
        "PATCH /Users/\(made.id)", PatchBody.make([("replace", "roles", [["value": .string(value)]])]))
      #expect(reply["roles"]?.arrayValue?.map { $0["value"] } == [.string(clerk.id)], "\(reply)")
    }
  }

  @Test("A name that two have matches neither")
  func ambiguous() throws {
    let client = try Tenant(Harness(), catalog: .closed).client
    for _ in 0..<3 {
      _ = try client.create(
        "/Characteristics",
        ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Twice"])
    }
    let reply = try client.send(
      "POST /Users", ["schemas": [Self.userURN], "userName": "ann", "entitlements": [["value": "Twice"]]])
    expectError(reply, 400, "invalidValue")
    let detail = "'entitlements': 3 entries of this organisation's catalogue are called 'Twice'; name one by its id."
    #expect(reply["detail"]?.stringValue == detail)
  }

  @Test("Closed: a type that there is not is told as such")
  func type() throws {
    let client = try Tenant(Harness(), catalog: .closed).client
    _ = try client.create(
      "/Characteristics", ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Tall"])
    for (type, end) in [
      ("Characteristics", "; did you mean 'Characteristic'?"), ("Zebra", "; the types are Characteristic."),
    ] {
      let reply = try client.send(
        "POST /Users",
        [
          "schemas": [Self.userURN], "userName": "ann",
          "entitlements": [["value": "Tall", "type": .string(type)]],
        ])
      expectError(reply, 400, "invalidValue")
      #expect(reply["detail"]?.stringValue == "'entitlements': there is no type '\(type)'\(end)")
    }
  }

  @Test("One place: taken, refused, free again when its user lets go or goes")
  func limit() throws {
    let client = try Tenant(Harness()).client
    let clerk = try role(client, "Clerk", ["limitedAssignmentsPermitted": true, "totalAssignmentsPermitted": 1])
    func used() throws -> JSON? { try client.send("GET /Roles/\(clerk.id)")[Self.assignments]?["totalAssignmentsUsed"] }
    #expect(try used() == 0)
    let ann = try client.create("/Users", user("ann", [clerk.id]))
    #expect(try used() == 1)
    let before = try client.snapshot()
    let bob = user("bob", [clerk.id])
    expectError(try client.send("POST /Users", bob), 400, "invalidValue")
    #expect(try client.snapshot() == before)
    // The one who holds it may say so again.
    expect(try client.send("PUT /Users/\(ann.id)", user("ann", [clerk.id])), 200)
    expect(
      try client.send("PATCH /Users/\(ann.id)", PatchBody.make([("add", "roles", [["value": .string(clerk.id)]])])), 200
    )
    expect(try client.send("PATCH /Users/\(ann.id)", PatchBody.make([("remove", "roles", nil)])), 200)
    #expect(try used() == 0)
    let second = try client.create("/Users", bob)
    expectError(
      try client.send("PATCH /Users/\(ann.id)", PatchBody.make([("add", "roles", [["value": .string(clerk.id)]])])),
      400,
      "invalidValue")
    #expect(try client.send("DELETE /Users/\(second.id)").status == 204)
    #expect(try used() == 0)
    expect(
      try client.send("PATCH /Users/\(ann.id)", PatchBody.make([("add", "roles", [["value": .string(clerk.id)]])])), 200
    )
  }

  @Test("supported false: no new assignments, the old ones stay")
  func unsupported() throws {
    let client = try Tenant(Harness()).client
    let clerk = try role(client, "Clerk", ["supported": true])
    let ann = try client.create("/Users", user("ann", [clerk.id]))
    expect(
      try client.send("PATCH /Roles/\(clerk.id)", PatchBody.replace("\(Self.assignments):supported", false)), 200)
    expectError(try client.send("POST /Users", user("bob", [clerk.id])), 400, "invalidValue")
    let kept = try client.send("PUT /Users/\(ann.id)", user("ann", [clerk.id]))
    expect(kept, 200, ["roles": [["value": .string(clerk.id)]]])
  }

  @Test("A renamed role shows at once and moves no user's version; a deleted one is gone from every user")
  func renaming() throws {
    let client = try Tenant(Harness()).client
    let clerk = try role(client, "Clerk")
    let keeper = try role(client, "Keeper")
    let ann = try client.create("/Users", user("ann", [clerk.id, keeper.id]))
    expect(try client.send("PATCH /Roles/\(clerk.id)", PatchBody.replace("displayName", "Scribe")), 200)
    let renamed = try client.send("GET /Users/\(ann.id)")
    #expect(
      renamed["roles"]?.arrayValue?.compactMap { $0["display"]?.stringValue } == ["Scribe", "Keeper"], "\(renamed)")
    #expect(renamed.version == ann.version)
    #expect(try client.send("GET /Users?filter=roles.display eq \"scribe\"").ids == [ann.id])
    #expect(try client.send("DELETE /Roles/\(clerk.id)").status == 204)
    let after = try client.send("GET /Users/\(ann.id)")
    #expect(after["roles"]?.arrayValue?.compactMap { $0["display"]?.stringValue } == ["Keeper"], "\(after)")
    #expect(try client.send("GET /Users?filter=roles.value eq \"\(clerk.id)\"").total == 0)
  }
}
