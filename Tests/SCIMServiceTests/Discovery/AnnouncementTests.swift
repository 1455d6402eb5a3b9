import SCIMCore
import Testing

/// When ServiceProviderConfig tells of roles and entitlements (docs/decisions/0005).
@Suite("Announcing roles and entitlements")
struct AnnouncementTests {
  private func announces(_ client: Client) throws -> Bool {
    let reply = try client.send("GET /ServiceProviderConfig")
    #expect(reply.status == 200)
    return reply.json?["RolesAndEntitlements"] != nil
  }

  @Test("without a key, and with the key of an organisation that has a role")
  func catalogue() throws {
    let tenant = try Tenant(Harness())
    #expect(try announces(Client(wire: tenant.client.wire, key: nil, harness: tenant.client.harness)))
    #expect(try !announces(tenant.client))
    let role = try tenant.client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Auditor"])
    #expect(try announces(tenant.client))
    #expect(try !announces(tenant.client(profile: .strict)))
    let id = try #require(role.json?["id"]?.stringValue)
    #expect(try tenant.client.send("DELETE /Roles/\(id)").status == 204)
    #expect(try !announces(tenant.client))
  }

  @Test("with the key of an organisation where somebody holds a value that no catalogue has")
  func values() throws {
    let tenant = try Tenant(Harness())
    _ = try tenant.client.create(
      "/Users",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada@acme.example",
        "roles": [["value": "auditor"]],
      ])
    #expect(try announces(tenant.client))
  }
}
