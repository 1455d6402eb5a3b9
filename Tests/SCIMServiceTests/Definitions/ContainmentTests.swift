import SCIMCore
import Testing

/// `contains` and `containedBy` among roles and entitlements: no circle, whatever side closes it.
@Suite("Containment")
struct ContainmentTests {
  private static let roleURN = "urn:ietf:params:scim:schemas:core:2.0:Role"

  private static func role(_ name: String, contains: [String] = [], containedBy: [String] = []) -> JSON {
    var settings = JSONObject()
    if !contains.isEmpty { settings["contains"] = .array(contains.map { .string($0) }) }
    if !containedBy.isEmpty { settings["containedBy"] = .array(containedBy.map { .string($0) }) }
    var body = JSONObject()
    body["schemas"] = ["urn:okta:scim:schemas:core:1.0:Role"]
    body["displayName"] = .string(name)
    if !settings.isEmpty { body[roleURN] = .object(settings) }
    return .object(body)
  }

  @Test("The last step of a circle is refused, by id and by name, from either side")
  func circles() throws {
    let client = try Tenant(Harness()).client
    let clerk = try client.create("/Roles", Self.role("Clerk"))
    let office = try client.create("/Roles", Self.role("Office", contains: [clerk.id]))
    let head = try client.create("/Roles", Self.role("Head", contains: ["office"]))
    let before = try client.snapshot()
    let path = "\(Self.roleURN):"
    let replies = [
      try client.send("PATCH /Roles/\(clerk.id)", PatchBody.make([("add", path + "contains", ["Head"])])),
      try client.send("PUT /Roles/\(clerk.id)", Self.role("Clerk", contains: [office.id])),
      try client.send("PATCH /Roles/\(head.id)", PatchBody.make([("add", path + "containedBy", ["Clerk"])])),
      try client.send("PUT /Roles/\(head.id)", Self.role("Head", contains: ["Head"])),
      try client.send("POST /Roles", Self.role("Deputy", contains: ["Head"], containedBy: [clerk.id])),
    ]
    for reply in replies { expectError(reply, 400, "invalidValue") }
    #expect(try client.snapshot() == before)
    // A second way down is no circle.
    _ = try client.create("/Roles", Self.role("Deputy", contains: ["Clerk"], containedBy: ["Head"]))
  }

  @Test("A new name can close one as well")
  func renaming() throws {
    let client = try Tenant(Harness()).client
    _ = try client.create("/Roles", Self.role("Office", contains: ["Clerk", "Porter"]))
    let other = try client.create("/Roles", Self.role("Other", contains: ["Office"]))
    expectError(
      try client.send("PATCH /Roles/\(other.id)", PatchBody.replace("displayName", "Porter")), 400, "invalidValue")
    expectError(try client.send("POST /Roles", Self.role("Clerk", contains: ["Other"])), 400, "invalidValue")
    expect(try client.send("POST /Roles", Self.role("Clerk")), 201)
  }

  @Test("Roles contain entitlements of the organisation's own types, and are found by them")
  func acrossTypes() throws {
    let client = try Tenant(Harness()).client
    try DefinitionSamples.defineLicenses(client)
    let license = try client.create("/Licenses", DefinitionSamples.license("Pro"))
    let role = try client.create("/Roles", Self.role("Clerk", contains: [license.id]))
    #expect(try client.send("GET /Roles?filter=\(Self.roleURN):contains eq \"\(license.id)\"").ids == [role.id])
    expectError(
      try client.send(
        "PATCH /Licenses/\(license.id)",
        PatchBody.replace("\(DefinitionSamples.assignments):contains", [.string(role.id)])), 400, "invalidValue")
  }

  @Test("The word that was used decides: what goes by the same name as another is not taken for it")
  func oneName() throws {
    let client = try Tenant(Harness()).client
    let role = try client.create("/Roles", Self.role("Pro"))
    let characteristic = try client.create(
      "/Characteristics",
      ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Pro"])
    // The name means the role, since roles say it; the id the characteristic.
    let parent = try client.create("/Roles", Self.role("Parent", contains: [characteristic.id], containedBy: ["Pro"]))
    expect(try client.send("PUT /Roles/\(parent.id)", Self.role("Parent", contains: [role.id])), 200)
    expectError(
      try client.send("PUT /Roles/\(parent.id)", Self.role("Parent", contains: ["Pro"], containedBy: [role.id])), 400,
      "invalidValue")
    // The other way round: contained by the name, containing by the id.
    _ = try client.create("/Roles", Self.role("Other", contains: ["Pro"], containedBy: [characteristic.id]))
    expectError(
      try client.send(
        "PATCH /Characteristics/\(characteristic.id)",
        PatchBody.replace("\(DefinitionSamples.assignments):containedBy", [.string(role.id)])), 400, "invalidValue")
  }

  @Test("A circle that a free name closes is named by check, and stands in the way of no other change")
  func freeName() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let clerk = try client.create("/Roles", Self.role("Clerk"))
    let double = try client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Desk"])
    let desk = try client.create(
      "/Roles",
      [
        "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Front", Self.roleURN: ["value": "Desk"],
      ])
    // Two go by the word, so it means neither.
    expect(try client.send("PUT /Roles/\(clerk.id)", Self.role("Clerk", contains: ["Desk"])), 200)
    let path = "\(Self.roleURN):"
    expect(try client.send("PATCH /Roles/\(desk.id)", PatchBody.replace(path + "contains", [.string(clerk.id)])), 200)
    #expect(try tenant.harness.store.makeCheck().run() == [])
    expect(try client.send("DELETE /Roles/\(double.id)"), 204)
    let problems = try tenant.harness.store.makeCheck().run()
    #expect(problems.map(\.kind) == [.circle, .circle], "\(problems)")
    #expect(Set(problems.compactMap(\.id)) == [clerk.id, desk.id])
    // What has nothing to do with it goes on; a second circle does not.
    let third = try client.create("/Roles", Self.role("Third"))
    expect(try client.send("PATCH /Roles/\(clerk.id)", PatchBody.replace("displayName", "Scribe")), 200)
    expect(try client.send("PATCH /Roles/\(desk.id)", PatchBody.make([("add", path + "contains", ["Third"])])), 200)
    expectError(
      try client.send("PATCH /Roles/\(third.id)", PatchBody.replace(path + "contains", [.string(desk.id)])), 400,
      "invalidValue")
    expect(try client.send("PATCH /Roles/\(desk.id)", PatchBody.replace(path + "contains", ["Third"])), 200)
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  /// Two roles that go by the value `Chief`.
  private func twoChiefs(_ client: Client) throws {
    for name in ["One", "Two"] {
      _ = try client.create(
        "/Roles",
        [
          "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": .string(name),
          Self.roleURN: ["value": "Chief"],
        ])
    }
  }

  @Test("What an entry says of itself it says for the first time, whatever it was called before")
  func renamedIntoItself() throws {
    let client = try Tenant(Harness()).client
    let door = try client.create("/Roles", Self.role("Chief"))
    try twoChiefs(client)
    expectError(
      try client.send("PUT /Roles/\(door.id)", Self.role("Door", contains: ["Chief"], containedBy: [door.id])), 400,
      "invalidValue")
  }

  @Test("A word of an entry's own that means another once it is renamed closes a circle", arguments: [false, true])
  func ownWord(isFromBelow: Bool) throws {
    let client = try Tenant(Harness()).client
    // While two go by the word it means neither.
    func body(_ value: String?) -> JSON {
      var settings = JSONObject([.init(key: isFromBelow ? "containedBy" : "contains", value: ["Pro"])])
      if let value { settings["value"] = .string(value) }
      return [
        "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Chief", Self.roleURN: .object(settings),
      ]
    }
    let other = try client.create("/Roles", Self.role("Pro"))
    let chief = try client.create("/Roles", body("pro"))
    let sides = isFromBelow ? ([], [chief.id]) : ([chief.id], [])
    expect(
      try client.send("PUT /Roles/\(other.id)", Self.role("Pro", contains: sides.0, containedBy: sides.1)), 200)
    let before = try client.snapshot()
    let remove = PatchBody.make([("remove", "\(Self.roleURN):value", nil)])
    expectError(try client.send("PATCH /Roles/\(chief.id)", remove), 400, "invalidValue")
    expectError(try client.send("PUT /Roles/\(chief.id)", body(nil)), 400, "invalidValue")
    #expect(try client.snapshot() == before)
    expect(try client.send("PUT /Roles/\(other.id)", Self.role("Pro")), 200)
    expect(try client.send("PATCH /Roles/\(chief.id)", remove), 200)
  }

  @Test("A word that others go by as well did not mean an entry before it was renamed")
  func renamedAmongOthers() throws {
    let client = try Tenant(Harness()).client
    try twoChiefs(client)
    let office = try client.create("/Roles", Self.role("Office", contains: ["Chief", "Door"]))
    let door = try client.create("/Roles", Self.role("Chief", contains: [office.id]))
    expectError(
      try client.send("PATCH /Roles/\(door.id)", PatchBody.replace("displayName", "Door")), 400, "invalidValue")
  }

  @Test("So is an entry that contains itself once a name is free")
  func freeNameOfItsOwn() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    let other = try client.create(
      "/Roles",
      [
        "schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Other", Self.roleURN: ["value": "Clerk"],
      ])
    let clerk = try client.create("/Roles", Self.role("Clerk", contains: ["Clerk"]))
    #expect(try tenant.harness.store.makeCheck().run() == [])
    expect(try client.send("DELETE /Roles/\(other.id)"), 204)
    let problems = try tenant.harness.store.makeCheck().run()
    #expect(problems.map(\.kind) == [.circle] && problems.map(\.id) == [clerk.id], "\(problems)")
    // It may change in other ways, and be put right.
    expect(try client.send("PATCH /Roles/\(clerk.id)", PatchBody.replace("description", "Writes")), 200)
    expect(try client.send("PUT /Roles/\(clerk.id)", Self.role("Clerk")), 200)
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  @Test("A type without the extension can close no circle either")
  func withoutExtension() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    // As it was stored before such types got the extension.
    let document: JSON = [
      "name": "Bare", "endpoint": "/Bares", "schema": "urn:okta:scim:schemas:core:1.0:Entitlement",
    ]
    let bare = try #require(document.objectValue)
    let organization = tenant.organization.id
    try tenant.harness.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(organization).putDefinition(kind: .type, name: "Bare", document: bare)
    }
    _ = try client.create("/Roles", Self.role("Whole", contains: ["Part"], containedBy: ["Part"]))
    let part: JSON = ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Part"]
    expectError(try client.send("POST /Bares", part), 400, "invalidValue")
  }
}
