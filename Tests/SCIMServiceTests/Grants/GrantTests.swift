import SCIMCore
import SCIMService
import Testing

/// Groups that grant: what members show, and how it follows each change.
@Suite("Groups that grant")
struct GrantTests {
  private static let urn = GroupGrants.urn

  @Test("Own ones first, then those of the groups above, each once; an own one wins")
  func order() throws {
    let rig = try GrantTenant(Harness())
    try rig.grant([rig.chief, rig.clerk], by: rig.team)
    try rig.grant([rig.clerk], by: rig.all)
    #expect(try rig.roles(of: rig.ann) == ["+" + rig.chief, "+" + rig.clerk])
    #expect(try rig.roles(of: rig.bob) == [rig.clerk, "+" + rig.chief])
    #expect(try rig.roles(of: rig.cid) == [])
    let page = try rig.client.send("GET /Users")
    #expect(page.resources.count == 3)
    for resource in page.resources {
      let read = try rig.client.send("GET /Users/\(resource["id"]?.stringValue ?? "")")
      #expect(read["roles"] == resource["roles"])
    }
  }

  @Test("Each change of grants, members and roles is seen at once; only what is stored moves a version")
  func follows() throws {
    let rig = try GrantTenant(Harness())
    let client = rig.client
    func version(_ reply: Reply, _ endpoint: String = "/Users") throws -> String {
      try client.send("GET \(endpoint)/\(reply.id)").version
    }
    let before = try version(rig.ann)
    let group = try version(rig.team, "/Groups")
    try rig.grant([rig.clerk], by: rig.team)
    #expect(try rig.roles(of: rig.ann) == ["+" + rig.clerk])
    #expect(try version(rig.team, "/Groups") != group)
    try rig.grant([rig.chief], by: rig.all)
    #expect(try rig.roles(of: rig.ann) == ["+" + rig.clerk, "+" + rig.chief])
    // The group that holds hers leaves the one that grants.
    expect(try client.send("PATCH /Groups/\(rig.all.id)", PatchBody.make([("remove", "members", nil)])), 200)
    #expect(try rig.roles(of: rig.ann) == ["+" + rig.clerk])
    let granting = try version(rig.team, "/Groups")
    expect(try client.send("DELETE /Roles/\(rig.clerk)"), 204)
    #expect(try rig.roles(of: rig.ann) == [])
    #expect(try version(rig.team, "/Groups") != granting)
    #expect(try client.send("GET /Groups/\(rig.team.id)")[Self.urn] == nil)
    #expect(try version(rig.ann) == before)
    // As for groups of a user, the version that a client holds is still the present one.
    let held = try client.send("GET /Users/\(rig.ann.id)", headers: [("If-None-Match", before)])
    #expect(held.status == 304)
  }

  @Test(
    "Writes of users leave what is inherited alone",
    arguments: [
      // What is sent, and what Bob and Ann have then; c is Clerk, which Bob has himself, h Chief, which Team grants.
      ("PUT", #"[{"value": "c"}, {"value": "h", "inherited": true}]"#, "c +h", "c +h"),
      ("PUT", #"[{"value": "h", "inherited": "True"}]"#, "+h", "+h"),
      ("PUT", #"[{"value": "h"}]"#, "h", "h"),
      ("PUT", "[]", "+h", "+h"),
      ("add roles", #"[{"value": "h", "type": "Role", "inherited": true}]"#, "c +h", "+h"),
      ("add roles", #"[{"value": "h"}]"#, "c h", "h"),
      ("add roles", #"[{"value": "Chief"}]"#, "c h", "h"),
      ("replace roles", #"[{"value": "h", "inherited": true}, {"value": "c"}]"#, "c +h", "c +h"),
      ("replace roles", "[]", "+h", "+h"),
      ("remove roles", "", "+h", "+h"),
      (#"remove roles[value eq "h"]"#, "", "c +h", "+h"),
      ("remove roles[inherited eq true]", "", "c +h", "+h"),
      (#"remove roles"#, #"[{"value": "h"}]"#, "c +h", "+h"),
      ("remove roles", #"[{"value": "h", "inherited": true}]"#, "c +h", "+h"),
      ("remove roles", #"{"value": "h", "inherited": "True"}"#, "c +h", "+h"),
      ("remove roles", #"[{"value": "c", "inherited": true}, {"value": "h", "inherited": false}]"#, "c +h", "+h"),
      (#"replace roles[primary eq "True"].value"#, #""h""#, "c h", "h"),
      (#"add roles[value eq "h"].primary"#, "true", "noTarget", "noTarget"),
      ("replace roles[inherited eq true].display", #""x""#, "noTarget", "noTarget"),
      (#"replace roles[value eq "h"].inherited"#, "true", "mutability", "mutability"),
    ])
  func writes(_ request: String, _ sent: String, _ bob: String, _ ann: String) throws {
    let rig = try GrantTenant(Harness())
    try rig.grant([rig.chief], by: rig.team)
    func named(_ text: String) -> String {
      text.replacing(#""c""#, with: #""\#(rig.clerk)""#).replacing(#""h""#, with: #""\#(rig.chief)""#)
    }
    let value: JSON? = sent.isEmpty ? .none : try JSON(parsing: Array(named(sent).utf8))
    for (user, name, expected) in [(rig.bob, "bob", bob), (rig.ann, "ann", ann)] {
      let reply: Reply
      if request == "PUT" {
        let body = GrantTenant.user(name, value?.arrayValue ?? [])
        reply = try rig.client.send("PUT /Users/\(user.id)", body)
      } else {
        let parts = named(request).split(separator: " ", maxSplits: 1).map(String.init)
        reply = try rig.client.send("PATCH /Users/\(user.id)", PatchBody.make([(parts[0], parts[1], value)]))
      }
      if reply.status == 200 {
        let roles = GrantTenant.roles(in: reply).map {
          $0.replacing(rig.clerk, with: "c").replacing(rig.chief, with: "h")
        }
        #expect(roles.joined(separator: " ") == expected, "\(request) \(sent)")
        #expect(try rig.roles(of: user) == GrantTenant.roles(in: reply))
        // Nothing of an inherited one was stored.
        expect(try rig.client.send("PATCH /Groups/\(rig.team.id)", PatchBody.make([("remove", Self.urn, nil)])), 200)
        #expect(
          try rig.roles(of: user)
            == GrantTenant.roles(in: reply).filter { !$0.hasPrefix("+") }, "\(request) \(sent)")
        try rig.grant([rig.chief], by: rig.team)
      } else {
        expectError(reply, 400, expected)
      }
    }
  }

  @Test("A write that repeats inherited elements changes nothing", arguments: [Profile.interop, .entra, .strict])
  func echo(_ profile: Profile) throws {
    let rig = try GrantTenant(Harness(), profile: profile)
    try rig.grant([rig.chief], by: rig.team)
    for user in [rig.ann, rig.bob] {
      let shown = try rig.client.send("GET /Users/\(user.id)")
      var body = try #require(shown.json?.objectValue)
      body["groups"] = nil
      let reply = try rig.client.send("PUT /Users/\(user.id)", .object(body))
      expect(reply, 200, shown.json)
    }
  }

  @Test("Grants have the integrity of assignments")
  func integrity() throws {
    let rig = try GrantTenant(Harness(), catalog: .closed)
    let client = rig.client
    let path = "\(Self.urn):roles"
    let before = try client.snapshot()
    for (operation, value) in [("add", "Unheard"), ("replace", "Unheard")] {
      let reply = try client.send(
        "PATCH /Groups/\(rig.team.id)", PatchBody.make([(operation, path, [["value": .string(value)]])]))
      expectError(reply, 400, "invalidValue")
      #expect(reply["detail"]?.stringValue?.contains("Unheard") == true)
    }
    expectError(
      try client.send("POST /Groups", GrantTenant.group("New", roles: [["value": "Unheard"]])), 400, "invalidValue")
    #expect(try client.snapshot() == before)
    // The same one in two ways is one.
    let twice = try client.send(
      "PATCH /Groups/\(rig.team.id)",
      PatchBody.make([
        ("add", path, [["value": .string(rig.clerk)], ["value": "clerk"]]), ("add", path, ["value": "Clerk"]),
      ]))
    #expect(twice[Self.urn]?["roles"]?.arrayValue?.count == 1, "\(twice)")
    let extensionURN = "urn:ietf:params:scim:schemas:core:2.0:Role"
    // One assignment and one grant: both count, members do not.
    let limit = try client.send(
      "PATCH /Roles/\(rig.clerk)",
      PatchBody.make([
        ("add", "\(extensionURN):limitedAssignmentsPermitted", true),
        ("add", "\(extensionURN):totalAssignmentsPermitted", 2),
      ]))
    expect(limit, 200, [extensionURN: ["totalAssignmentsUsed": 2]])
    let full = try client.send(
      "PATCH /Groups/\(rig.all.id)", PatchBody.make([("add", path, [["value": .string(rig.clerk)]])]))
    expectError(full, 400, "invalidValue")
    let stop = try client.send(
      "PATCH /Roles/\(rig.chief)", PatchBody.make([("add", "\(extensionURN):supported", false)]))
    expect(stop, 200)
    let unsupported = try client.send(
      "PATCH /Groups/\(rig.all.id)", PatchBody.make([("add", path, [["value": .string(rig.chief)]])]))
    expectError(unsupported, 400, "invalidValue")
    // Another member does not count.
    expect(
      try client.send(
        "PATCH /Groups/\(rig.team.id)", PatchBody.make([("add", "members", [["value": .string(rig.cid.id)]])])), 200)
    #expect(try rig.roles(of: rig.cid) == ["+" + rig.clerk])
  }

  @Test("In an open catalogue what matches nothing stays with the group and is nobody's")
  func unmatched() throws {
    let rig = try GrantTenant(Harness())
    let reply = try rig.grant(["Unheard", rig.clerk], by: rig.team)
    #expect(reply[Self.urn]?["roles"]?.arrayValue?.map { $0["value"] } == [.string(rig.clerk), "Unheard"], "\(reply)")
    #expect(try rig.roles(of: rig.ann) == ["+" + rig.clerk])
    #expect(try rig.client.send("GET /Users?filter=roles.value eq \"unheard\"").total == 0)
    #expect(try rig.client.send("GET /Groups?filter=\(Self.urn):roles.value eq \"unheard\"").total == 1)
    // The document keeps only what is its own.
    let removed = try rig.client.send(
      "PATCH /Groups/\(rig.team.id)", PatchBody.make([("remove", #"\#(Self.urn):roles[value eq "Unheard"]"#, nil)]))
    #expect(removed[Self.urn]?["roles"]?.arrayValue?.count == 1)
    #expect(removed["schemas"]?.arrayValue?.contains(.string(Self.urn)) == true)
  }

  @Test("In Bulk a group grants a role that is made beside it")
  func bulk() throws {
    let rig = try GrantTenant(Harness())
    let reply = try rig.client.send(
      "POST /Bulk",
      [
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
        "Operations": [
          [
            "method": "POST", "path": "/Groups", "bulkId": "g",
            "data": GrantTenant.group("New", members: [rig.cid.id], roles: [["value": "bulkId:r"]]),
          ],
          [
            "method": "POST", "path": "/Roles", "bulkId": "r",
            "data": ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Made"],
          ],
        ],
      ])
    expect(reply, 200)
    let made = try rig.client.send("GET /Roles?filter=displayName eq \"made\"")
    #expect(try rig.roles(of: rig.cid) == made.ids.map { "+" + $0 }, "\(reply)")
  }

  @Test(
    "Projections",
    arguments: [
      ("attributes=displayName", false, false), ("attributes=\(GroupGrants.urn):roles", true, false),
      ("attributes=\(GroupGrants.urn)", true, true), ("attributes=\(GroupGrants.urn):roles.value", true, false),
      ("excludedAttributes=\(GroupGrants.urn):roles", false, true), ("excludedAttributes=members", true, true),
      ("excludedAttributes=\(GroupGrants.urn)", false, false),
    ])
  func projections(_ query: String, _ showsRoles: Bool, _ showsEntitlements: Bool) throws {
    let rig = try GrantTenant(Harness())
    let door = try rig.client.create(
      "/Characteristics", ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Door"])
    try rig.grant([rig.clerk], by: rig.team)
    expect(
      try rig.client.send(
        "PATCH /Groups/\(rig.team.id)",
        PatchBody.make([("add", "\(Self.urn):entitlements", [["value": .string(door.id)]])])), 200)
    for path in ["/Groups/\(rig.team.id)?\(query)", "/Groups?filter=displayName eq \"Team\"&\(query)"] {
      let reply = try rig.client.send("GET \(path)")
      let group = reply.resources.first ?? reply.json
      #expect((group?[Self.urn]?["roles"] != nil) == showsRoles, "\(reply)")
      #expect((group?[Self.urn]?["entitlements"] != nil) == showsEntitlements, "\(reply)")
    }
  }
}
