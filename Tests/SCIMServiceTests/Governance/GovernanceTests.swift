import SCIMCore
import Testing

/// What a reader key finds out over SCIM: who holds what, what contains what, and what nobody holds.
@Suite("Governance over SCIM")
struct GovernanceTests {
  private static let draft = "urn:ietf:params:scim:schemas:core:2.0:Role"
  private static let used = draft + ":totalAssignmentsUsed"

  private let tenant: Tenant
  private let reader: Client
  /// Ids by name: roles, users and one entitlement `seat`.
  private var ids: [String: String] = [:]

  init() throws {
    tenant = try Tenant(Harness())
    reader = try tenant.client(role: .reader)
    let admin = tenant.client
    func role(_ name: String, _ settings: JSON?) throws -> String {
      var body = JSONObject()
      body["schemas"] = ["urn:okta:scim:schemas:core:1.0:Role"]
      body["displayName"] = .string(name)
      body[Self.draft] = settings
      return try admin.create("/Roles", .object(body)).id
    }
    ids["plain"] = try role("Plain", nil)
    ids["clerk"] = try role("Clerk", ["contains": ["seat-a", "Plain"]])
    ids["unused"] = try role("Unused", nil)
    ids["idle"] = try role("Idle", ["supported": true])
    let seat = try admin.create(
      "/Characteristics", ["schemas": ["urn:okta:scim:schemas:core:1.0:Entitlement"], "displayName": "Seat A"])
    ids["seat"] = seat.id
    for (name, roles) in [("ann", ["plain"]), ("bob", ["plain", "clerk"]), ("cid", []), ("dot", ["plain"])] {
      let held = roles.compactMap { ids[$0] }
      let user: JSON = [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string(name),
        "roles": .array(held.map { ["value": .string($0)] } + (name == "dot" ? [["value": "Stray"]] : [])),
        "entitlements": .array(name == "cid" ? [["value": .string(seat.id), "type": "Characteristic"]] : []),
      ]
      ids[name] = try admin.create("/Users", user).id
    }
  }

  private func names(_ path: String, _ filter: String) throws -> [String] {
    let reply = try reader.send("GET \(path)?filter=\(filter)")
    try #require(reply.status == 200, "\(reply)")
    return reply.resources.compactMap { ($0["userName"] ?? $0["displayName"])?.stringValue }
  }

  @Test("Who holds an entry: by type and value, by role, one that is linked and one that is not")
  func holders() throws {
    let (seat, plain) = (ids["seat"] ?? "", ids["plain"] ?? "")
    #expect(try names("/Users", "entitlements[type eq \"Characteristic\" and value eq \"\(seat)\"]") == ["cid"])
    #expect(try names("/Users", "entitlements[type eq \"License\" and value eq \"\(seat)\"]") == [])
    #expect(try names("/Users", "roles[value eq \"\(plain)\"]") == ["ann", "bob", "dot"])
    #expect(try names("/Users", "roles.value eq \"stray\"") == ["dot"])
    #expect(try names("/Users", "not (roles pr) and not (entitlements pr)") == [])
    #expect(
      try names("/Users", "roles[value eq \"\(plain)\"] and roles[value eq \"\(ids["clerk"] ?? "")\"]") == ["bob"])
  }

  @Test(
    "The catalogue by what it contains and how often it is held",
    arguments: [
      ("\(draft):contains eq \"SEAT-A\"", ["Clerk"]), ("\(draft):contains eq \"plain\"", ["Clerk"]),
      ("\(draft):contains pr", ["Clerk"]), ("\(draft):contains eq \"nothing\"", []),
      // Every role has the count, also one that has no attribute of the extension.
      ("\(used) eq 0", ["Unused", "Idle"]), ("\(used) ne 0", ["Plain", "Clerk"]), ("\(used) eq 3", ["Plain"]),
      ("\(used) eq 1", ["Clerk"]), ("\(used) gt 1", ["Plain"]), ("\(used) ge 1", ["Plain", "Clerk"]),
      ("\(used) lt 1", ["Unused", "Idle"]), ("\(used) le 1", ["Clerk", "Unused", "Idle"]),
      ("\(used) gt -1", ["Plain", "Clerk", "Unused", "Idle"]), ("\(used) lt 0", []), ("\(used) eq -1", []),
      ("\(used) pr", ["Plain", "Clerk", "Unused", "Idle"]),
      ("\(used) gt 0 and \(draft):contains pr", ["Clerk"]),
      (
        "\(used) eq 0 or displayName eq \"clerk\"",
        ["Clerk", "Unused", "Idle"]
      ),
      ("not (\(used) eq 0)", ["Plain", "Clerk"]),
    ])
  func catalogue(_ filter: String, _ expected: [String]) throws {
    #expect(try names("/Roles", filter) == expected)
  }

  @Test("The count is shown where it is asked for, also by a role that has nothing else of the extension")
  func countOnRequest() throws {
    let path = "/Roles/\(ids["plain"] ?? "")"
    #expect(try reader.send("GET \(path)")[Self.draft] == nil)
    let asked = try reader.send("GET \(path)?attributes=\(Self.used)")
    #expect(asked[Self.draft] == ["totalAssignmentsUsed": 3], "\(asked)")
    #expect(asked["schemas"] == ["urn:okta:scim:schemas:core:1.0:Role", .string(Self.draft)])
    #expect(try reader.send("GET \(path)?attributes=displayName")[Self.draft] == nil)
  }

  @Test("A cursor walks over all holders, each once, whatever is written meanwhile")
  func walk() throws {
    let plain = ids["plain"] ?? ""
    for number in 0..<23 {
      _ = try tenant.client.create(
        "/Users",
        [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("u\(number)"),
          "roles": [["value": .string(plain)]],
        ])
    }
    var walked: [String] = []
    var cursor = ""
    repeat {
      let page = try reader.send("GET /Users?filter=roles[value eq \"\(plain)\"]&count=5&cursor=\(cursor)")
      try #require(page.status == 200, "\(page)")
      #expect(page.total ?? 0 >= 25)
      walked += page.resources.compactMap { $0["userName"]?.stringValue }
      cursor = page["nextCursor"]?.stringValue ?? ""
      if walked.count == 5 {
        #expect(try tenant.client.send("DELETE /Users/\(ids["ann"] ?? "")").status == 204)
      }
    } while !cursor.isEmpty
    #expect(walked == ["ann", "bob", "dot"] + (0..<23).map { "u\($0)" })
  }

  @Test("A reader reads, and writes nothing; another organisation's reader sees none of it")
  func roles() throws {
    expectError(try reader.send("DELETE /Roles/\(ids["plain"] ?? "")"), 403)
    let other = try Tenant(tenant.harness, name: "other.example", role: .reader).client
    #expect(try other.send("GET /Users?filter=roles[value eq \"\(ids["plain"] ?? "")\"]").total == 0)
    #expect(try other.send("GET /Roles?filter=\(Self.used) ge 0").total == 0)
  }
}
