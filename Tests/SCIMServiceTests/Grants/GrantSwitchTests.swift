import SCIMCore
import SCIMService
import Testing

/// The setting of an organisation: turned on and off beside running requests.
@Suite("Grants on and off")
struct GrantSwitchTests {
  private static let urn = GroupGrants.urn

  private func set(_ tenant: Tenant, _ grants: Bool, force: Bool = false) throws {
    try tenant.harness.store.tenant(tenant.organization.id).writeInStepsAndWait(from: (), pause: {}) {
      (transaction, _) throws(SCIMError) in
      try GrantSwitch(base: BuiltInSchemas.registry).set(grants, force: force, in: transaction)
    }
  }

  @Test("An attribute of the organisation's own that is called inherited marks nothing", arguments: [false, true])
  func ownInherited(_ grants: Bool) throws {
    let client = try Tenant(Harness(), grants: grants).client
    let own = "urn:acme:scim:schemas:core:1.0:Share"
    let subAttributes: JSON = [
      ["name": "value"], ["name": "inherited", "type": "boolean", "mutability": "readOnly"],
    ]
    let shares: JSON = ["name": "shares", "type": "complex", "multiValued": true, "subAttributes": subAttributes]
    expect(try client.send("POST /Schemas", ["id": .string(own), "name": "Share", "attributes": [shares]]), 201)
    let type: JSON = ["name": "Share", "endpoint": "/Shares", "schema": .string(own)]
    expect(try client.send("POST /ResourceTypes", type), 201)
    let made = try client.create(
      "/Shares", ["schemas": [.string(own)], "shares": [["value": "a", "inherited": true], ["value": "b"]]])
    #expect(made["shares"] == [["value": "a"], ["value": "b"]], "\(made)")
    #expect(try client.send("GET /Shares?filter=shares.inherited eq false").total == 0)
  }

  @Test("Off: the extension is unknown, and nothing is marked")
  func off() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    #expect(try client.send("GET /ResourceTypes/Group")["schemaExtensions"] == nil)
    expectError(try client.send("GET /Schemas/\(Self.urn)"), 404)
    let made = try client.create("/Groups", GrantTenant.group("Team", roles: [["value": "x"]]))
    #expect(made[Self.urn] == nil && made["schemas"]?.arrayValue?.count == 1)
    expectError(try client.send("GET /Users?filter=roles.inherited eq true"), 400, "invalidFilter")
    expectError(
      try client.send("PATCH /Groups/\(made.id)", PatchBody.make([("add", "\(Self.urn):roles", [["value": "x"]])])),
      400, "invalidPath")
    let strict = try tenant.client(profile: .strict)
    expectError(try strict.send("POST /Groups", GrantTenant.group("Two")), 400, "invalidSyntax")
  }

  @Test("On and off again: the next request knows; with grants there only by force")
  func onAndOff() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let role = try client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk"])
    let user = try client.create("/Users", GrantTenant.user("ann", []))
    let team = try client.create("/Groups", GrantTenant.group("Team", members: [user.id]))
    let bare = try client.create("/Groups", GrantTenant.group("Bare"))
    try set(tenant, true)
    #expect(try client.send("GET /ResourceTypes/Group")["schemaExtensions"]?.arrayValue?.count == 1)
    let granted = try client.send(
      "PATCH /Groups/\(team.id)",
      PatchBody.make([("add", "\(Self.urn):roles", [["value": .string(role.id)], ["value": "Unheard"]])]))
    expect(granted, 200)
    #expect(GrantTenant.roles(in: try client.send("GET /Users/\(user.id)")) == ["+" + role.id])
    let before = try client.snapshot()
    do {
      try set(tenant, false)
      Issue.record("grants that are there went without force")
    } catch let error as SCIMError {
      #expect(error.kind == .conflict && error.detail.contains("1 group grants"))
    }
    #expect(try client.snapshot() == before)
    try set(tenant, false, force: true)
    #expect(GrantTenant.roles(in: try client.send("GET /Users/\(user.id)")) == [])
    let after = try client.send("GET /Groups/\(team.id)")
    #expect(after[Self.urn] == nil && after.version != granted.version)
    #expect(try client.send("GET /Groups/\(bare.id)").version == bare.version)
    expect(try client.send("DELETE /Roles/\(role.id)"), 204)
    try set(tenant, true)
    #expect(try client.send("GET /Groups/\(team.id)")[Self.urn] == nil)
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test(
    "Whatever a group has of the extension goes with it",
    arguments: [["value": ""], ["type": "Role"], ["display": "Clerk"], ["value": " "]] as [JSON])
  func leftovers(_ element: JSON) throws {
    let tenant = try Tenant(Harness(), grants: true)
    let client = tenant.client
    let team = try client.create("/Groups", GrantTenant.group("Team", roles: [element]))
    #expect(team[Self.urn] == ["roles": [element]])
    #expect(throws: SCIMError.self) { try set(tenant, false) }
    try set(tenant, false, force: true)
    let after = try client.send("GET /Groups/\(team.id)")
    #expect(after[Self.urn] == nil && after["schemas"]?.arrayValue?.count == 1, "\(after)")
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("An organisation's own extensions of groups stand beside grants, and the added ones are built in")
  func ownDefinitions() throws {
    let tenant = try Tenant(Harness(), grants: true)
    let client = tenant.client
    let own = "urn:acme:scim:schemas:extension:app:1.0:Group"
    let schema: JSON = ["id": .string(own), "name": "App", "attributes": [["name": "color", "type": "string"]]]
    expect(try client.send("POST /Schemas", schema), 201)
    var type = try #require(try client.send("GET /ResourceTypes/Group").json?.objectValue)
    let listed = try #require(type["schemaExtensions"]?.arrayValue)
    type["schemaExtensions"] = .array(listed + [["schema": .string(own), "required": false]])
    let put = try client.send("PUT /ResourceTypes/Group", .object(type))
    expect(put, 200)
    #expect(put["schemaExtensions"]?.arrayValue?.compactMap { $0["schema"]?.stringValue } == [Self.urn, own])
    type["schemaExtensions"] = [["schema": .string(own), "required": false]]
    expectError(try client.send("PUT /ResourceTypes/Group", .object(type)), 400, "invalidValue")
    for urn in [Self.urn, "urn:ietf:params:scim:schemas:core:2.0:User"] {
      expectError(try client.send("DELETE /Schemas/\(urn)"), 405)
      expectError(try client.send("PUT /Schemas/\(urn)", schema), 405)
    }
    let role = try client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk"])
    var body = try #require(GrantTenant.group("Team", roles: [["value": .string(role.id)]]).objectValue)
    body[own] = ["color": "red"]
    let group = try client.create("/Groups", .object(body))
    expect(group, 201, [own: ["color": "red"], Self.urn: ["roles": [["value": .string(role.id)]]]])
    let schemas = group["schemas"]?.arrayValue ?? []
    #expect(schemas.contains(.string(own)) && schemas.contains(.string(Self.urn)))
    // Without grants the own one stays.
    try set(tenant, false, force: true)
    expect(try client.send("GET /Groups/\(group.id)"), 200, [own: ["color": "red"], Self.urn: ["$absent": true]])
    // A definition that takes the name first is in the way.
    let taken: JSON = ["id": .string(Self.urn), "name": "Mine", "attributes": [["name": "x", "type": "string"]]]
    expect(try client.send("POST /Schemas", taken), 201)
    #expect(throws: SCIMError.self) { try set(tenant, true) }
    #expect(try client.send("GET /ResourceTypes/Group")["schemaExtensions"]?.arrayValue?.count == 1)
  }
}
