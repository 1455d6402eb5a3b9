import SCIMCore
import Testing

/// The `type` of an element of a link says which resource its `value` can mean.
@Suite("Type of a reference")
struct MemberTypeTests {
  private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"

  private struct World {
    let tenant: Tenant
    var client: Client { tenant.client }
    let ann: String
    let team: String

    init() throws {
      tenant = try Tenant(Harness())
      ann = try tenant.client.create("/Users", ["schemas": [.string(MemberTypeTests.user)], "userName": "ann"]).id
      team = try tenant.client.create("/Groups", MemberTypeTests.body("Team", [])).id
    }
  }

  private static func body(_ name: String, _ members: [JSON]) -> JSON {
    ["schemas": [.string(group)], "displayName": .string(name), "members": .array(members)]
  }

  @Test("A strict key's member of another type than it says is refused by every verb, and nothing changes")
  func refused() throws {
    let world = try World()
    let client = try world.tenant.client(profile: .strict)
    let hall = try client.create("/Groups", Self.body("Hall", [["value": .string(world.ann)]])).id
    let before = try client.snapshot()
    for (id, type) in [(world.ann, "Group"), (world.ann, "group"), (world.team, "User"), (world.ann, "Role")] {
      let member: JSON = ["value": .string(id), "type": .string(type)]
      expectError(try client.send("POST /Groups", Self.body("New", [member])), 400, "invalidValue")
      expectError(try client.send("PUT /Groups/\(hall)", Self.body("Hall", [member])), 400, "invalidValue")
      for verb in ["add", "replace"] {
        expectError(
          try client.send("PATCH /Groups/\(hall)", PatchBody.make([(verb, "members", [member])])), 400, "invalidValue")
      }
    }
    #expect(try client.snapshot() == before)
  }

  @Test("An id is enough for others: what it names is shown with the type that it has, and is taken away")
  func taken() throws {
    let world = try World()
    let client = world.client
    let hall = try client.create(
      "/Groups",
      Self.body(
        "Hall", [["value": .string(world.ann), "type": "Group"], ["value": .string(world.team), "type": "direct"]]))
    let types = (hall["members"]?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }
    #expect(types == ["User", "Group"], "\(hall)")
    let removed = try client.send(
      "PATCH /Groups/\(hall.id)",
      PatchBody.make([("remove", "members", [["value": .string(world.ann), "type": "Group"]])]))
    expect(removed, 200, ["members": [["value": .string(world.team)]]])
    #expect(removed["members"]?.arrayValue?.count == 1)
  }

  @Test(
    "Of two that have one id, as older databases may, the type says which is meant",
    arguments: [Profile.interop, .strict])
  func two(profile: Profile) throws {
    let world = try World()
    try world.tenant.harness.execute("UPDATE resource SET id = '\(world.ann)' WHERE id = '\(world.team)'")
    let client = try world.tenant.client(profile: profile)
    func element(_ type: String) -> JSON { ["value": .string(world.ann), "type": .string(type)] }
    func types(_ reply: Reply) -> [String] {
      (reply["members"]?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }
    }
    let hall = try client.create("/Groups", Self.body("Hall", [element("group")]))
    #expect(types(hall) == ["Group"], "\(hall)")
    let both = try client.send(
      "PATCH /Groups/\(hall.id)",
      PatchBody.make([("add", "members", [element("User"), element("Group")])]))
    #expect(types(both) == ["Group", "User"], "\(both)")
    guard profile == .interop else { return }
    let left = try client.send(
      "PATCH /Groups/\(hall.id)", PatchBody.make([("remove", "members", [element("Group")])]))
    #expect(types(left) == ["User"], "\(left)")
    let put = try client.send("PUT /Groups/\(hall.id)", Self.body("Hall", [element("Group")]))
    #expect(types(put) == ["Group"], "\(put)")
  }

  @Test("A role or an entitlement of another type than it says is not meant")
  func catalogue() throws {
    let world = try World()
    let client = world.client
    _ = try client.create(
      "/ResourceTypes",
      DefinitionSamples.type("Duty", "/Duties", extensions: [], base: "urn:okta:scim:schemas:core:1.0:Role"))
    func entry(_ endpoint: String, _ schema: String, _ name: String) throws -> JSON {
      .string(try client.create(endpoint, ["schemas": [.string(schema)], "displayName": .string(name)]).id)
    }
    let role = try entry("/Roles", "urn:okta:scim:schemas:core:1.0:Role", "Clerk")
    let duty = try entry("/Duties", "urn:okta:scim:schemas:core:1.0:Role", "Clerk")
    let tall = try entry("/Characteristics", DefinitionSamples.entitlement, "Tall")
    func linked(_ attribute: String, _ value: JSON, _ type: String?) throws -> JSON? {
      var element = JSONObject()
      element["value"] = value
      if let type { element["type"] = .string(type) }
      let reply = try client.send(
        "PUT /Users/\(world.ann)",
        ["schemas": [.string(Self.user)], "userName": "ann", attribute: [.object(element)]])
      return reply[attribute]?[0]?["$ref"] == nil ? nil : reply[attribute]?[0]?["value"]
    }
    // One name of two types means neither, but for the type.
    #expect(try linked("roles", "Clerk", nil) == nil)
    #expect(try linked("roles", "Clerk", "duty") == duty)
    #expect(try linked("roles", "Clerk", "Role") == role)
    #expect(try linked("roles", role, "Duty") == nil)
    #expect(try linked("roles", role, "WindowsAzureActiveDirectoryRole") == role)
    #expect(try linked("entitlements", tall, "Role") == nil)
    #expect(try linked("entitlements", tall, "characteristic") == tall)
  }
}
