import Testing

@testable import SCIMCore

@Suite struct RetirementTests {
  static let characteristic = "urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic"

  static func definition(_ kind: Definition.Kind, _ name: String, _ document: JSON = [:]) -> Definition {
    Definition(kind: kind, name: name, document: document.objectValue ?? JSONObject())
  }

  @Test(arguments: [DefinitionClashes.refused, .ownWins])
  func aRetiredTypeIsNotThereAndWhatOthersNeedStays(_ clashes: DefinitionClashes) throws {
    let base = BuiltInSchemas.registry
    let registry = try DefinitionLoader.load(
      [Self.definition(.retired, "Characteristic")], extending: base, clashes: clashes)
    #expect(registry.types.map(\.name) == ["User", "Group", "Role"])
    #expect(registry.builtInType(named: "Characteristic", of: base) == nil)
    #expect(registry.schema(id: Self.characteristic) == nil)
    // Types of the organisation's own are made of these.
    #expect(registry.schema(id: TypeDescription.entitlementSchema) != nil)
    #expect(registry.schema(id: "urn:ietf:params:scim:schemas:core:2.0:Entitlement") != nil)
    #expect(registry.catalogTypes(schema: TypeDescription.entitlementSchema).isEmpty)
    // Others are as they were.
    #expect(registry.type(named: "Role") === base.type(named: "Role"))
  }

  @Test func itsNameItsEndpointAndItsSchemaAreFree() throws {
    let definitions = [
      Self.definition(.retired, "Characteristic"),
      Self.definition(
        .schema, Self.characteristic,
        ["id": .string(Self.characteristic), "name": "C", "attributes": [["name": "height", "type": "integer"]]]),
      Self.definition(
        .type, "Characteristic",
        [
          "name": "Characteristic", "endpoint": "/Characteristics",
          "schema": .string(TypeDescription.entitlementSchema),
          "schemaExtensions": [["schema": .string(Self.characteristic), "required": false]],
        ]),
    ]
    let registry = try DefinitionLoader.load(definitions, extending: BuiltInSchemas.registry)
    let type = try #require(registry.type(named: "Characteristic"))
    #expect(type.isCatalog)
    #expect(type.extension(urn: Self.characteristic)?.schema.attributes.map(\.name) == ["height"])
    #expect(DefinitionClash.all(in: definitions, with: BuiltInSchemas.registry).isEmpty)
    // Without the retirement they clash.
    #expect(throws: SchemaError.self) {
      try DefinitionLoader.load(Array(definitions.dropFirst()), extending: BuiltInSchemas.registry)
    }
  }

  @Test(arguments: ["User", "Group", "Role", "NoSuchType"])
  func whatMustStayIsNotRetired(_ name: String) throws {
    let base = BuiltInSchemas.registry
    let registry = try DefinitionLoader.load([Self.definition(.retired, name)], extending: base)
    #expect(registry.types.map(\.name) == base.types.map(\.name))
  }
}
