import SCIMCore
import SCIMService
import Testing

/// Definitions of an organisation's own that use what grants add.
@Suite("Definitions that need grants")
struct GrantDefinitionTests {
  private static let urn = GroupGrants.urn

  private func off(_ tenant: Tenant) -> Organization {
    var organization = tenant.organization
    organization.grants = false
    return organization
  }

  private func turnOff(_ tenant: Tenant) throws {
    try tenant.harness.store.tenant(tenant.organization.id).writeInStepsAndWait(from: (), pause: {}) {
      (transaction, _) throws(SCIMError) in
      try GrantSwitch(base: BuiltInSchemas.registry).set(false, force: true, in: transaction)
    }
  }

  private func define(_ use: String, _ client: Client) throws -> String {
    switch use {
    case "extension":
      _ = try client.create("/ResourceTypes", DefinitionSamples.type("License", "/Licenses", extensions: [Self.urn]))
    case "base":
      _ = try client.create(
        "/ResourceTypes", DefinitionSamples.type("License", "/Licenses", extensions: [], base: Self.urn))
    default:
      var user = try #require(try client.send("GET /ResourceTypes/User").json?.objectValue)
      let listed = user["schemaExtensions"]?.arrayValue ?? []
      user["schemaExtensions"] = .array(listed + [["schema": .string(Self.urn), "required": false]])
      expect(try client.send("PUT /ResourceTypes/User", .object(user)), 200)
      return "User"
    }
    return "License"
  }

  @Test("Turning grants off is refused with the names, and changes nothing", arguments: ["extension", "base", "users"])
  func refused(_ use: String) throws {
    let tenant = try Tenant(Harness(), grants: true)
    let name = try define(use, tenant.client)
    let before = try tenant.client.send("GET /ResourceTypes").text
    let error = try #require(throws: SCIMError.self) { try turnOff(tenant) }
    #expect(error.kind == .invalidValue && error.detail.contains(name) && error.detail.contains(Self.urn), "\(error)")
    #expect(try tenant.client.send("GET /ResourceTypes").text == before)
  }

  @Test(
    "A definition that cannot be read any more takes nothing else with it", arguments: ["extension", "base", "users"])
  func unreadable(_ use: String) throws {
    let tenant = try Tenant(Harness(), grants: true)
    let client = tenant.client
    let name = try define(use, client)
    _ = try client.create("/ResourceTypes", DefinitionSamples.type("Seat", "/Seats", extensions: []))
    let seat = try client.create("/Seats", DefinitionSamples.license("One"))
    let organization = off(tenant)
    // As a later version of the program might.
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.updateOrganization(organization)
    }
    expect(try client.send("GET /Seats/\(seat.id)"), 200)
    expect(try client.send("GET /Users"), 200)
    let types = try client.send("GET /ResourceTypes").resources.compactMap { $0["name"]?.stringValue }
    #expect(types.contains("Seat") && types.contains("User") && !types.contains("License"))
    let problems = try tenant.harness.store.makeCheck().run()
    #expect(problems.map(\.kind) == [.definition] && problems.first?.text.contains(Self.urn) == true, "\(problems)")
    // Other definitions go on, and this one can go.
    _ = try client.create("/ResourceTypes", DefinitionSamples.type("Desk", "/Desks", extensions: []))
    let writer = DefinitionWriter(base: BuiltInSchemas.registry)
    try writer.applyAndWait(to: tenant.harness.store.tenant(organization.id), pause: {}) { (reader) throws(SCIMError) in
      try writer.change(retiring: name == "User" ? Self.urn : name, in: reader)
    }
    #expect(try tenant.harness.store.makeCheck().run() == [])
    expect(try client.send("GET /Seats/\(seat.id)"), 200)
  }

  @Test("A type that cannot be read and has resources stays until it can be read")
  func unreadableInUse() throws {
    let tenant = try Tenant(Harness(), grants: true)
    let client = tenant.client
    _ = try define("extension", client)
    let license = try client.create("/Licenses", DefinitionSamples.license("Pro"))
    let organization = off(tenant)
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.updateOrganization(organization)
    }
    expectError(try client.send("GET /Licenses/\(license.id)"), 404)
    expectError(try client.send("DELETE /ResourceTypes/License?force=true"), 400, "invalidValue")
    try tenant.harness.store.tenant(tenant.organization.id).writeInStepsAndWait(from: (), pause: {}) {
      (transaction, _) throws(SCIMError) in
      try GrantSwitch(base: BuiltInSchemas.registry).set(true, in: transaction)
    }
    expect(try client.send("GET /Licenses/\(license.id)"), 200)
    expect(try client.send("DELETE /ResourceTypes/License?force=true"), 204)
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }
}
