import Foundation
import SCIMCore
import Testing

@Suite("Built-in schemas")
struct BuiltInSchemasTests {
  static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("schemas", isDirectory: true)

  @Test("are the documents of schemas/, all of them")
  func sameAsDirectory() throws {
    let files = try SchemaLoader.documents(in: Self.directory)
    let builtIn = BuiltInSchemas.documents
    #expect(Set(builtIn.map(\.name)) == Set(files.map(\.name)))
    #expect(builtIn.count == files.count)
    for document in builtIn {
      #expect(files.first { $0.name == document.name }?.data == document.data, "\(document.name) differs")
    }
  }

  @Test("load without a problem, and with every type and schema")
  func load() throws {
    let registry = try SchemaLoader.load(BuiltInSchemas.documents)
    #expect(registry.types.map(\.name) == ["User", "Group", "Role", "Characteristic"])
    #expect(registry.schemas.count == 8)
    #expect(registry.types.filter(\.isCatalog).map(\.name) == ["Role", "Characteristic"])
    #expect(BuiltInSchemas.registry.types.map(\.name) == registry.types.map(\.name))
  }

  @Test("list every characteristic of every attribute")
  func explicitCharacteristics() throws {
    let always = ["name", "type", "multiValued", "description", "required", "mutability", "returned"]
    for schema in BuiltInSchemas.registry.schemas + BuiltInSchemas.discovery {
      var open = schema.document["attributes"]?.arrayValue ?? []
      #expect(!open.isEmpty)
      while let attribute = open.popLast() {
        let isComplex = attribute["type"] == "complex"
        let expected = always + ["uniqueness"] + (isComplex ? ["subAttributes"] : ["caseExact"])
        for key in expected {
          #expect(attribute[key] != nil, "\(schema.id): \(attribute["name"]?.stringValue ?? "?") lacks \(key)")
        }
        #expect(!isComplex || attribute["uniqueness"] == "none")
        #expect(attribute["description"]?.stringValue?.isEmpty == false)
        open += attribute["subAttributes"]?.arrayValue ?? []
      }
    }
  }

  @Test("of the discovery documents are those of schemas/discovery")
  func discovery() throws {
    #expect(
      BuiltInSchemas.discovery.map(\.id).sorted() == [
        "urn:ietf:params:scim:schemas:core:2.0:ResourceType", "urn:ietf:params:scim:schemas:core:2.0:Schema",
        "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig",
      ])
    for document in BuiltInSchemas.discoveryDocuments {
      #expect(try Data(contentsOf: Self.directory.appendingPathComponent(document.name)) == document.data)
    }
  }

  @Test("give the types their links, extensions and display attributes")
  func types() throws {
    let registry = BuiltInSchemas.registry
    let user = try #require(registry.type(named: "User"))
    #expect(user.endpoint == "/Users")
    #expect(user.link(for: "groups")?.kind == .memberOf(type: "Group", attribute: "members"))
    #expect(user.link(for: "roles")?.kind == .catalog(schema: "urn:okta:scim:schemas:core:1.0:Role"))
    #expect(user.link(for: "entitlements")?.kind == .catalog(schema: "urn:okta:scim:schemas:core:1.0:Entitlement"))
    #expect(user.displayAttributes == ["displayName", "userName"])
    #expect(user.extensions.map(\.isRequired) == [false])
    let group = try #require(registry.type(named: "Group"))
    #expect(group.links == [LinkDefinition(attribute: "members", kind: .members(types: ["User", "Group"]))])
    let role = try #require(registry.type(named: "Role"))
    #expect(role.links.isEmpty)
    #expect(role.displayAttributes == ["displayName"])
    #expect(role.extensions.map(\.schema.id) == ["urn:ietf:params:scim:schemas:core:2.0:Role"])
    let characteristic = try #require(registry.type(named: "Characteristic"))
    #expect(
      characteristic.extensions.map(\.schema.id) == [
        "urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic",
        "urn:ietf:params:scim:schemas:core:2.0:Entitlement",
      ])
    #expect(characteristic.extensions.allSatisfy { !$0.isRequired })
    #expect(characteristic.extensions[0].schema.attribute(named: "is_tall")?.type == .string)
  }
}
