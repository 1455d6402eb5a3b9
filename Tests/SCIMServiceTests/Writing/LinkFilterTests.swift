import SCIMCore
import Testing

/// The filter in a path sees of a link what reads show: `value`, `$ref`, `display` and `type`.
@Suite("Filters of links in paths")
struct LinkFilterTests {
  private struct Team {
    let client: Client
    let group: String
    let ada: String
    let bob: String
    let inner: String
  }

  private func team() throws -> Team {
    let client = try Tenant(Harness()).client
    func user(_ name: String) throws -> String {
      try client.create(
        "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string(name)]
      )
      .id
    }
    func group(_ name: String, _ members: [String]) throws -> String {
      try client.create(
        "/Groups",
        [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": .string(name),
          "members": .array(members.map { ["value": .string($0)] }),
        ]
      ).id
    }
    let (ada, bob) = (try user("ada"), try user("bob"))
    let inner = try group("Inner", [])
    return Team(client: client, group: try group("Team", [ada, bob, inner]), ada: ada, bob: bob, inner: inner)
  }

  private func members(_ team: Team) throws -> [JSON] {
    try team.client.send("GET /Groups/\(team.group)")["members"]?.arrayValue ?? []
  }

  /// The ids of the members that are left when a path is removed, in the order ada, bob, inner.
  private func left(_ path: (Team) throws -> String) throws -> [String] {
    let team = try team()
    let reply = try team.client.send(
      "PATCH /Groups/\(team.group)", PatchBody.make([("remove", "members[" + path(team) + "]", nil)]))
    #expect(reply.status == 200, "\(reply)")
    let names = [team.ada: "ada", team.bob: "bob", team.inner: "inner"]
    return try members(team).compactMap { $0["value"]?.stringValue.flatMap { names[$0] } }
  }

  private func reference(_ team: Team, of id: String) throws -> String {
    try members(team).first { $0["value"] == .string(id) }?["$ref"]?.stringValue ?? ""
  }

  @Test("$ref")
  func reference() throws {
    #expect(try left { try #"$ref eq "\#(reference($0, of: $0.ada))""# } == ["bob", "inner"])
    #expect(try left { #"$ref ew "\#($0.inner)""# } == ["ada", "bob"])
    #expect(try left { _ in #"$ref co "/Groups/""# } == ["ada", "bob"])
  }

  @Test("what each member has leaves or takes all, and what none has takes none")
  func presence() throws {
    let all = ["ada", "bob", "inner"]
    #expect(try left { _ in "not ($ref pr)" } == all)
    #expect(try left { _ in "$ref eq null" } == all)
    #expect(try left { _ in "type eq null" } == all)
    #expect(try left { _ in "$ref pr" } == [])
    #expect(try left { _ in "display pr and type pr and value pr" } == [])
  }

  @Test("display and type")
  func labels() throws {
    #expect(try left { _ in #"display eq "ADA""# } == ["bob", "inner"])
    #expect(try left { _ in #"type eq "Group""# } == ["ada", "bob"])
    #expect(try left { _ in #"type eq "User" and not (display sw "b")"# } == ["bob", "inner"])
  }

  @Test(
    "what it cannot name is refused, and nobody goes", arguments: ["primary eq true", "nothing pr", "display xx 3"])
  func refused(filter: String) throws {
    let team = try team()
    let reply = try team.client.send(
      "PATCH /Groups/\(team.group)", PatchBody.make([("remove", "members[\(filter)]", nil)]))
    expectError(reply, 400, "invalidFilter")
    #expect(try members(team).count == 3)
  }

  @Test("a part of a member may be repeated and not changed")
  func parts() throws {
    let team = try team()
    func set(_ part: String, _ value: JSON) throws -> Reply {
      try team.client.send(
        "PATCH /Groups/\(team.group)",
        PatchBody.make([("replace", #"members[value eq "\#(team.ada)"].\#(part)"#, value)]))
    }
    for (part, value) in [
      ("type", "User"), ("display", "ada"), ("value", team.ada), ("$ref", try reference(team, of: team.ada)),
    ] {
      #expect(try set(part, .string(value)).status == 200, "\(part)")
    }
    for (part, value) in [("type", "Group"), ("display", "Eve"), ("value", team.bob), ("$ref", "x")] {
      expectError(try set(part, .string(value)), 400, "mutability")
    }
    #expect(try members(team).count == 3)
  }

  @Test("roles have $ref and type as well")
  func roles() throws {
    let client = try Tenant(Harness()).client
    let role = try client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Auditor"])
    let user = try client.create(
      "/Users",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada",
        "roles": [["value": .string(role.id)], ["value": "Unheard"]],
      ])
    let reference = user["roles"]?.arrayValue?.first { $0["value"] == .string(role.id) }?["$ref"]?.stringValue ?? ""
    let none = try client.send(
      "PATCH /Users/\(user.id)", PatchBody.make([("remove", #"roles[$ref eq "\#(reference)x"]"#, nil)]))
    #expect(none["roles"]?.arrayValue?.count == 2)
    let reply = try client.send(
      "PATCH /Users/\(user.id)", PatchBody.make([("remove", #"roles[$ref eq "\#(reference)"]"#, nil)]))
    #expect(reply["roles"]?.arrayValue?.compactMap { $0["value"] } == ["Unheard"], "\(reply)")
  }
}
