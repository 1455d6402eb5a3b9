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
}
