import SCIMCore
import Testing

/// Values that match nothing in the catalogue: what keeps them, and what links them.
@Suite("Unmatched values")
struct UnmatchedTests {
  private static let userURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:User"

  private func user(_ roles: [JSON]) -> JSON {
    ["schemas": [Self.userURN], "userName": "ann", "roles": .array(roles)]
  }

  private func role(_ client: Client) throws -> String {
    try client.create("/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Auditor"]).id
  }

  @Test(
    "An unmatched value is linked when it is assigned again, whatever the verb, and by nothing else",
    arguments: [
      ("PUT", "", [["value": "Auditor"]], true),
      ("add", "roles", [["value": "Auditor"]], true),
      ("add", "roles", [["value": "AUDITOR"]], true),
      ("add", "roles", [["value": "Auditor", "primary": true]], true),
      ("replace", "roles", [["value": "Auditor"]], true),
      ("add", "", ["roles": [["value": "auditor"]]], true),
      ("replace", "", ["roles": [["value": "Auditor"]]], true),
      ("replace", #"roles[value eq "Auditor"]"#, ["value": "Auditor"], true),
      ("replace", #"roles[value eq "Auditor"].value"#, "Auditor", true),
      ("replace", #"roles[value eq "Auditor"].primary"#, true, false),
      ("replace", #"roles[value eq "Auditor"].display"#, "The Auditor", false),
      ("replace", "roles.primary", true, false),
      ("replace", "title", "Dr", false),
      ("add", "roles", [["value": "Other"]], false),
    ] as [(String, String, JSON, Bool)])
  func linking(_ verb: String, _ path: String, _ value: JSON, _ isLinked: Bool) throws {
    let client = try Tenant(Harness()).client
    let ann = try client.create("/Users", user([["value": "Auditor"]]))
    let id = try role(client)
    let reply =
      verb == "PUT"
      ? try client.send("PUT /Users/\(ann.id)", user(value.arrayValue ?? []))
      : try client.send("PATCH /Users/\(ann.id)", PatchBody.make([(verb, path.isEmpty ? nil : path, value)]))
    expect(reply, 200)
    let values = (reply["roles"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
    #expect(values.filter { $0 != "Other" } == [isLinked ? id : "Auditor"], "\(reply)")
  }

  @Test(
    "Two that differ in letter case are one, and what either says besides holds of it",
    arguments: [
      ("POST", "", []), ("PUT", "", []), ("replace", "roles", [["value": "Pro"], ["value": "pro", "primary": true]]),
      ("replace", #"roles[value eq "Other"].value"#, "pro"), ("add", #"roles[value eq "Other"]"#, ["value": "pro"]),
      ("replace", #"roles[value eq "Other"]"#, ["value": "pro"]),
    ] as [(String, String, JSON)])
  func letterCase(_ verb: String, _ path: String, _ value: JSON) throws {
    let client = try Tenant(Harness()).client
    let both = user([["value": "Pro"], ["value": "pro", "primary": true]])
    let reply: Reply
    if verb == "POST" {
      reply = try client.create("/Users", both)
    } else {
      let ann = try client.create("/Users", user([["value": "Pro"], ["value": "Other", "primary": true]]))
      reply =
        verb == "PUT"
        ? try client.send("PUT /Users/\(ann.id)", both)
        : try client.send("PATCH /Users/\(ann.id)", PatchBody.make([(verb, path, value)]))
    }
    #expect(reply["roles"]?.arrayValue?.count == 1, "\(reply)")
    #expect(reply["roles"]?[0]?["value"] == "Pro", "\(reply)")
    guard path.last != "]" || verb == "add" else { return }
    #expect(reply["roles"]?[0]?["primary"] == true, "\(reply)")
  }

  @Test(
    "In a closed catalogue what a user has already is kept, and what is new is refused",
    arguments: [
      ("PUT", "", [["value": "Ghost"]], 200), ("PUT", "", [["value": "ghost", "primary": true]], 200),
      ("PUT", "", [["value": "Ghost"], ["value": "New"]], 400), ("PUT", "", [["value": "New"]], 400),
      ("add", "roles", [["value": "Ghost"]], 200), ("replace", "roles", [["value": "Ghost"]], 200),
      ("replace", #"roles[value eq "Ghost"].primary"#, true, 200), ("add", "roles", [["value": "New"]], 400),
      ("replace", #"roles[value eq "Ghost"].value"#, "New", 400), ("replace", "title", "Dr", 200),
    ] as [(String, String, JSON, Int)])
  func closed(_ verb: String, _ path: String, _ value: JSON, _ status: Int) throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let ann = try client.create("/Users", user([["value": "Ghost"]]))
    var organization = tenant.organization
    organization.catalog = .closed
    let closed = organization
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.updateOrganization(closed)
    }
    let before = try client.snapshot()
    let reply =
      verb == "PUT"
      ? try client.send("PUT /Users/\(ann.id)", user(value.arrayValue ?? []))
      : try client.send("PATCH /Users/\(ann.id)", PatchBody.make([(verb, path, value)]))
    guard status == 200 else {
      expectError(reply, status, "invalidValue")
      #expect(try client.snapshot() == before)
      return
    }
    expect(reply, 200)
    #expect(reply["roles"]?.arrayValue?.count == 1, "\(reply)")
    expectError(try client.send("POST /Users", user([["value": "Ghost"]])), 400, "invalidValue")
  }

  @Test("A type makes another element of a value that matched nothing without one, and is looked up")
  func withType() throws {
    let client = try Tenant(Harness()).client
    try DefinitionSamples.defineLicenses(client)
    let ann = try client.create(
      "/Users", ["schemas": [Self.userURN], "userName": "ann", "entitlements": [["value": "Pro"]]])
    let license = try client.create("/Licenses", DefinitionSamples.license("Pro")).id
    _ = try client.create(
      "/Characteristics", ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Pro"])
    let reply = try client.send(
      "PATCH /Users/\(ann.id)", PatchBody.make([("add", "entitlements", [["value": "Pro", "type": "License"]])]))
    expect(reply, 200)
    #expect(reply["entitlements"]?.arrayValue?.compactMap { $0["value"] } == [.string(license), "Pro"], "\(reply)")
    let again = try client.send(
      "PATCH /Users/\(ann.id)", PatchBody.make([("add", "entitlements", [["value": .string(license)]])]))
    #expect(again.version == reply.version)
  }

  @Test("In a closed catalogue an element that has the id of another one of the user's is kept as well")
  func closedWithAnID() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let tall = try client.create(
      "/Characteristics", ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Tall"]
    ).id
    let ann = try client.create(
      "/Users",
      [
        "schemas": [Self.userURN], "userName": "ann",
        "entitlements": [["value": .string(tall)], ["value": .string(tall), "type": "License"]],
      ])
    try tenant.change { $0.catalog = .closed }
    for body in [
      PatchBody.replace("title", "Dr"), PatchBody.make([("add", "entitlements", [["value": "Tall"]])]),
    ] {
      let reply = try client.send("PATCH /Users/\(ann.id)", body)
      expect(reply, 200)
      let types = reply["entitlements"]?.arrayValue?.compactMap { $0["type"] }
      #expect(types == ["Characteristic", "License"], "\(reply)")
    }
  }

  @Test(
    "A path into an element that the user does not hold makes none",
    arguments: [
      #"roles[value eq "ID"].primary"#, #"roles[value eq "Auditor"].display"#, #"roles[value eq "Auditor"].value"#,
      #"roles[display eq "Auditor"].value"#, #"roles[value eq "ID" and primary eq true].display"#,
    ], ["add", "replace"])
  func noElement(_ path: String, _ verb: String) throws {
    let client = try Tenant(Harness()).client
    let ann = try client.create("/Users", user([]))
    let id = try role(client)
    let value: JSON = path.hasSuffix("primary") ? true : "Auditor"
    let reply = try client.send(
      "PATCH /Users/\(ann.id)", PatchBody.make([(verb, path.replacing("ID", with: id), value)]))
    expectError(reply, 400, "noTarget")
    #expect(try client.send("GET /Users/\(ann.id)")["roles"] == nil)
  }

  @Test("What names no element still assigns one, as Entra does")
  func entra() throws {
    let client = try Tenant(Harness()).client
    let ann = try client.create("/Users", user([]))
    let id = try role(client)
    let reply = try client.send(
      "PATCH /Users/\(ann.id)", PatchBody.make([("add", #"roles[primary eq "True"].value"#, "Auditor")]))
    expect(reply, 200, ["roles": [["value": .string(id), "primary": true]]])
  }
}
