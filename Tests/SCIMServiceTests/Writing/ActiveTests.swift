import SCIMCore
import Testing

/// A user always has `active`: true where a POST leaves it out, what it was where a PUT does.
@Suite("active left out")
struct ActiveTests {
  private func body(_ active: JSON?) -> JSON {
    var body = JSONObject()
    body["schemas"] = [
      "urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
    ]
    body["userName"] = "ada"
    if let active { body["active"] = active }
    body["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"] = ["department": "Ops"]
    return .object(body)
  }

  @Test("of a POST is true", arguments: [nil, JSON.null], Profile.allCases)
  func post(_ active: JSON?, profile: Profile) throws {
    let client = try Tenant(Harness(), profile: profile).client
    let made = try client.create("/Users", body(active))
    #expect(made["active"] == true)
    #expect(try client.send("GET /Users?filter=active eq true").ids == [made.id])
    #expect(try client.send("GET /Users?filter=active eq false").ids == [])
  }

  @Test("of a PUT stays as it was", arguments: [true, false])
  func put(_ active: Bool) throws {
    let client = try Tenant(Harness()).client
    let made = try client.create("/Users", body(.bool(active)))
    let same = try client.send("PUT /Users/\(made.id)", body(nil))
    #expect(same["active"] == .bool(active))
    #expect(same.version == made.version)
    #expect(try client.send("PUT /Users/\(made.id)", body(.null))["active"] == .bool(active))
    #expect(try client.send("PUT /Users/\(made.id)", body(.bool(!active)))["active"] == .bool(!active))
  }

  @Test("stands where the schema has it")
  func order() throws {
    let client = try Tenant(Harness()).client
    let members = try client.create("/Users", body(nil)).json?.objectValue?.members.map(\.key)
    #expect(
      members == [
        "schemas", "id", "userName", "active", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User", "meta",
      ])
  }

  @Test("is no matter of other types")
  func others() throws {
    let client = try Tenant(Harness()).client
    let group = try client.create(
      "/Groups", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Ops"])
    #expect(group["active"] == nil)
  }
}
