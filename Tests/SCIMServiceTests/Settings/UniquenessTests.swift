import SCIMCore
import SCIMSQL
import Testing

/// What organisations choose to hold unique: `externalId`, and the names of groups.
@Suite("Uniqueness by choice")
struct UniquenessTests {
  private static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"
  private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"

  private func user(_ name: String, _ externalID: String) -> JSON {
    ["schemas": [.string(Self.user)], "userName": .string(name), "externalId": .string(externalID)]
  }

  private func group(_ name: String) -> JSON { ["schemas": [.string(Self.group)], "displayName": .string(name)] }

  /// What the schema of groups says of their names.
  private func uniquenessOfNames(_ client: Client) throws -> JSON? {
    let reply = try client.send("GET /Schemas/\(Self.group)")
    return reply["attributes"]?.arrayValue?.first { $0["name"] == "displayName" }?["uniqueness"]
  }

  private func expectSound(_ tenant: Tenant) throws {
    let problems = try tenant.harness.store.makeCheck().run()
    #expect(problems.isEmpty, "\(problems)")
  }

  @Test("an externalId may be shared, and is found with all who carry it")
  func sharedExternalID() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let ids = try ["a", "b", "c"].map { try client.create("/Users", user($0, "X-1")).id }
    _ = try client.create("/Users", user("d", "x-1"))
    #expect(try client.send(#"GET /Users?filter=externalId eq "X-1""#).ids == ids)
    #expect(try client.send(#"GET /Users?filter=externalId eq "X-1" and active eq true"#).total == 3)
    #expect(try client.send(#"GET /Users?filter=externalId eq "X-1" and userName eq "b""#).ids == [ids[1]])
    try expectSound(tenant)
  }

  @Test("externalIds become unique where none is shared, and free again")
  func externalID() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let first = try client.create("/Users", user("a", "X-1"))
    let second = try client.create("/Users", user("b", "X-1"))
    let refused = #expect(throws: SCIMError.self) { try tenant.change { $0.externalIDs = .unique } }
    #expect(refused?.kind == .uniqueness)
    #expect(refused?.detail.contains("User \(first.id), \(second.id)") == true, "\(refused?.detail ?? "")")
    #expect(try client.send("PUT /Users/\(second.id)", user("b", "X-2")).status == 200)

    try tenant.change { $0.externalIDs = .unique }
    try expectSound(tenant)
    expectError(try client.send("POST /Users", user("c", "X-1")), 409, "uniqueness")
    expectError(try client.send("PUT /Users/\(second.id)", user("b", "X-1")), 409, "uniqueness")
    #expect(try client.send("PUT /Users/\(first.id)", user("a", "X-1")).status == 200)
    #expect(try client.send(#"GET /Users?filter=externalId eq "X-1""#).ids == [first.id])
    // Unique among resources of one type, and for this organisation alone.
    var group = group("Ops").objectValue ?? JSONObject()
    group["externalId"] = "X-1"
    _ = try client.create("/Groups", .object(group))
    let other = try Tenant(tenant.harness, name: "other.example").client
    for name in ["a", "b"] { _ = try other.create("/Users", user(name, "X-1")) }

    try tenant.change { $0.externalIDs = .free }
    #expect(try client.send("POST /Users", user("c", "X-1")).status == 201)
    #expect(try client.send("DELETE /Users/\(first.id)").status == 204)
    try expectSound(tenant)
  }

  @Test("names of groups become free, and unique again where none is shared; the schema says so")
  func groupNames() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let first = try client.create("/Groups", group("Sales"))
    expectError(try client.send("POST /Groups", group("sales")), 409, "uniqueness")
    #expect(try uniquenessOfNames(client) == "server")

    try tenant.change { $0.groupNames = .free }
    #expect(try uniquenessOfNames(client) == "none")
    let second = try client.create("/Groups", group("sales"))
    #expect(try client.send(#"GET /Groups?filter=displayName eq "SALES""#).ids == [first.id, second.id])
    try expectSound(tenant)
    let refused = #expect(throws: SCIMError.self) { try tenant.change { $0.groupNames = .unique } }
    #expect(refused?.detail.contains("Group \(first.id), \(second.id)") == true, "\(refused?.detail ?? "")")
    #expect(try uniquenessOfNames(client) == "none")

    #expect(try client.send("DELETE /Groups/\(first.id)").status == 204)
    try tenant.change { $0.groupNames = .unique }
    expectError(try client.send("POST /Groups", group("Sales")), 409, "uniqueness")
    #expect(try client.send(#"GET /Groups?filter=displayName eq "SALES""#).ids == [second.id])
    try expectSound(tenant)
  }

  @Test("the choices go with grants and with types of the organisation's own")
  func together() throws {
    let tenant = try Tenant(Harness(), grants: true)
    try tenant.change {
      $0.groupNames = .free
      $0.externalIDs = .unique
    }
    let client = tenant.client
    let description: JSON = [
      "name": "Badge", "endpoint": "/Badges",
      "extension": ["schema": "urn:acme:badge:1.0:Badge", "attributes": [["name": "colour"]]],
    ]
    try tenant.define(description)
    for _ in 0..<2 { _ = try client.create("/Groups", group("Sales")) }
    let badge: JSON = [
      "schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Blue", "externalId": "B-1",
    ]
    _ = try client.create("/Badges", badge)
    expectError(try client.send("POST /Badges", badge), 409, "uniqueness")
    try tenant.change {
      $0.grants = false
      $0.externalIDs = .free
    }
    _ = try client.create("/Badges", badge)
    _ = try client.create("/Groups", group("Sales"))
    try expectSound(tenant)
  }
}
