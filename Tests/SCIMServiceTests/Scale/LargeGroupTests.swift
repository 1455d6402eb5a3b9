import Foundation
import SCIMCore
import Testing

/// What a change of one member costs does not depend on how many there are, and none is ever lost.
@Suite("Large groups")
struct LargeGroupTests {
  /// Requests on the group G and the user U, who is a member of it.
  static let requests: [(name: String, request: String, body: JSON?)] = [
    ("add", "PATCH /Groups/G?excludedAttributes=members", PatchBody.make([("add", "members", [["value": "new"]])])),
    ("add again", "PATCH /Groups/G?excludedAttributes=members", PatchBody.make([("add", "members", [["value": "U"]])])),
    (
      "remove by filter", "PATCH /Groups/G?excludedAttributes=members",
      PatchBody.make([("remove", "members[value eq \"U\"]", nil)])
    ),
    (
      "remove by list", "PATCH /Groups/G?excludedAttributes=members",
      PatchBody.make([("remove", "members", [["value": "U"]])])
    ),
    ("rename", "PATCH /Groups/G?excludedAttributes=members", PatchBody.replace("displayName", "Other")),
    ("read", "GET /Groups/G?excludedAttributes=members", nil),
    ("is a member", "GET /Groups?filter=id eq \"G\" and members.value eq \"U\"&excludedAttributes=members", nil),
    ("is in the group", "GET /Users?filter=userName eq \"U\" and groups.value eq \"G\"&attributes=userName", nil),
  ]

  @Test("One member costs the same among 10 and among 2,000")
  func oneMember() throws {
    let tenant = try LargeTenant(users: 2_002)
    for row in Self.requests {
      let small = try tenant.group("Small \(row.name)", of: tenant.users[..<10])
      let large = try tenant.group("Large \(row.name)", of: tenant.users[..<2_000])
      // Once beforehand, so that statements are prepared and names known.
      _ = try work(row, tenant, group: small, user: "u1", new: "u2000")
      let few = try work(row, tenant, group: small, user: "u2", new: "u2001")
      let many = try work(row, tenant, group: large, user: "u2", new: "u2001")
      #expect(few > 0)
      #expect(many <= 2 * few, "\(row.name): \(few) instructions for 10 members, \(many) for 2,000")
    }
  }

  /// The work of one request with the names put in.
  private func work(
    _ row: (name: String, request: String, body: JSON?), _ tenant: LargeTenant, group: String, user: String, new: String
  ) throws -> Int {
    func fill(_ text: String) -> String {
      text.replacing("/G?", with: "/\(group)?").replacing("\"G\"", with: "\"\(group)\"")
        .replacing("\"U\"", with: "\"\(user)\"").replacing("\"new\"", with: "\"\(new)\"")
        .replacing(#"\"U\""#, with: #"\"\#(user)\""#).replacing("Other", with: "Other \(group) \(user)")
    }
    let body = row.body.map { Array(fill(String(decoding: $0.encoded(), as: UTF8.self)).utf8) }
    return try tenant.meter.work {
      let reply = try tenant.client.send(fill(row.request), bytes: body)
      #expect(reply.status == 200, "\(reply)")
      if row.request.contains("filter") { #expect(reply.total == 1, "\(reply)") }
    }
  }

  /// How many members; `ROSTER_MEMBERS` sets another number.
  static let count = ProcessInfo.processInfo.environment["ROSTER_MEMBERS"].flatMap { Int($0) } ?? 10_000

  @Test("Thousands of members by PUT, by PATCH and in many pieces: all of them, each once")
  func allOfThem() throws {
    let tenant = try LargeTenant(users: Self.count) { $0.maxBodySize = 8 << 20 }
    let group = try tenant.group("All", of: [])
    let address = "/Groups/\(group)?excludedAttributes=members"
    let everybody = LargeTenant.elements(tenant.users)
    func members() throws -> [String] {
      let reply = try tenant.client.send("GET /Groups/\(group)?attributes=members.value")
      #expect(reply.status == 200)
      return (reply["members"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
    }
    let schemas: JSON = ["urn:ietf:params:scim:schemas:core:2.0:Group"]
    expect(
      try tenant.client.send("PUT \(address)", ["schemas": schemas, "displayName": "All", "members": everybody]), 200)
    #expect(try members() == tenant.users)
    expect(try tenant.client.send("PATCH \(address)", PatchBody.replace("members", [["value": "u7"]])), 200)
    #expect(try members() == ["u7"])
    expect(try tenant.client.send("PATCH \(address)", PatchBody.replace("members", everybody)), 200)
    #expect(Set(try members()) == Set(tenant.users))
    expect(try tenant.client.send("PATCH \(address)", PatchBody.make([("remove", "members", nil)])), 200)
    #expect(try members() == [])
    // Pieces that overlap: what is there already is not there twice.
    for start in stride(from: 0, to: tenant.users.count, by: 500) {
      let piece = tenant.users[start..<min(start + 550, tenant.users.count)]
      expect(
        try tenant.client.send("PATCH \(address)", PatchBody.make([("add", "members", LargeTenant.elements(piece))])),
        200)
    }
    #expect(try members() == tenant.users)
  }
}
