import SCIMCore
import Testing

/// Operations of one PATCH see what those before them assigned, whichever way it was named.
@Suite("Assignments within one PATCH")
struct AssignmentOrderTests {
  private static let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"

  private struct World {
    let client: Client
    let auditor: String
    let clerk: String
    let tall: String

    init() throws {
      client = try Tenant(Harness()).client
      func role(_ client: Client, _ name: String, value: String) throws -> String {
        try client.create(
          "/Roles",
          [
            "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": .string(name),
            AssignmentOrderTests.draft: ["value": .string(value)],
          ]
        ).id
      }
      auditor = try role(client, "Auditor", value: "aud")
      clerk = try role(client, "Clerk", value: "clk")
      tall = try client.create(
        "/Characteristics", ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Tall"]
      ).id
    }

    /// The text with ids in the place of `A`, `C` and `T` in braces.
    func filled(_ text: String) -> String {
      text.replacing("{A}", with: auditor).replacing("{C}", with: clerk).replacing("{T}", with: tall)
    }

    func user(_ roles: String) throws -> String {
      let body = #"{"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "u", "roles": \#(roles)}"#
      let reply = try client.send("POST /Users", text: filled(body))
      try #require(reply.status == 201, "\(reply)")
      return reply.id
    }

    func patch(_ user: String, _ operations: String) throws -> Reply {
      try client.send(
        "PATCH /Users/\(user)", text: filled(#"{"schemas": ["\#(PatchBody.schema)"], "Operations": [\#(operations)]}"#))
    }
  }

  private static let add = #"{"op": "add", "path": "roles", "value": [{"value": "Auditor"}]}"#
  private static let addByID = #"{"op": "add", "path": "roles", "value": [{"value": "{A}"}]}"#

  @Test(
    "What is added is removed, by name or by id",
    arguments: [
      add, addByID, #"{"op": "add", "value": {"roles": [{"value": "AUD"}]}}"#,
      #"{"op": "replace", "path": "roles", "value": [{"value": "Auditor"}, {"value": "Clerk"}]}"#,
      #"{"op": "add", "path": "roles", "value": "aud"}"#,
    ],
    [
      #"{"op": "remove", "path": "roles[value eq \"{A}\"]"}"#,
      #"{"op": "remove", "path": "roles[value eq \"Auditor\"]"}"#,
      #"{"op": "remove", "path": "roles[value eq \"aud\"]"}"#,
      #"{"op": "remove", "path": "roles[display eq \"auditor\"]"}"#,
      #"{"op": "remove", "path": "roles[type eq \"Role\" and not (value eq \"Clerk\")]"}"#,
      #"{"op": "remove", "path": "roles", "value": [{"value": "{A}"}]}"#,
      #"{"op": "remove", "path": "roles", "value": [{"value": "Auditor"}]}"#,
    ])
  func removed(_ addition: String, _ removal: String) throws {
    let world = try World()
    // Whether or not the user had it before.
    for roles in [#"[{"value": "{C}"}]"#, #"[{"value": "{C}"}, {"value": "{A}"}]"#] {
      let user = try world.user(roles)
      let reply = try world.patch(user, addition + "," + removal)
      #expect(reply.status == 200, "\(reply)")
      let held = (reply["roles"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
      #expect(held == [world.clerk], "\(reply)")
      #expect(try world.client.send("DELETE /Users/\(user)").status == 204)
    }
  }

  @Test(
    "What is removed is added again, by name or by id", arguments: [add, addByID],
    [#"{"op": "remove", "path": "roles[value eq \"{A}\"]"}"#, #"{"op": "remove", "path": "roles", "value": "aud"}"#])
  func addedAgain(_ addition: String, _ removal: String) throws {
    let world = try World()
    let user = try world.user(#"[{"value": "{A}"}]"#)
    let before = try world.client.send("GET /Users/\(user)").version
    let reply = try world.patch(user, removal + "," + addition)
    expect(reply, 200, ["roles": [["value": .string(world.auditor), "display": "Auditor"]]])
    #expect(reply.version == before)
  }

  @Test("An entry named in several ways is there once, with what each says of it")
  func once() throws {
    let world = try World()
    let user = try world.user("[]")
    let reply = try world.patch(
      user,
      #"{"op": "add", "path": "roles", "value": [{"value": "Auditor"}, {"value": "{A}", "primary": true}]},"#
        + #"{"op": "add", "path": "roles", "value": [{"value": "aud"}]}"#)
    expect(reply, 200, ["roles": [["value": .string(world.auditor), "primary": true]]])
    #expect(reply["roles"]?.arrayValue?.count == 1)
  }

  @Test("A path chooses what was added by name, and changes it")
  func chosen() throws {
    let world = try World()
    let user = try world.user("[]")
    let reply = try world.patch(
      user,
      Self.add + #", {"op": "replace", "path": "roles[value eq \"{A}\"].primary", "value": true}"#)
    expect(reply, 200, ["roles": [["value": .string(world.auditor), "primary": true]]])
  }

  @Test("An unmatched value that names an entry by now is that entry once it is assigned again")
  func unmatched() throws {
    let world = try World()
    let user = try world.user(#"[{"value": "Later"}]"#)
    let later = try world.client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Later"]
    ).id
    let reply = try world.patch(
      user,
      #"{"op": "add", "path": "roles", "value": [{"value": "later"}]},"#
        + #"{"op": "remove", "path": "roles[value eq \"\#(later)\"]"}"#)
    #expect(reply.status == 200 && reply["roles"] == nil, "\(reply)")
  }

  @Test("Of entitlements the type tells which is meant")
  func typed() throws {
    let world = try World()
    let user = try world.user("[]")
    let reply = try world.patch(
      user,
      #"{"op": "add", "path": "entitlements", "value": [{"value": "Tall", "type": "characteristic"}, {"value": "Tall", "type": "Other"}]},"#
        + #"{"op": "remove", "path": "entitlements[type eq \"Characteristic\" and value eq \"{T}\"]"}"#)
    expect(reply, 200, ["entitlements": [["value": "Tall", "type": "Other"]]])
    #expect(reply["entitlements"]?.arrayValue?.count == 1, "\(reply)")
  }
}
