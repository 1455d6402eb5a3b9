import Foundation
import SCIMCore
import Testing

@testable import roster

/// A built-in type that comes when an organisation has one of that name already.
@Suite struct LaterTypeTests {
  private static let own = """
    {"name": "Device", "endpoint": "/Devices",
     "extension": {"schema": "urn:acme:Device", "attributes": [{"name": "colour", "type": "string"}]}}
    """
  private static let entitlement: JSON = ["urn:okta:scim:schemas:core:1.0:Entitlement"]

  @Test func theOrganisationGoesOnWithItsOwnAndOthersHaveTheNewOne() async throws {
    let runner = try CommandRunner()
    func key(_ name: String) throws -> String {
      _ = try runner.run("org", "create", name)
      return try #require(try runner.run("key", "create", name, "--role", "admin", "--json").json?["key"]?.stringValue)
    }
    let acme = try key("acme.example")
    let other = try key("other.example")
    #expect(try runner.run("type", "add", try runner.file("own.json", Self.own), "--org", "acme.example").code == 0)
    let types = runner.directory.appendingPathComponent("schemas/types")
    try FileManager.default.createDirectory(at: types, withIntermediateDirectories: true)
    _ = try runner.file("schemas/Device.json", NewTypeTests.schema)
    _ = try runner.file("schemas/types/Device.json", NewTypeTests.type)
    let schemas = runner.directory.appendingPathComponent("schemas").path
    let log = runner.directory.appendingPathComponent("log")
    let server = try RunningServer(runner, ["--schemas", schemas], log: log)

    let body: JSON = ["schemas": Self.entitlement, "displayName": "Printer", "urn:acme:Device": ["colour": "red"]]
    let made = try await server.send("POST", "/Devices", body, key: acme)
    #expect(made.status == 201 && made.body?["urn:acme:Device"]?["colour"] == "red")
    #expect(try await server.get("/Users", key: acme).status == 200)
    let device: JSON = ["schemas": ["urn:example:scim:schemas:1.0:Device"], "serialNumber": "A1"]
    #expect(try await server.send("POST", "/Devices", device, key: other).status == 201)

    // Its own definitions can still be changed and removed, the new one can be retired: neither while it is in use.
    let schema: JSON = [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"], "id": "urn:acme:Device", "name": "Device",
      "attributes": [["name": "colour", "type": "string"], ["name": "size", "type": "string"]],
    ]
    #expect(try await server.send("PUT", "/Schemas/urn:acme:Device", schema, key: acme).status == 200)
    #expect(try await server.send("DELETE", "/ResourceTypes/Device", key: acme).status == 409)
    #expect(try await server.send("DELETE", "/ResourceTypes/Device", key: other).status == 409)
    #expect(server.stop() == 0)
    let told = try String(contentsOf: log, encoding: .utf8)
    #expect(
      told.contains(
        "event=definitions org=acme.example message=\"its own resource type Device replaces the built-in type"
          + " Device\""))
    #expect(!told.contains("other.example"))
    #expect(try runner.run("check", "--schemas", schemas).code == 0)
  }
}
