import SCIMCore
import Testing

/// What ServiceProviderConfig shows beyond RFC 7643 section 5: what the organisation of the key announces.
@Suite("Announcements")
struct AnnouncementTests {
  private static let rfc: Set<String> = [
    "schemas", "documentationUri", "patch", "bulk", "filter", "changePassword", "sort", "etag",
    "authenticationSchemes", "meta",
  ]

  /// The members that RFC 7643 does not have.
  private func announced(_ client: Client) throws -> Set<String> {
    let reply = try client.send("GET /ServiceProviderConfig")
    #expect(reply.status == 200)
    return Set(reply.json?.objectValue?.members.map(\.key) ?? []).subtracting(Self.rfc)
  }

  @Test(
    "are the organisation's, whatever the profile of the key",
    arguments: ["pagination", "none", "entitlements", "pagination,entitlements"], Profile.allCases)
  func organization(_ text: String, profile: Profile) throws {
    let tenant = try Tenant(Harness(), profile: profile)
    _ = try tenant.client(role: .admin).create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Auditor"])
    let chosen = try #require(Set<Organization.Announcement>(text: text))
    try tenant.change { $0.announced = chosen }
    let members: [Organization.Announcement: String] = [
      .pagination: "pagination", .entitlements: "RolesAndEntitlements",
    ]
    #expect(try announced(tenant.client) == Set(chosen.compactMap { members[$0] }))
  }

  @Test("are the standard ones without a key and with one that is not valid", arguments: [nil, "no-such-key"])
  func withoutKey(key: String?) throws {
    let tenant = try Tenant(Harness())
    try tenant.change { $0.announced = [] }
    let client = Client(wire: tenant.client.wire, key: key, harness: tenant.client.harness)
    #expect(try announced(client) == ["pagination"])
  }

  @Test("change with the next request")
  func change() throws {
    let tenant = try Tenant(Harness())
    #expect(try announced(tenant.client) == ["pagination"])
    try tenant.change { $0.announced = [.entitlements] }
    #expect(try announced(tenant.client) == ["RolesAndEntitlements"])
    try tenant.change { $0.announced = [] }
    #expect(try announced(tenant.client) == [])
  }

  @Test("a manual's address is shown where there is one")
  func manual() throws {
    let none = try Tenant(Harness()).client.send("GET /ServiceProviderConfig")
    #expect(none["documentationUri"] == nil)
    let tenant = try Tenant(Harness { $0.documentationURI = "https://acme.example/manual" })
    #expect(try tenant.client.send("GET /ServiceProviderConfig")["documentationUri"] == "https://acme.example/manual")
  }
}
