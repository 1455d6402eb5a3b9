import SCIMCore
import Testing

@Suite("Changes of resources whose type has many attributes")
struct WideTypeTests {
  private static let urn = "urn:acme:wide:1.0:Part"
  private static let attributes = 930

  @Test("Each takes steps for the attributes, set or not, and a Bulk request of them several commits")
  func steps() throws {
    let world = try ChangeWorld()
    let client = world.client
    _ = try client.create("/Schemas", DefinitionSamples.schema(Self.urn, (0..<Self.attributes).map { ("a\($0)", []) }))
    _ = try client.create("/ResourceTypes", DefinitionSamples.type("Wide", "/Wides", extensions: [Self.urn]))
    let id = try client.create("/Wides", DefinitionSamples.license("one")).id
    _ = world.steps.take()
    expect(try client.send("PATCH /Wides/\(id)", PatchBody.make([("replace", "displayName", "two")])), 200)
    let one = world.steps.take().reduce(0, +)
    #expect(one >= WriteCost.change + Self.attributes * 8, "\(one)")
    let count = 200
    let operations: [JSON] = (0..<count).map { number in
      [
        "method": "PATCH", "path": .string("/Wides/\(id)"),
        "data": PatchBody.make([("replace", "displayName", .string("name \(number)"))]),
      ]
    }
    let reply = try client.send(
      "POST /Bulk",
      ["schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], "Operations": .array(operations)])
    #expect(reply["Operations"]?.arrayValue?.filter { $0["status"] == "200" }.count == count)
    let commits = world.steps.take()
    #expect(commits.count > 2, "\(commits)")
    #expect(commits.allSatisfy { $0 < WorkBudget.writeLimit * 2 / 5 }, "\(commits)")
  }
}
