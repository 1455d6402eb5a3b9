import Foundation
import SCIMCore
import SCIMService
import Testing

/// The conversation that an identity provider has with the demo tenant, over a real socket.
@Suite("The workshop's conversation")
struct GridcoTests {
  /// The tenant of `seed/gridco.json`, written as `roster seed` does.
  private static func gridco(_ harness: Harness) throws -> Organization {
    let file = Fixture.url("../../seed/gridco.json")
    let document = try JSON(parsing: Data(contentsOf: file))
    let seed = try #require(document["organizations"]?[0])
    let organization = try harness.organization(try #require(seed["name"]?.stringValue))
    let registry = BuiltInSchemas.registry
    let writer = ResourceWriter(
      registry: registry, organization: organization, profile: .interop, hashPassword: { $0 })
    for name in ["Role", "Characteristic", "User"] {
      let type = try #require(registry.type(named: name))
      for entry in seed["resources"]?[name]?.arrayValue ?? [] {
        var body = try #require(entry.objectValue)
        body["schemas"] = [.string(type.schema.id)]
        let resource = try writer.normalize(.object(body), type: type)
        _ = try harness.store.tenant(organization.id).writeAndWait { (transaction) throws(SCIMError) in
          try writer.create(resource, type: type, id: entry["id"]?.stringValue, in: transaction)
        }
      }
    }
    return organization
  }

  @Test("Discovery, import by pages, a role for Somnus, an entitlement for Trinity, a deactivation")
  func conversation() throws {
    let harness = try Harness()
    let organization = try Self.gridco(harness)
    let server = try harness.serve()
    defer { server.stop() }
    let client = Client(wire: SocketWire(port: server.port), key: try harness.key(of: organization))
    let base = "http://127.0.0.1:\(server.port)/scim/v2"

    // Discovery: the entitlement types are those whose schema is a role's or an entitlement's.
    let types = try client.send("GET /ResourceTypes")
    expect(types, 200)
    #expect(
      types.resources.compactMap { $0["name"]?.stringValue }.sorted() == ["Characteristic", "Group", "Role", "User"])
    let entitlementTypes = types.resources.filter {
      $0["schema"]?.stringValue?.hasPrefix("urn:okta:scim:schemas:core:1.0:") == true
    }
    #expect(Set(entitlementTypes.compactMap { $0["endpoint"]?.stringValue }) == ["/Roles", "/Characteristics"])
    let schemas = try client.send("GET /Schemas")
    let urns = Set(schemas.resources.compactMap { $0["id"]?.stringValue })
    for type in types.resources {
      #expect(urns.contains(try #require(type["schema"]?.stringValue)))
      for part in type["schemaExtensions"]?.arrayValue ?? [] {
        #expect(urns.contains(try #require(part["schema"]?.stringValue)))
      }
    }
    var catalog: [String: [JSON]] = [:]
    for type in entitlementTypes {
      let endpoint = try #require(type["endpoint"]?.stringValue)
      let list = try client.send("GET \(endpoint)?startIndex=1&count=100")
      expect(list, 200, ["schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"]])
      catalog[endpoint] = list.resources
    }
    #expect(catalog["/Roles"]?.compactMap { $0["displayName"] } == ["Todo-er", "Todo Auditor", "Manager"])
    let tall = try #require(catalog["/Characteristics"]?.first)
    #expect(
      tall["id"] == "is_tall" && tall["displayName"] == "This user is so tall" && tall["type"] == "Characteristic")
    #expect(tall["urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic"]?["is_tall"] == "is_tall")

    // Import of the users by pages of one.
    var users: [String: JSON] = [:]
    for index in 1...3 {
      let page = try client.send("GET /Users?startIndex=\(index)&count=1")
      #expect(page.total == 2 && page["startIndex"] == .integer(Int64(index)), "\(page)")
      #expect(page["itemsPerPage"] == (index < 3 ? 1 : 0))
      for user in page.resources { users[user["userName"]?.stringValue ?? ""] = user }
    }
    let somnus = try #require(users["somnus.henderson@gridco.example"])
    let trinity = try #require(users["trinity@gridco.example"])
    #expect(somnus["roles"] == nil && somnus["externalId"] == "31" && somnus["active"] == true)
    let todoer = try #require(catalog["/Roles"]?.first?["id"]?.stringValue)
    #expect(trinity["roles"]?[0]?["value"] == .string(todoer))

    // PUT of the whole user with a role, as it is shown to an administrator.
    var body = try #require(somnus.objectValue)
    body["roles"] = [["value": .string(todoer), "display": "Todo-er"]]
    let id = try #require(somnus["id"]?.stringValue)
    let put = try client.send("PUT /Users/\(id)", .object(body))
    let role: JSON = [
      "value": .string(todoer), "display": "Todo-er", "$ref": .string("\(base)/Roles/\(todoer)"),
    ]
    expect(put, 200, ["roles": [role], "userName": "somnus.henderson@gridco.example", "externalId": "31"])
    expect(try client.send("GET /Users/\(id)"), 200, ["roles": [role], "emails": somnus["emails"] ?? .null])

    var second = try #require(trinity.objectValue)
    second["entitlements"] = [["value": "is_tall", "type": "Characteristic"]]
    let other = try #require(trinity["id"]?.stringValue)
    let entitlement: JSON = [
      "value": "is_tall", "type": "Characteristic", "display": "This user is so tall",
      "$ref": .string("\(base)/Characteristics/is_tall"),
    ]
    expect(try client.send("PUT /Users/\(other)", .object(second)), 200, ["entitlements": [entitlement]])
    expect(
      try client.send("GET /Users/\(other)"), 200,
      ["entitlements": [entitlement], "roles": [["value": .string(todoer)]]])
    #expect(try client.send("GET /Users?filter=roles.value eq \"\(todoer)\"").total == 2)
    #expect(
      try client.send("GET /Users?filter=entitlements[type eq \"Characteristic\" and value eq \"is_tall\"]").ids == [
        other
      ])

    // Deactivation, and nothing else of the user moves.
    let off = try client.send("PATCH /Users/\(id)", PatchBody.make([("replace", nil, ["active": false])]))
    expect(off, 200, ["active": false, "roles": [role], "userName": "somnus.henderson@gridco.example"])
    expect(try client.send("GET /Users/\(id)"), 200, ["active": false, "roles": [role]])
    #expect(try client.send("GET /Users?filter=active eq true").ids == [other])
  }
}
