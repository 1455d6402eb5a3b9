import SCIMCore
import Testing

/// A member that names nobody is refused and never passed over.
@Suite("Members without a value")
struct MemberWithoutValueTests {
  @Test(
    "are refused by POST and PUT, and nothing changes",
    arguments: [
      [["display": "Ada"]], [["type": "User"]], [["$ref": "https://scim.test/Users/1"]], [[:]], [["value": ""]],
      [["unknown": 1]],
    ] as [JSON])
  func refused(_ members: JSON) throws {
    let tenant = try Tenant(Harness())
    let body: JSON = [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Crew", "members": members,
    ]
    let made = try tenant.client.send("POST /Groups", body)
    #expect(made.status == 400)
    #expect(made.json?["scimType"] == "invalidValue")
    let group = try tenant.client.send(
      "POST /Groups", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Crew"])
    #expect(group.status == 201)
    let id = try #require(group.json?["id"]?.stringValue)
    #expect(try tenant.client.send("PUT /Groups/\(id)", body).status == 400)
  }
}
