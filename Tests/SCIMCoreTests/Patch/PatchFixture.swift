import Foundation
import SCIMCore
import Testing

/// Texts of the tests below, where `CORE:`, `@ent` and `MSG:` stand for the long URNs.
enum PatchFixture {
  static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  static let user = BuiltInSchemas.registry.type(named: "User") ?? gadget
  static let group = BuiltInSchemas.registry.type(named: "Group") ?? gadget

  static func json(_ text: String) throws -> JSON {
    let long =
      text
      .replacingOccurrences(of: "CORE:", with: "urn:ietf:params:scim:schemas:core:2.0:")
      .replacingOccurrences(of: "MSG:", with: "urn:ietf:params:scim:api:messages:2.0:")
      .replacingOccurrences(of: "@ent", with: enterprise)
    return try JSON(parsing: Array(long.utf8))
  }

  /// A stored document: `text` without `schemas`, which follow.
  static func document(_ text: String, type: ResourceType = user) throws -> JSONObject {
    ResourceDocument.ordered(try #require(try json(text).objectValue), type: type)
  }

  /// The operations of a text such as `[{"op": "add", …}]`.
  static func operations(_ text: String, profile: Profile = .interop) throws -> [PatchOperation] {
    let message: JSON = ["schemas": [.string(PatchRequest.schema)], "Operations": try json(text)]
    return try PatchRequest.parse(message, profile: profile)
  }

  /// What the operations make of a document.
  static func patch(
    _ document: String, _ operations: String, type: ResourceType = user, profile: Profile = .interop
  ) throws -> PatchOutcome {
    try Patcher.apply(
      try Self.operations(operations, profile: profile), to: try Self.document(document, type: type), type: type,
      profile: profile, id: "u1"
    ) { () throws(SCIMError) in
      JSONObject([
        .init(key: "id", value: "u1"),
        .init(key: "meta", value: ["resourceType": .string(type.name), "version": "W/\"3\""]),
        .init(key: "groups", value: [["value": "g1", "display": "Ops", "type": "direct"]]),
      ])
    }
  }

  /// The kind of the error that the operations end in; nil where they succeed.
  static func failure(
    _ document: String, _ operations: String, type: ResourceType = user, profile: Profile = .interop
  ) throws -> SCIMError.Kind? {
    do {
      _ = try patch(document, operations, type: type, profile: profile)
      return nil
    } catch let error as SCIMError {
      return error.kind
    }
  }

  /// A type with what the standard ones lack: immutable, required and multi-valued simple attributes.
  static let gadget = ResourceType(
    name: "Gadget", endpoint: "/Gadgets",
    schema: SchemaDefinition(
      id: "urn:example:Gadget", name: "Gadget", text: "",
      attributes: [
        AttributeDefinition(name: "serial", isCaseExact: true, mutability: .immutable),
        AttributeDefinition(name: "tags", isMultiValued: true),
        AttributeDefinition(name: "count", type: .integer),
        AttributeDefinition(
          name: "parts", type: .complex, isMultiValued: true,
          subAttributes: [
            AttributeDefinition(name: "value", isRequired: true),
            AttributeDefinition(name: "maker", mutability: .immutable),
            AttributeDefinition(name: "size", type: .integer),
          ]),
        AttributeDefinition(
          name: "box", type: .complex,
          subAttributes: [
            AttributeDefinition(name: "colour", mutability: .immutable),
            AttributeDefinition(name: "marks", isMultiValued: true),
            AttributeDefinition(name: "weight", type: .decimal, mutability: .readOnly),
          ]),
      ], document: JSONObject()),
    extensions: [
      ResourceType.Extension(
        schema: SchemaDefinition(
          id: "urn:example:Warranty", name: "Warranty", text: "",
          attributes: [AttributeDefinition(name: "years", type: .integer)], document: JSONObject()),
        isRequired: true)
    ], document: JSONObject())
}
