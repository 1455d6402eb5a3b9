import SCIMCore
import Testing

@Suite("Definitions that cannot be read")
struct UnreadableDefinitionTests {
  private static let gone = "urn:acme:scim:schemas:gone:1.0:User"
  private static let entitlement = "urn:okta:scim:schemas:core:1.0:Entitlement"

  private static func schema(_ urn: String) -> Definition {
    Definition(
      kind: .schema, name: urn,
      document: JSONObject([
        .init(key: "id", value: .string(urn)), .init(key: "name", value: "S"),
        .init(key: "attributes", value: [["name": "color", "type": "string"]]),
      ]))
  }

  private static func type(_ name: String, extension urn: String?, base: String = entitlement) -> Definition {
    var document = JSONObject([
      .init(key: "name", value: .string(name)), .init(key: "endpoint", value: .string("/\(name)s")),
      .init(key: "schema", value: .string(base)),
    ])
    if let urn { document["schemaExtensions"] = [["schema": .string(urn), "required": false]] }
    return Definition(kind: .type, name: name, document: document)
  }

  private static func additions(_ type: String, _ urns: [String]) -> Definition {
    let entries = urns.map {
      JSON.object(JSONObject([.init(key: "schema", value: .string($0)), .init(key: "required", value: false)]))
    }
    return Definition(
      kind: .additions, name: type, document: JSONObject([.init(key: "schemaExtensions", value: .array(entries))]))
  }

  private static let cases: [(name: String, broken: [Definition], left: [String])] = [
    ("an extension that is gone", [type("Bad", extension: gone)], ["Bad"]),
    ("a base that is gone", [type("Bad", extension: nil, base: gone)], ["Bad"]),
    ("a document that is broken", [Definition(kind: .type, name: "Bad", document: JSONObject())], ["Bad"]),
    (
      "a schema that is broken, and the type that has it",
      [
        type("Bad", extension: gone), Definition(kind: .schema, name: gone, document: JSONObject()),
      ], [gone, "Bad"]
    ),
    ("one of two extensions of users", [additions("User", [gone])], ["User " + gone]),
    (
      "several at once", [type("Bad", extension: gone), type("Worse", extension: gone), additions("Group", [gone])],
      ["Bad", "Worse", "Group " + gone]
    ),
  ]

  @Test("What is left out is what they define, and no more", arguments: cases)
  func leftOut(_ row: (name: String, broken: [Definition], left: [String])) throws {
    let own = "urn:acme:scim:schemas:own:1.0:User"
    let base = BuiltInSchemas.registry
    let sound = [Self.schema(own), Self.type("Good", extension: own), Self.additions("User", [own])]
    #expect(throws: SchemaError.self) { try DefinitionLoader.load(sound + row.broken, extending: base) }
    for definitions in [sound + row.broken, row.broken + sound] {
      let registry = try DefinitionLoader.loadStored(definitions, extending: base, revision: 7)
      #expect(registry.unreadable.map { [$0.name, $0.urn].compactMap { $0 }.joined(separator: " ") } == row.left)
      #expect(registry.unreadable.allSatisfy { !$0.reason.isEmpty } && registry.revision == 7)
      #expect(registry.type(named: "Good")?.extension(urn: own) != nil)
      #expect(registry.type(named: "User")?.extension(urn: own) != nil)
      #expect(registry.types.count == base.types.count + 1)
      // A change may leave them as they are, and adds no other.
      let known = registry.unreadable
      _ = try DefinitionLoader.load(
        definitions + [Self.type("Next", extension: own)], extending: base, clashes: .refused, tolerating: known)
      #expect(throws: SchemaError.self) {
        try DefinitionLoader.load(
          definitions + [Self.type("Next", extension: Self.gone)], extending: base, clashes: .refused,
          tolerating: known)
      }
    }
  }
}
