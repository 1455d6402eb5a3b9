import SCIMCore
import SCIMSQL
import Testing

/// An organisation's own type with the base schema of users: what it assigns is in the catalogue as what users have is.
@Suite("Own types based on users")
struct UserBasedTypeTests {
  private typealias Samples = DefinitionSamples
  private static let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"

  /// A tenant with `/Contractors`, the URN of whose base schema is spelt as given.
  private func tenant(catalog: Organization.Catalog = .open, base: String = Samples.user) throws -> Tenant {
    let tenant = try Tenant(Harness(), catalog: catalog)
    _ = try tenant.client.create(
      "/ResourceTypes", Samples.type("Contractor", "/Contractors", extensions: [], base: base))
    return tenant
  }

  private func contractor(_ roles: [JSON], entitlements: [JSON] = []) -> JSON {
    [
      "schemas": [.string(Samples.user)], "userName": "con", "roles": .array(roles),
      "entitlements": .array(entitlements),
    ]
  }

  private func role(_ client: Client, _ settings: JSON = [:]) throws -> String {
    try client.create(
      "/Roles",
      ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Auditor", Self.draft: settings]
    ).id
  }

  @Test("Roles and entitlements are linked, found and counted, and go with the entry", arguments: [false, true])
  func linked(hasCapitals: Bool) throws {
    let tenant = try tenant(base: hasCapitals ? Samples.user.uppercased() : Samples.user)
    let client = tenant.client
    let id = try role(client)
    let tall = try client.create("/Characteristics", Samples.license("Tall")).id
    let made = try client.create(
      "/Contractors", contractor([["value": "auditor"]], entitlements: [["value": "Tall", "type": "Characteristic"]]))
    expect(
      made, 201,
      [
        "roles": [["value": .string(id), "display": "Auditor", "type": "Role"]],
        "entitlements": [["value": .string(tall), "display": "Tall", "type": "Characteristic"]],
      ])
    #expect(try client.send("GET /Contractors?filter=roles.value eq \"\(id)\"").ids == [made.id])
    #expect(try client.send("GET /Contractors?filter=roles[display eq \"AUDITOR\"]").ids == [made.id])
    let used = "\(Self.draft):totalAssignmentsUsed"
    #expect(try client.send("GET /Roles/\(id)?attributes=\(used)")[Self.draft] == ["totalAssignmentsUsed": 1])
    #expect(try client.send("DELETE /Roles/\(id)").status == 204)
    #expect(try client.send("GET /Contractors/\(made.id)")["roles"] == nil)
  }

  @Test("A closed catalogue and limits hold")
  func closed() throws {
    let client = try tenant(catalog: .closed).client
    _ = try role(client, ["limitedAssignmentsPermitted": true, "totalAssignmentsPermitted": 1])
    expectError(try client.send("POST /Contractors", contractor([["value": "Ghost"]])), 400, "invalidValue")
    let made = try client.create("/Contractors", contractor([["value": "Auditor"]]))
    for verb in ["add", "replace"] {
      expectError(
        try client.send("PATCH /Contractors/\(made.id)", PatchBody.make([(verb, "roles", [["value": "Ghost"]])])), 400,
        "invalidValue")
    }
    expectError(
      try client.send(
        "POST /Users", ["schemas": [.string(Samples.user)], "userName": "ann", "roles": [["value": "Auditor"]]]), 400,
      "invalidValue")
  }

  @Test("Reports name who holds what")
  func reported() throws {
    let tenant = try tenant()
    let id = try role(tenant.client)
    let made = try tenant.client.create("/Contractors", contractor([["value": "Auditor"], ["value": "Lost"]]))
    let reader = try tenant.harness.store.makeGovernanceReader()
    let org = tenant.organization.id
    let type = try #require(try reader.reports(of: org).holderTypes().first { $0.name == "Contractor" })
    let holder = try #require(try reader.reports(of: org).holders(of: type, after: nil, limit: 10).holders.first)
    #expect(holder.id == made.id)
    #expect(holder.unmatched.map { $0.element["value"] } == ["Lost"])
    let entry = try #require(try reader.reports(of: org).catalogEntries().first { $0.id == id })
    #expect(holder.linked == [entry.handle] && entry.isHeld)
    var values: [String] = []
    try reader.reports(of: org).forEachUnmatchedValue() { (value) throws(SCIMError) in
      values.append(value.value)
      return true
    }
    #expect(values == ["Lost"])
  }

  @Test("active is true where a POST leaves it out, and what it was where a PUT does")
  func active() throws {
    let client = try tenant().client
    let made = try client.create("/Contractors", contractor([]))
    #expect(made["active"] == true)
    #expect(try client.send("GET /Contractors?filter=active eq true").ids == [made.id])
    expect(
      try client.send("PATCH /Contractors/\(made.id)", PatchBody.replace("active", false)), 200, ["active": false])
    expect(try client.send("PUT /Contractors/\(made.id)", contractor([])), 200, ["active": false])
  }

  @Test("Groups that grant leave it as it is")
  func grants() throws {
    let tenant = try tenant()
    let id = try role(tenant.client)
    let made = try tenant.client.create("/Contractors", contractor([["value": "Auditor"]]))
    try tenant.change { $0.grants = true }
    expect(try tenant.client.send("GET /Contractors/\(made.id)"), 200, ["roles": [["value": .string(id)]]])
    #expect(try tenant.client.send("GET /Contractors?filter=roles[inherited eq true]").total == 0)
    #expect(try tenant.client.send("GET /Contractors?filter=roles.value eq \"\(id)\"").ids == [made.id])
    try tenant.change { $0.grants = false }
    expect(try tenant.client.send("GET /Contractors/\(made.id)"), 200, ["roles": [["value": .string(id)]]])
  }

  @Test("Discovery has the URNs as their schemas spell them")
  func spelling() throws {
    let client = try tenant(base: Samples.user.uppercased()).client
    _ = try client.create("/Schemas", Samples.schema(Samples.licenseURN, [("seats", [("type", "integer")])]))
    let urn = Samples.licenseURN.uppercased()
    let made = try client.create("/ResourceTypes", Samples.type("License", "/Licenses", extensions: [urn]))
    let served = try client.send("GET /ResourceTypes/License")
    for reply in [made, served] {
      let listed = (reply["schemaExtensions"]?.arrayValue ?? []).compactMap { $0["schema"]?.stringValue }
      #expect(listed == [Samples.licenseURN, Samples.assignments], "\(reply)")
    }
    #expect(try client.send("GET /ResourceTypes/Contractor")["schema"] == .string(Samples.user))
  }
}
