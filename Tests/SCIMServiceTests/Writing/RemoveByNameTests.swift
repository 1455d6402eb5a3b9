import SCIMCore
import Testing

/// What was assigned by name is taken away by name: in the value of a remove, and in the filter of its path.
@Suite("Removal by name")
struct RemoveByNameTests {
  private struct Catalogue {
    let client: Client
    let auditor: String
    let clerk: String
    let tall: String
    let user: String
  }

  private func catalogue() throws -> Catalogue {
    let client = try Tenant(Harness()).client
    func role(_ name: String, value: String) throws -> String {
      try client.create(
        "/Roles",
        [
          "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": .string(name),
          "urn:ietf:params:scim:schemas:core:2.0:Role": ["value": .string(value)],
        ]
      ).id
    }
    let auditor = try role("Auditor", value: "aud")
    let clerk = try role("Clerk", value: "clk")
    let tall = try client.create(
      "/Characteristics",
      ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Tall"]
    ).id
    let user = try client.create(
      "/Users",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada",
        "roles": [["value": "auditor"], ["value": "Clerk"], ["value": "Unheard"]],
        "entitlements": [["value": "Tall", "type": "Characteristic"], ["value": "Tall", "type": "Other"]],
      ])
    let held = Set((user["roles"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue })
    #expect(held == [auditor, clerk, "Unheard"], "\(user)")
    return Catalogue(client: client, auditor: auditor, clerk: clerk, tall: tall, user: user.id)
  }

  private func held(_ catalogue: Catalogue, _ attribute: String = "roles") throws -> Set<String> {
    let reply = try catalogue.client.send("GET /Users/\(catalogue.user)")
    return Set((reply[attribute]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue })
  }

  @Test(
    "takes the role away",
    arguments: [
      PatchBody.make([("remove", #"roles[value eq "Auditor"]"#, nil)]),
      PatchBody.make([("remove", #"roles[value eq "AUD"]"#, nil)]),
      PatchBody.make([("remove", #"roles[value eq "auditor" and not (value eq "Unheard")]"#, nil)]),
      PatchBody.make([("remove", "roles", [["value": "Auditor"]])]),
      PatchBody.make([("remove", "roles", "aud")]),
      PatchBody.make([("remove", "roles", [["value": "Auditor", "display": "Auditor", "type": "Role"]])]),
      PatchBody.make([("remove", "roles", [["value": "Auditor", "type": "direct"]])]),
    ])
  func role(_ body: JSON) throws {
    let catalogue = try catalogue()
    let reply = try catalogue.client.send("PATCH /Users/\(catalogue.user)", body)
    #expect(reply.status == 200, "\(reply)")
    #expect(try held(catalogue) == [catalogue.clerk, "Unheard"])
  }

  @Test("by its id and a type that is none of roles takes the role away, as an add with them assigns it")
  func typedID() throws {
    let catalogue = try catalogue()
    let element: JSON = [["value": .string(catalogue.auditor), "type": "direct"]]
    for (verb, held) in [("remove", [catalogue.clerk]), ("add", [catalogue.clerk, catalogue.auditor])] {
      let reply = try catalogue.client.send(
        "PATCH /Users/\(catalogue.user)", PatchBody.make([(verb, "roles", element)]))
      #expect(reply.status == 200, "\(reply)")
      #expect(try self.held(catalogue) == Set(held + ["Unheard"]))
    }
  }

  @Test(
    "of the others keeps the named one",
    arguments: [#"roles[not (value eq "Auditor")]"#, #"roles[value ne "Auditor"]"#])
  func others(path: String) throws {
    let catalogue = try catalogue()
    let reply = try catalogue.client.send("PATCH /Users/\(catalogue.user)", PatchBody.make([("remove", path, nil)]))
    #expect(reply.status == 200, "\(reply)")
    #expect(try held(catalogue) == [catalogue.auditor])
  }

  @Test("of several, and of what no catalogue has")
  func several() throws {
    let catalogue = try catalogue()
    let path = #"roles[value eq "clk" or value eq "unheard"]"#
    #expect(
      try catalogue.client.send("PATCH /Users/\(catalogue.user)", PatchBody.make([("remove", path, nil)])).status == 200
    )
    #expect(try held(catalogue) == [catalogue.auditor])
  }

  @Test("of an entitlement heeds its type")
  func entitlement() throws {
    let catalogue = try catalogue()
    func remove(_ path: String) throws {
      let reply = try catalogue.client.send("PATCH /Users/\(catalogue.user)", PatchBody.make([("remove", path, nil)]))
      #expect(reply.status == 200, "\(reply)")
    }
    try remove(#"entitlements[type eq "Other" and value eq "Tall"]"#)
    #expect(try held(catalogue, "entitlements") == [catalogue.tall])
    try remove(#"entitlements[type eq "characteristic" and value eq "tall"]"#)
    #expect(try held(catalogue, "entitlements") == [])
  }

  @Test("adds to nothing and takes nothing from others")
  func nobody() throws {
    let catalogue = try catalogue()
    let path = #"roles[value eq "No such role"]"#
    let before = try catalogue.client.send("GET /Users/\(catalogue.user)")
    let reply = try catalogue.client.send("PATCH /Users/\(catalogue.user)", PatchBody.make([("remove", path, nil)]))
    #expect(reply.status == 200)
    #expect(reply.version == before.version)
  }
}
