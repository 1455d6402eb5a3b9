import SCIMCore
import Testing

/// Something built in that comes after an organisation's own definition of that name.
struct DefinitionClashTests {
  private static let urn = "urn:example:Seat"
  private static let okta = "urn:okta:scim:schemas:core:1.0:Entitlement"

  private static func definition(_ kind: Definition.Kind, _ name: String, _ document: JSON) -> Definition {
    Definition(kind: kind, name: name, document: document.objectValue ?? JSONObject())
  }

  private static func schema(_ attribute: String) -> Definition {
    definition(
      .schema, urn,
      ["id": .string(urn), "name": "Seat", "attributes": [["name": .string(attribute), "type": "string"]]])
  }

  private static func type(_ name: String, _ endpoint: String) -> Definition {
    definition(
      .type, name,
      [
        "name": .string(name), "endpoint": .string(endpoint), "schema": .string(okta),
        "schemaExtensions": [["schema": .string(urn), "required": false]],
      ])
  }

  private static let addition = definition(
    .additions, "User", ["schemaExtensions": [["schema": .string(urn), "required": false]]])

  /// What a later version has: the built-in schemas and these.
  private func base(_ definitions: [Definition]) throws -> SchemaRegistry {
    let built = try DefinitionLoader.load(definitions, extending: BuiltInSchemas.registry)
    return SchemaRegistry(schemas: built.schemas, types: built.types)
  }

  @Test(arguments: [("Seat", "/Chairs"), ("Chair", "/Seats"), ("seat", "/Other"), ("Other", "/seats")])
  func theOrganisationsOwnTypeStands(_ name: String, _ endpoint: String) throws {
    let base = try base([Self.schema("theirs"), Self.type("Seat", "/Seats")])
    let own = [
      Self.definition(
        .schema, "urn:own:Seat",
        ["id": "urn:own:Seat", "name": "Seat", "attributes": [["name": "ours", "type": "string"]]]),
      Self.definition(
        .type, name,
        [
          "name": .string(name), "endpoint": .string(endpoint), "schema": .string(Self.okta),
          "schemaExtensions": [["schema": "urn:own:Seat", "required": false]],
        ]),
    ]
    #expect(throws: SchemaError.self) { try DefinitionLoader.load(own, extending: base) }
    let registry = try DefinitionLoader.load(own, extending: base, clashes: .ownWins)
    #expect(registry.types.map(\.name) == BuiltInSchemas.registry.types.map(\.name) + [name])
    #expect(registry.type(at: endpoint)?.extension(urn: "urn:own:Seat") != nil)
    #expect(registry.builtInType(named: "Seat", of: base) == nil)
    #expect(registry.builtInType(named: "User", of: base) != nil)
    #expect(
      DefinitionClash.all(in: own, with: base).map(\.description)
        == ["its own resource type \(name) replaces the built-in type Seat"])
  }

  @Test func theOrganisationsOwnSchemaStandsWhereverItIsUsed() throws {
    let base = try base([Self.schema("theirs"), Self.addition])
    let own = [Self.schema("ours"), Self.addition]
    let registry = try DefinitionLoader.load(own, extending: base, clashes: .ownWins)
    #expect(registry.schema(id: Self.urn)?.attributes.map(\.name) == ["ours"])
    let user = try #require(registry.type(named: "User"))
    #expect(user.extensions.filter { $0.schema.id == Self.urn }.count == 1)
    #expect(user.extension(urn: Self.urn)?.schema.attribute(named: "ours") != nil)
    #expect(DefinitionClash.all(in: own, with: base).map(\.own) == [Self.urn])
  }

  @Test func withoutAClashThereIsNothingToTell() throws {
    let own = [Self.schema("ours"), Self.type("Seat", "/Seats"), Self.addition]
    #expect(DefinitionClash.all(in: own, with: BuiltInSchemas.registry).isEmpty)
  }
}
