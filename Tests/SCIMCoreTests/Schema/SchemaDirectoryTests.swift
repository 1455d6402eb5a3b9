import Foundation
import SCIMCore
import Testing

@Suite("Schema directory")
struct SchemaDirectoryTests {
  static let urn = "urn:acme:scim:schemas:core:1.0:Device"
  static let schema = #"""
    {
      "id": "urn:acme:scim:schemas:core:1.0:Device",
      "name": "Device",
      "attributes": [
        {"name": "displayName", "required": true},
        {"name": "ports", "type": "complex", "multiValued": true, "subAttributes": [
          {"name": "value", "type": "integer"}, {"name": "type", "canonicalValues": ["tcp", "udp"]}
        ]}
      ]
    }
    """#
  static let type = #"""
    {"name": "Device", "endpoint": "/Devices", "schema": "urn:acme:scim:schemas:core:1.0:Device"}
    """#
  static let license = #"""
    {
      "name": "License", "endpoint": "/Licenses", "schema": "urn:okta:scim:schemas:core:1.0:Entitlement",
      "schemaExtensions": [{"schema": "urn:ietf:params:scim:schemas:core:2.0:Entitlement", "required": false}]
    }
    """#

  /// Runs with a directory that holds these files, and removes it.
  private func withDirectory(_ files: [String: String], _ body: (URL) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "roster-schemas-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("types", isDirectory: true), withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: directory.appendingPathComponent(name)) }
    try body(directory)
  }

  @Test("two documents make a new type beside the built-in ones")
  func device() throws {
    try withDirectory(["Device.json": Self.schema, "types/Device.json": Self.type, "notes.txt": "{"]) { directory in
      let registry = try SchemaLoader.load(directory: directory)
      #expect(registry.types.map(\.name) == BuiltInSchemas.registry.types.map(\.name) + ["Device"])
      let device = try #require(registry.type(at: "/Devices"))
      #expect(device.schema.id == Self.urn)
      #expect(device.schema.attribute(named: "PORTS")?.subAttribute(named: "value")?.type == .integer)
      #expect(!device.isCatalog && device.links.isEmpty && device.displayAttributes == ["displayName"])
      #expect(registry.type(named: "Characteristic")?.isCatalog == true)
    }
  }

  @Test("one document makes a new entitlement type of the catalogue")
  func license() throws {
    try withDirectory(["types/License.json": Self.license]) { directory in
      let registry = try SchemaLoader.load(directory: directory)
      #expect(registry.type(named: "License")?.isCatalog == true)
      #expect(
        registry.catalogTypes(schema: "urn:okta:scim:schemas:core:1.0:Entitlement").map(\.name)
          == ["Characteristic", "License"])
      #expect(ServiceProviderConfig(registry: registry).entitlementTypes == ["Characteristic", "License"])
    }
  }

  @Test("messages name the file by its path below the directory")
  func fileNames() throws {
    try withDirectory(["types/Device.json": Self.type]) { directory in
      #expect(
        throws: SchemaError([
          .init(file: "types/Device.json", place: "schema", message: "there is no schema \"\(Self.urn)\"")
        ])
      ) { try SchemaLoader.load(directory: directory) }
    }
  }

  @Test("an empty or missing directory is refused")
  func missing() throws {
    try withDirectory([:]) { directory in
      #expect(
        throws: SchemaError([.init(file: directory.path, place: "", message: "contains no .json file")])
      ) { try SchemaLoader.load(directory: directory) }
      let missing = directory.appendingPathComponent("none", isDirectory: true)
      #expect(
        throws: SchemaError([.init(file: missing.path, place: "", message: "cannot be read as a directory")])
      ) { try SchemaLoader.load(directory: missing) }
    }
  }
}
