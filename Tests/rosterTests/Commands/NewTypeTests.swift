import Foundation
import SCIMCore
import Testing

@testable import roster

/// A new resource type is two documents and no Swift.
@Suite struct NewTypeTests {
  static let schema = """
    {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"], "id": "urn:example:scim:schemas:1.0:Device",
     "name": "Device", "description": "A device.", "attributes": [
       {"name": "serialNumber", "type": "string", "multiValued": false, "description": "On its back.", "required": true,
        "caseExact": true, "mutability": "readWrite", "returned": "default", "uniqueness": "server"},
       {"name": "displayName", "type": "string", "multiValued": false, "description": "Its name.", "required": false,
        "caseExact": false, "mutability": "readWrite", "returned": "default", "uniqueness": "none"}]}
    """
  static let type = """
    {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], "id": "Device", "name": "Device",
     "endpoint": "/Devices", "description": "A device.", "schema": "urn:example:scim:schemas:1.0:Device"}
    """

  @Test func everyVerbWorksOnATypeThatTwoDocumentsAdd() async throws {
    let runner = try CommandRunner()
    let types = runner.directory.appendingPathComponent("schemas/types")
    try FileManager.default.createDirectory(at: types, withIntermediateDirectories: true)
    _ = try runner.file("schemas/Device.json", Self.schema)
    _ = try runner.file("schemas/types/Device.json", Self.type)
    _ = try runner.run("org", "create", "acme.example")
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let schemas = runner.directory.appendingPathComponent("schemas").path
    let server = try RunningServer(runner, ["--schemas", schemas])

    #expect(try await server.get("/ResourceTypes/Device", key: key).body?["endpoint"] == "/Devices")
    let schema = try await server.get("/Schemas/urn:example:scim:schemas:1.0:Device", key: key)
    #expect(schema.body?["attributes"]?.arrayValue?.count == 2)

    let urn: JSON = ["urn:example:scim:schemas:1.0:Device"]
    let body: JSON = ["schemas": urn, "serialNumber": "A1", "displayName": "Printer"]
    let created = try await server.send("POST", "/Devices", body, key: key)
    #expect(created.status == 201)
    let id = try #require(created.body?["id"]?.stringValue)
    #expect(try await server.send("POST", "/Devices", body, key: key).status == 409)
    #expect(try await server.send("POST", "/Devices", ["schemas": urn], key: key).status == 400)
    #expect(try await server.get("/Devices/\(id)", key: key).body?["displayName"] == "Printer")
    let found = try await server.get("/Devices?filter=serialNumber%20eq%20%22A1%22", key: key)
    #expect(found.body?["totalResults"] == 1)

    let replacement: JSON = ["schemas": urn, "serialNumber": "A2"]
    let replaced = try await server.send("PUT", "/Devices/\(id)", replacement, key: key)
    #expect(replaced.body?["serialNumber"] == "A2" && replaced.body?["displayName"] == nil)
    let patch: JSON = [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      "Operations": [["op": "add", "path": "displayName", "value": "Scanner"]],
    ]
    #expect(try await server.send("PATCH", "/Devices/\(id)", patch, key: key).body?["displayName"] == "Scanner")

    // The command line knows the type where it is told of it.
    let seed = try runner.file(
      "devices.json",
      """
      {"format": "roster-seed/1", "organizations": [{"name": "acme.example",
       "resources": {"Device": [{"serialNumber": "A2"}, {"serialNumber": "B1"}]}}]}
      """)
    #expect(try runner.run("seed", seed).code == 1)
    let seeded = try runner.run("seed", seed, "--json", environment: ["ROSTER_SCHEMAS": schemas])
    #expect(seeded.json?.arrayValue?.first?["created"] == 1)
    #expect(seeded.json?.arrayValue?.first?["unchanged"] == 1)
    #expect(try await server.get("/Devices?count=0", key: key).body?["totalResults"] == 2)

    #expect(try await server.send("DELETE", "/Devices/\(id)", key: key).status == 204)
    #expect(try await server.get("/Devices/\(id)", key: key).status == 404)
    #expect(server.stop() == 0)
    #expect(try runner.run("check", "--schemas", schemas).code == 0)
  }
}
