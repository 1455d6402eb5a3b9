import SCIMCore
import Synchronization
import Testing

@testable import SCIMService

/// Changes of an organisation's settings, beside each other.
@Suite("Settings of an organisation")
struct SettingsWriterTests {
  private let settings = SettingsWriter(base: BuiltInSchemas.registry)

  private func organization(_ name: String, _ world: ChangeWorld) throws -> Organization {
    try #require(try world.store.makeReader().organization(named: name))
  }

  @Test("Of two changes at a time each leaves what the other has changed")
  func interleaved() throws {
    let world = try ChangeWorld()
    _ = try world.client.create(
      "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann", "externalId": "7"])
    let run = settings.run(OrganizationChange(externalIDs: .unique))
    let work = try world.begin(run)
    let renamed = try settings.applyAndWait(
      OrganizationChange(name: "b.example", catalog: .closed, announced: []), to: world.tenant, pause: {})
    #expect(renamed.name == "b.example" && renamed.externalIDs == .free)
    try world.finish(run, work)
    let both = try organization("b.example", world)
    #expect(both.externalIDs == .unique && both.catalog == .closed && both.announced.isEmpty)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("What is changed between the removals of grants stays")
  func betweenGrants() throws {
    let world = try ChangeWorld()
    let (tenant, settings) = (world.tenant, settings)
    _ = try settings.applyAndWait(OrganizationChange(grants: true), to: tenant, pause: {})
    for number in 0..<3 {
      _ = try world.client.create("/Groups", GrantTenant.group("g\(number)", roles: [["value": "x"]]))
    }
    var run = settings.run(OrganizationChange(grants: false), force: true)
    let prepare = run.prepare
    let hasBegun = Mutex(false)
    run.prepare = { (transaction) throws(SCIMError) in
      // As if the removal took two transactions.
      let isSecond = hasBegun.withLock { hasBegun in
        defer { hasBegun = true }
        return hasBegun
      }
      return isSecond ? try prepare(transaction) : false
    }
    var pauses = 0
    try run.applyAndWait(
      to: tenant,
      pause: {
        pauses += 1
        _ = try? settings.applyAndWait(OrganizationChange(catalog: .closed), to: tenant, pause: {})
      })
    #expect(pauses == 1)
    let both = try organization("acme.example", world)
    #expect(!both.grants && both.catalog == .closed)
    try world.expectSound()
  }

  @Test("Grants are not removed by force together with a change of what is unique, which may be refused")
  func forced() throws {
    let world = try ChangeWorld()
    _ = try settings.applyAndWait(OrganizationChange(grants: true), to: world.tenant, pause: {})
    let group = try world.client.create("/Groups", GrantTenant.group("g", roles: [["value": "x"]]))
    for change in [
      OrganizationChange(grants: false, externalIDs: .unique), OrganizationChange(grants: false, groupNames: .free),
    ] {
      let refused = #expect(throws: SCIMError.self) {
        try settings.applyAndWait(change, to: world.tenant, force: true, pause: {})
      }
      #expect(refused?.kind == .invalidValue)
    }
    #expect(try world.client.send("GET /Groups/\(group.id)").version == group.version)
    #expect(try organization("acme.example", world).grants)
    #expect(try world.isTidy())
  }

  @Test("An organisation that is being deleted is not changed")
  func deleted() throws {
    let world = try ChangeWorld(1500)
    let organization = world.organization
    _ = try world.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.deleteOrganization(organization, isFirst: true)
    }
    let refused = #expect(throws: SCIMError.self) {
      try settings.applyAndWait(OrganizationChange(name: "again.example"), to: world.tenant, pause: {})
    }
    #expect(refused?.kind == .notFound)
    #expect(try world.store.makeReader().organizations().isEmpty)
  }
}
