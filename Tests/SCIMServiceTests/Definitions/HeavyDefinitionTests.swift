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
    tenant = try Tenant(Harness(options: steps.options))
    try Samples.defineLicenses(tenant.client, [("seats", [("type", "integer")]), ("color", [])])
  }

  /// Stores licences without bounds; every `nth` has a colour.
  private func fill(_ count: Int, nth: Int) throws {
    let organization = tenant.organization.id
    let urn = licenseURN
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      transaction.budget = .unlimited
      guard let type = try transaction.registry(of: organization).type(named: "License") else { return }
      for number in 0..<count {
        var document = JSONObject()
        document["displayName"] = .string("l\(number)")
        if number % nth == 0 { document[urn] = ["color": .string("Red \(number)")] }
        _ = try transaction.create(
          type: type, id: "l\(number)", document: ResourceDocument.ordered(document, type: type), passwordHash: nil,
          in: organization)
      }
    }
    _ = steps.take()
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
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("Of more than can be written anew at a time the change is refused, and nothing changes")
  func tooMany() throws {
    try fill(5000, nth: 1)
    let reply = try client.send(
      "PUT /Schemas/\(licenseURN)", schema([("seats", [("type", "integer")]), ("color", [("caseExact", true)])]))
    expectError(reply, 400, "tooMany")
    #expect(steps.take().allSatisfy { $0 <= WorkBudget.writeLimit })
    #expect(try client.send("GET /Licenses?filter=\(licenseURN):color eq \"RED 100\"&count=0").total == 1)
    #expect(try tenant.harness.store.makeCheck().run() == [])
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
    #expect(try tenant.harness.store.makeCheck().run() == [])
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
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("What is written behind the survey is not missed")
  func writtenMeanwhile() throws {
    try fill(200, nth: 50)
    let organization = tenant.organization.id
    let store = tenant.harness.store
    let writer = DefinitionWriter(base: BuiltInSchemas.registry, organization: organization)
    let since = try store.writeAndWait { (transaction) throws(SCIMError) in transaction.now }
    let reader = try store.makeReader()
    let definition = try #require(try reader.definitions(of: organization).first { $0.kind == .schema })
    var changed = definition
    changed.document["attributes"] = [
      ["name": "seats", "type": "integer"], ["name": "color", "type": "string", "caseExact": true],
    ]
    let change = DefinitionWriter.Change(put: [changed])
    let survey = try writer.survey(change, force: false, since: since, in: reader)
    reader.release()
    // One gets the attribute, one is new, one loses it, one goes.
    expect(try client.send("PATCH /Licenses/l1", PatchBody.make([("add", "\(licenseURN):color", "Blue")])), 200)
    _ = try client.create("/Licenses", Samples.license("new", ["color": "Green"]))
    expect(try client.send("PATCH /Licenses/l50", PatchBody.make([("remove", "\(licenseURN):color", nil)])), 200)
    expect(try client.send("DELETE /Licenses/l100"), 204)
    _ = try store.writeInStepsAndWait(from: (), pause: {}) { (transaction, _) throws(SCIMError) in
      try writer.step(change, force: false, survey: survey, in: transaction)
    }
    for (color, total) in [("Blue", 1), ("blue", 0), ("Green", 1), ("green", 0), ("Red 150", 1), ("red 150", 0)] {
      let reply = try client.send("GET /Licenses?filter=\(licenseURN):color eq \"\(color)\"&count=0")
      #expect(reply.total == Int64(total), "\(color)")
    }
    #expect(try store.makeCheck().run() == [])
  }
}
