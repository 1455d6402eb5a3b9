import Foundation
import SCIMCore
import Testing

@Suite("Discovery documents")
struct DiscoveryDocumentTests {
  static let base = "https://scim.example.com/scim/v2"

  @Test("every schema is served verbatim, with meta", arguments: BuiltInSchemas.registry.schemas.map(\.id))
  func schemas(_ urn: String) throws {
    let schema = try #require(BuiltInSchemas.registry.schema(id: urn))
    let served = try #require(DiscoveryDocument.schema(schema, baseURL: Self.base).objectValue)
    #expect(served["schemas"] == ["urn:ietf:params:scim:schemas:core:2.0:Schema"])
    #expect(served["meta"] == ["resourceType": "Schema", "location": .string("\(Self.base)/Schemas/\(urn)")])
    #expect(Array(served.members.dropLast()) == schema.document.members)
  }

  @Test("every type is served without what is ours alone", arguments: BuiltInSchemas.registry.types.map(\.name))
  func types(_ name: String) throws {
    let type = try #require(BuiltInSchemas.registry.type(named: name))
    let served = DiscoveryDocument.resourceType(type, baseURL: Self.base)
    #expect(served["schemas"] == ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"])
    #expect(served["id"] == .string(name) && served["name"] == .string(name))
    #expect(served["endpoint"] == .string(type.endpoint) && served["schema"] == .string(type.schema.id))
    #expect(served["roster"] == nil)
    #expect(
      served["meta"] == ["resourceType": "ResourceType", "location": .string("\(Self.base)/ResourceTypes/\(name)")])
    let extensions = type.extensions.map { item -> JSON in
      ["schema": .string(item.schema.id), "required": .bool(item.isRequired)]
    }
    #expect(served["schemaExtensions"]?.arrayValue ?? [] == extensions)
  }

  @Test("schemas and id are added where a document leaves them out")
  func added() throws {
    let texts = ["a.json": SchemaDirectoryTests.schema, "types/a.json": SchemaDirectoryTests.type]
    let registry = try SchemaLoader.load(texts.map { SchemaDocument(name: $0.key, data: Data($0.value.utf8)) })
    let schema = DiscoveryDocument.schema(registry.schemas[0], baseURL: Self.base)
    #expect(schema.objectValue?.members.map(\.key) == ["schemas", "id", "name", "attributes", "meta"])
    let type = DiscoveryDocument.resourceType(registry.types[0], baseURL: Self.base)
    #expect(type.objectValue?.members.map(\.key) == ["schemas", "id", "name", "endpoint", "schema", "meta"])
  }

  /// What clients and importers rely on: schema, attribute path, and characteristics as the server enforces them.
  private static let rows: [(schema: String, path: String, expected: JSON)] = [
    ("core:2.0:User", "userName", ["type": "string", "required": true, "caseExact": false, "uniqueness": "server"]),
    ("core:2.0:User", "userName", ["mutability": "readWrite", "returned": "default", "multiValued": false]),
    ("core:2.0:User", "active", ["type": "boolean"]),
    ("core:2.0:User", "password", ["mutability": "writeOnly", "returned": "never"]),
    ("core:2.0:User", "groups", ["mutability": "readOnly", "multiValued": true]),
    ("core:2.0:User", "groups.$ref", ["type": "reference", "referenceTypes": ["Group"]]),
    ("core:2.0:User", "groups.type", ["canonicalValues": ["direct", "indirect"]]),
    ("core:2.0:User", "name.familyName", ["type": "string", "required": false]),
    ("core:2.0:User", "emails", ["type": "complex", "multiValued": true]),
    ("core:2.0:User", "emails.type", ["canonicalValues": ["work", "home", "other"]]),
    ("core:2.0:User", "emails.primary", ["type": "boolean"]),
    ("core:2.0:User", "phoneNumbers.type", ["canonicalValues": ["work", "home", "mobile", "fax", "pager", "other"]]),
    (
      "core:2.0:User", "ims.type",
      ["canonicalValues": ["aim", "gtalk", "icq", "xmpp", "msn", "skype", "qq", "yahoo"]]
    ),
    ("core:2.0:User", "photos.value", ["type": "reference"]),
    ("core:2.0:User", "photos.type", ["canonicalValues": ["photo", "thumbnail"]]),
    ("core:2.0:User", "addresses.type", ["canonicalValues": ["work", "home", "other"]]),
    ("core:2.0:User", "x509Certificates.value", ["type": "binary"]),
    ("core:2.0:User", "roles", ["type": "complex", "multiValued": true, "mutability": "readWrite"]),
    ("core:2.0:User", "roles.value", ["type": "string"]),
    ("core:2.0:User", "roles.display", ["type": "string"]),
    ("core:2.0:User", "roles.type", ["type": "string"]),
    ("core:2.0:User", "roles.primary", ["type": "boolean"]),
    ("core:2.0:User", "roles.$ref", ["type": "reference", "mutability": "readOnly"]),
    ("core:2.0:User", "entitlements", ["type": "complex", "multiValued": true, "mutability": "readWrite"]),
    ("core:2.0:User", "entitlements.primary", ["type": "boolean"]),
    ("core:2.0:User", "entitlements.$ref", ["type": "reference", "mutability": "readOnly"]),
    ("core:2.0:Group", "displayName", ["required": true, "uniqueness": "server", "caseExact": false]),
    ("core:2.0:Group", "members", ["type": "complex", "multiValued": true, "mutability": "readWrite"]),
    ("core:2.0:Group", "members.value", ["mutability": "immutable"]),
    ("core:2.0:Group", "members.$ref", ["referenceTypes": ["User", "Group"]]),
    ("core:2.0:Group", "members.type", ["type": "string"]),
    ("core:2.0:Group", "members.display", ["mutability": "readOnly"]),
    ("extension:enterprise:2.0:User", "employeeNumber", ["type": "string"]),
    ("extension:enterprise:2.0:User", "costCenter", ["type": "string"]),
    ("extension:enterprise:2.0:User", "organization", ["type": "string"]),
    ("extension:enterprise:2.0:User", "division", ["type": "string"]),
    ("extension:enterprise:2.0:User", "department", ["type": "string"]),
    ("extension:enterprise:2.0:User", "manager", ["type": "complex", "multiValued": false]),
    ("extension:enterprise:2.0:User", "manager.value", ["caseExact": true]),
    ("extension:enterprise:2.0:User", "manager.$ref", ["type": "reference", "referenceTypes": ["User"]]),
    ("extension:enterprise:2.0:User", "manager.displayName", ["mutability": "readOnly"]),
    ("urn:okta:scim:schemas:core:1.0:Role", "displayName", ["required": true, "uniqueness": "server"]),
    ("urn:okta:scim:schemas:core:1.0:Role", "description", ["type": "string"]),
    ("urn:okta:scim:schemas:core:1.0:Entitlement", "displayName", ["required": true, "uniqueness": "none"]),
    ("urn:okta:scim:schemas:core:1.0:Entitlement", "type", ["type": "string", "mutability": "readOnly"]),
    ("core:2.0:Role", "value", ["type": "string"]),
    ("core:2.0:Role", "supported", ["type": "boolean"]),
    ("core:2.0:Role", "limitedAssignmentsPermitted", ["type": "boolean"]),
    ("core:2.0:Role", "totalAssignmentsPermitted", ["type": "integer"]),
    ("core:2.0:Role", "totalAssignmentsUsed", ["type": "integer", "mutability": "readOnly"]),
    ("core:2.0:Role", "contains", ["type": "string", "multiValued": true]),
    ("core:2.0:Entitlement", "containedBy", ["type": "string", "multiValued": true]),
    ("core:2.0:Entitlement", "totalAssignmentsUsed", ["type": "integer", "mutability": "readOnly"]),
  ]
  static let truths = rows.map { schema, path, expected in
    let urn = schema.hasPrefix("urn:") ? schema : "urn:ietf:params:scim:schemas:" + schema
    return (urn: urn, path: path, expected: expected.objectValue ?? JSONObject())
  }

  @Test("say what the server enforces", arguments: truths.indices)
  func truth(_ row: Int) throws {
    let (urn, path, expected) = Self.truths[row]
    let schema = try #require(BuiltInSchemas.registry.schema(id: urn))
    var attribute: JSON?
    var level = DiscoveryDocument.schema(schema, baseURL: Self.base)["attributes"]
    for name in path.split(separator: ".") {
      attribute = level?.arrayValue?.first { $0["name"]?.stringValue == String(name) }
      level = attribute?["subAttributes"]
    }
    let found = try #require(attribute, "\(urn) lacks \(path)")
    #expect(!expected.isEmpty)
    for member in expected.members {
      #expect(found[member.key] == member.value, "\(path) \(member.key)")
    }
  }
}
