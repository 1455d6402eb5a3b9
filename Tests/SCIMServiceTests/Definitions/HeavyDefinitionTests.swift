import SCIMCore
import SCIMService
import Testing

/// Changes of definitions where much is stored: the writer is held for what changes, not for looking at all of it.
@Suite("Definitions and many resources")
struct HeavyDefinitionTests {
  private typealias Samples = DefinitionSamples

  private let steps = WriteSteps()
  private let tenant: Tenant
  private var client: Client { tenant.client }
  private var licenseURN: String { Samples.licenseURN }

  init() throws {
    tenant = try Tenant(Harness(options: steps.options), notesUses: false)
    try Samples.defineLicenses(tenant.client, [("seats", [("type", "integer")]), ("color", [])])
  }

  /// Stores licences without bounds; every `nth` has a colour.
  private func fill(_ count: Int, nth: Int) throws {
    let organization = tenant.organization.id
    let urn = licenseURN
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      transaction.budget = .unlimited
      guard let type = try transaction.tenant(organization).registry().type(named: "License") else { return }
      for number in 0..<count {
        var document = JSONObject()
        document["displayName"] = .string("l\(number)")
        if number % nth == 0 { document[urn] = ["color": .string("Red \(number)")] }
        _ = try transaction.tenantTransaction(organization).create(
          type: type, id: "l\(number)", document: ResourceDocument.ordered(document, type: type), passwordHash: nil)
      }
    }
    _ = steps.take()
  }

  private func expectSound() throws {
    let problems = try tenant.harness.store.makeCheck().run()
    #expect(problems.isEmpty, "\(problems.prefix(5))")
  }

  private func schema(_ attributes: [(String, [(String, JSON)])]) -> JSON { Samples.schema(licenseURN, attributes) }

  @Test("An attribute of few among many is changed by one short commit")
  func fewOfMany() throws {
    try fill(5000, nth: 100)
    let path = "/Licenses?filter=\(licenseURN):color eq \"RED 100\"&count=0"
    #expect(try client.send("GET \(path)").total == 1)
    expect(
      try client.send(
        "PUT /Schemas/\(licenseURN)",
        schema([("seats", [("type", "integer")]), ("color", [("caseExact", true)])])), 200)
    let taken = steps.take()
    #expect(taken.allSatisfy { $0 < WorkBudget.writeLimit / 4 }, "\(taken)")
    #expect(try client.send("GET \(path)").total == 0)
    try expectSound()
  }

  @Test("Of very many it is changed in slices")
  func many() throws {
    try fill(5000, nth: 1)
    expect(
      try client.send(
        "PUT /Schemas/\(licenseURN)",
        schema([("seats", [("type", "integer")]), ("color", [("caseExact", true)])])), 200)
    let taken = steps.take()
    #expect(taken.count > 3)
    #expect(taken.allSatisfy { $0 < WorkBudget.writeLimit / 2 }, "\(taken)")
    #expect(try client.send("GET /Licenses?filter=\(licenseURN):color eq \"RED 100\"&count=0").total == 0)
    #expect(try client.send("GET /Licenses?filter=\(licenseURN):color eq \"Red 100\"&count=0").total == 1)
    try expectSound()
  }

  @Test("A type goes with its resources in several commits, and is there until the last")
  func retired() throws {
    try fill(3000, nth: 10)
    expectError(try client.send("DELETE /ResourceTypes/License"), 409)
    _ = steps.take()
    expect(try client.send("DELETE /ResourceTypes/License?force=true"), 204)
    let taken = steps.take()
    #expect(taken.count > 2)
    #expect(taken.allSatisfy { $0 <= WorkBudget.writeLimit / 2 }, "\(taken)")
    expectError(try client.send("GET /Licenses"), 404)
    try expectSound()
  }

  @Test("So do the values of an extension")
  func retiredExtension() throws {
    try fill(3000, nth: 1)
    let type = Samples.type("License", "/Licenses", extensions: [Samples.assignments])
    expectError(try client.send("PUT /ResourceTypes/License", type), 409)
    _ = steps.take()
    expect(try client.send("PUT /ResourceTypes/License?force=true", type), 200)
    let taken = steps.take()
    #expect(taken.count > 2)
    #expect(taken.allSatisfy { $0 <= WorkBudget.writeLimit / 2 }, "\(taken)")
    #expect(try client.send("GET /Licenses/l7")[licenseURN] == nil)
    #expect(try client.send("GET /Licenses?count=0").total == 3000)
    try expectSound()
  }
}
