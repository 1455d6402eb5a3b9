import SCIMCore
import Testing

/// What a loop remembers of answers, links and keys is never older than the store.
@Suite("Repeated reads")
struct RepeatedReadTests {
  private static let user: JSON = ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann"]
  private static let groupURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:Group"

  private func group(_ client: Client, _ name: String, _ members: [String]) throws -> Reply {
    try client.create(
      "/Groups",
      [
        "schemas": [Self.groupURN], "displayName": .string(name),
        "members": .array(members.map { ["value": .string($0)] }),
      ])
  }

  /// The groups of a user as pairs of display and type, read twice, which must agree.
  private func groups(_ client: Client, _ id: String) throws -> [[String?]] {
    let first = try client.send("GET /Users/\(id)")
    let second = try client.send("GET /Users/\(id)")
    expect(second, 200)
    #expect(second.json == first.json)
    return (second["groups"]?.arrayValue ?? []).map { [$0["display"]?.stringValue, $0["type"]?.stringValue] }
  }

  @Test func aRepeatedAnswerFollowsEachWrite() throws {
    let client = try Tenant(Harness()).client
    let made = try client.create("/Users", Self.user)
    for title in ["Clerk", "Chief"] {
      expect(try client.send("GET /Users/\(made.id)"), 200)
      expect(try client.send("PATCH /Users/\(made.id)", PatchBody.make([("replace", "title", .string(title))])), 200)
      let read = try client.send("GET /Users/\(made.id)")
      expect(read, 200, ["title": .string(title)])
      #expect(read.header("ETag") == read.version)
    }
    expect(try client.send("DELETE /Users/\(made.id)"), 204)
    expectError(try client.send("GET /Users/\(made.id)"), 404)
  }

  @Test func groupsFollowTheGroupsAboveThem() throws {
    let client = try Tenant(Harness()).client
    let user = try client.create("/Users", Self.user)
    #expect(try groups(client, user.id) == [])
    let team = try group(client, "Team", [user.id])
    #expect(try groups(client, user.id) == [["Team", "direct"]])
    let all = try group(client, "All", [team.id])
    #expect(try groups(client, user.id) == [["Team", "direct"], ["All", "indirect"]])
    let rename = PatchBody.make([("replace", "displayName", "Everybody")])
    expect(try client.send("PATCH /Groups/\(all.id)", rename), 200)
    #expect(try groups(client, user.id) == [["Team", "direct"], ["Everybody", "indirect"]])
    let join = PatchBody.make([("add", "members", [["value": .string(user.id)]])])
    expect(try client.send("PATCH /Groups/\(all.id)", join), 200)
    #expect(try groups(client, user.id) == [["Team", "direct"], ["Everybody", "direct"]])
    expect(try client.send("DELETE /Groups/\(team.id)"), 204)
    #expect(try groups(client, user.id) == [["Everybody", "direct"]])
  }

  @Test func anAnswerBelongsToOneKeyAndForm() throws {
    let harness = try Harness()
    let tenant = try Tenant(harness)
    let made = try tenant.client.create("/Users", Self.user)
    let path = "GET /Users/\(made.id)"
    expect(try tenant.client.send(path), 200)
    // The same wire and so the same loop: another organisation's key, none, and a bad one.
    let stranger = try Tenant(harness, name: "other.example", wire: tenant.client.wire).client
    expectError(try stranger.send(path), 404)
    expectError(try Client(wire: tenant.client.wire, key: nil, harness: harness).send(path), 401)
    expectError(try Client(wire: tenant.client.wire, key: "wrong", harness: harness).send(path), 401)
    // Another form of answer, and conditions.
    let plain = try tenant.client.send(path, headers: [("Accept", "application/json")])
    #expect(plain.header("Content-Type") == "application/json")
    expect(try tenant.client.send(path, headers: [("If-None-Match", made.version)]), 304)
    let names = try tenant.client.send(path + "?attributes=userName")
    #expect(names["meta"] == nil && names["userName"] == "ann")
    expect(try tenant.client.send(path), 200, ["userName": "ann"])
  }

  @Test func aRevokedKeyIsRefusedAtOnce() throws {
    let harness = try Harness()
    let tenant = try Tenant(harness)
    let made = try tenant.client.create("/Users", Self.user)
    expect(try tenant.client.send("GET /Users/\(made.id)"), 200)
    expect(try tenant.client.send("GET /Users/\(made.id)"), 200)
    let organization = tenant.organization.id
    try harness.store.writeAndWait { (transaction) throws(SCIMError) in
      for key in try transaction.keys(of: organization) {
        try transaction.revokeKey(id: key.id, in: organization, at: .now)
      }
    }
    expectError(try tenant.client.send("GET /Users/\(made.id)"), 401)
  }
}
