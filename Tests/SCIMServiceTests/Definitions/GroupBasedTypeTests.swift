import SCIMCore
import Testing

/// An organisation's own type with the base schema of groups: its members are held by the rules of groups.
@Suite("Own types based on groups")
struct GroupBasedTypeTests {
  private static let group = "urn:ietf:params:scim:schemas:core:2.0:Group"

  private struct World {
    let tenant: Tenant
    var client: Client { tenant.client }
    let ann: String
    let desk: String
    let team: String

    init() throws {
      tenant = try Tenant(Harness())
      let client = tenant.client
      _ = try client.create(
        "/ResourceTypes", DefinitionSamples.type("Team", "/Teams", extensions: [], base: GroupBasedTypeTests.group))
      ann = try client.create("/Users", ["schemas": [.string(DefinitionSamples.user)], "userName": "ann"]).id
      desk = try client.create("/Groups", GroupBasedTypeTests.body("Desk", [ann])).id
      team = try client.create("/Teams", GroupBasedTypeTests.body("Red", [ann, desk])).id
    }
  }

  private static func body(_ name: String, _ members: [String]) -> JSON {
    [
      "schemas": [.string(group)], "displayName": .string(name),
      "members": .array(members.map { ["value": .string($0)] }),
    ]
  }

  private func members(_ world: World) throws -> [String] {
    let reply = try world.client.send("GET /Teams/\(world.team)")
    return (reply["members"]?.arrayValue ?? []).map { element in
      "\(element["value"]?.stringValue ?? "-") \(element["type"]?.stringValue ?? "-")"
    }
  }

  @Test("Members are shown with what they are, found, and go with the resource")
  func shown() throws {
    let world = try World()
    #expect(try members(world) == ["\(world.ann) User", "\(world.desk) Group"])
    #expect(try world.client.send("GET /Teams?filter=members.value eq \"\(world.ann)\"").ids == [world.team])
    #expect(try world.client.send("DELETE /Users/\(world.ann)").status == 204)
    #expect(try members(world) == ["\(world.desk) Group"])
    #expect(try world.tenant.harness.store.makeCheck().run().isEmpty)
  }

  @Test("What does not exist, and what is of an own type, is refused by every verb, and nothing changes")
  func refused() throws {
    let world = try World()
    let client = world.client
    let before = try client.snapshot()
    for id in ["nobody", world.team] {
      expectError(try client.send("POST /Teams", Self.body("Blue", [id])), 400, "invalidValue")
      expectError(try client.send("PUT /Teams/\(world.team)", Self.body("Red", [id])), 400, "invalidValue")
      expectError(try client.send("PUT /Groups/\(world.desk)", Self.body("Desk", [id])), 400, "invalidValue")
      for verb in ["add", "replace"] {
        let body = PatchBody.make([(verb, "members", [["value": .string(id)]])])
        expectError(try client.send("PATCH /Teams/\(world.team)", body), 400, "invalidValue")
      }
    }
    #expect(try client.snapshot() == before)
  }

  @Test("Users show the groups they are in, and nothing of an own type")
  func groups() throws {
    let world = try World()
    let ann = try world.client.send("GET /Users/\(world.ann)")
    #expect((ann["groups"]?.arrayValue ?? []).map { $0["value"] } == [.string(world.desk)], "\(ann)")
    #expect(try world.client.send("GET /Users?filter=groups.value eq \"\(world.team)\"").total == 0)
  }

  @Test("The type is retired with its resources, and members stay")
  func retired() throws {
    let world = try World()
    #expect(try world.client.send("DELETE /ResourceTypes/Team").status == 409)
    #expect(try world.client.send("DELETE /ResourceTypes/Team?force=true").status == 204)
    #expect(try world.client.send("GET /Groups/\(world.desk)").status == 200)
    #expect(try world.tenant.harness.store.makeCheck().run().isEmpty)
  }
}
