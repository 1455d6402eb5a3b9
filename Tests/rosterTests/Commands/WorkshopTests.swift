import SCIMCore
import Testing

@testable import roster

/// The whole conversation of an identity provider that manages entitlements, from discovery to deprovisioning.
@Suite struct WorkshopTests {
  static let key = "123123"

  @Test func discoverImportAssignReadBackDeactivate() async throws {
    let runner = try CommandRunner()
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"))
    let server = try RunningServer(runner)

    // What is there: the types, their schemas, and each catalogue.
    let types = try await server.get("/ResourceTypes", key: Self.key).body?["Resources"]?.arrayValue ?? []
    let schemas = try await server.get("/Schemas", key: Self.key).body?["Resources"]?.arrayValue ?? []
    let catalogs = types.filter { $0["schema"]?.stringValue?.hasPrefix("urn:okta:scim:schemas:core:1.0:") == true }
    #expect(Set(catalogs.map { $0["name"] }) == ["Role", "Characteristic"])
    var names: [String?] = []
    for type in catalogs {
      #expect(schemas.contains { $0["id"] == type["schema"] })
      let list = try await server.get(try #require(type["endpoint"]?.stringValue), key: Self.key)
      names += list.body?["Resources"]?.arrayValue?.map { $0["displayName"]?.stringValue } ?? []
    }
    #expect(Set(names) == ["Todo-er", "Todo Auditor", "Manager", "This user is so tall"])

    // Import by pages of one.
    var users: [JSON] = []
    while true {
      let page = try await server.get("/Users?startIndex=\(users.count + 1)&count=1", key: Self.key).body
      #expect(page?["totalResults"] == 2)
      guard let user = page?["Resources"]?.arrayValue?.first else { break }
      users.append(user)
    }
    #expect(users.map { $0["externalId"] } == ["31", "32"])

    // Assign: a role to one, an entitlement to the other.
    let role = try await server.get("/Roles?filter=displayName%20eq%20%22Todo-er%22", key: Self.key)
    let roleID = try #require(role.body?["Resources"]?.arrayValue?.first?["id"])
    let ids = users.compactMap { $0["id"]?.stringValue }
    try #require(ids.count == 2)
    var somnus = try #require(users[0].objectValue)
    somnus["roles"] = [["value": roleID, "display": "Todo-er"]]
    #expect(try await server.send("PUT", "/Users/\(ids[0])", .object(somnus), key: Self.key).status == 200)
    var trinity = try #require(users[1].objectValue)
    trinity["entitlements"] = [["value": "is_tall", "type": "Characteristic"]]
    #expect(try await server.send("PUT", "/Users/\(ids[1])", .object(trinity), key: Self.key).status == 200)

    let first = try await server.get("/Users/\(ids[0])", key: Self.key).body
    #expect(first?["roles"]?.arrayValue?.map { $0["value"] } == [roleID])
    let second = try await server.get("/Users/\(ids[1])", key: Self.key).body
    #expect(second?["entitlements"]?.arrayValue?.map { $0["value"] } == ["is_tall"])
    #expect(second?["entitlements"]?.arrayValue?.map { $0["display"] } == ["This user is so tall"])
    #expect(second?["roles"]?.arrayValue?.map { $0["display"] } == ["Todo-er"])

    // Seen past the server as well.
    let table = try runner.run("inspect", "users").output.split(separator: "\n").map(String.init)
    #expect(table.count == 3)
    #expect(table[1].contains("somnus.henderson@gridco.example") && table[1].contains("Todo-er"))
    #expect(table[2].contains("trinity@gridco.example") && table[2].contains("This user is so tall"))

    // Deprovision by a PATCH without a path.
    let patch: JSON = [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      "Operations": [["op": "replace", "value": ["active": false]]],
    ]
    #expect(try await server.send("PATCH", "/Users/\(ids[0])", patch, key: Self.key).status == 200)
    #expect(try await server.get("/Users/\(ids[0])", key: Self.key).body?["active"] == false)
    #expect(server.stop() == 0)
    #expect(try runner.run("check").code == 0)
  }
}
