import SCIMCore
import Testing

/// Documents of types that organisations define in the tests of this folder.
enum DefinitionSamples {
  static let licenseURN = "urn:acme:scim:schemas:extension:crm:1.0:License"
  static let entitlement = "urn:okta:scim:schemas:core:1.0:Entitlement"
  static let assignments = "urn:ietf:params:scim:schemas:core:2.0:Entitlement"
  static let user = "urn:ietf:params:scim:schemas:core:2.0:User"

  /// A Schema document; each attribute is a name with characteristics that differ from the defaults.
  static func schema(_ urn: String, _ attributes: [(String, [(String, JSON)])]) -> JSON {
    let list = attributes.map { name, characteristics -> JSON in
      var object = JSONObject([.init(key: "name", value: .string(name))])
      for (key, value) in characteristics { object[key] = value }
      return .object(object)
    }
    return [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"], "id": .string(urn), "name": "License",
      "description": "What a licence has.", "attributes": .array(list),
    ]
  }

  static func type(
    _ name: String, _ endpoint: String, extensions: [String], base: String = entitlement
  ) -> JSON {
    [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], "id": .string(name), "name": .string(name),
      "endpoint": .string(endpoint), "description": "Something to be entitled to.", "schema": .string(base),
      "schemaExtensions": .array(extensions.map { ["schema": .string($0), "required": false] }),
    ]
  }

  /// Defines `/Licenses` with the extension `licenseURN` of these attributes and the IETF's.
  static func defineLicenses(
    _ client: Client, _ attributes: [(String, [(String, JSON)])] = [("seats", [("type", "integer")])]
  ) throws {
    _ = try client.create("/Schemas", schema(licenseURN, attributes))
    _ = try client.create("/ResourceTypes", type("License", "/Licenses", extensions: [licenseURN, assignments]))
  }

  static func license(_ name: String, _ content: JSON? = nil, assignments: JSON? = nil) -> JSON {
    var object = JSONObject()
    object["schemas"] = [.string(entitlement)]
    object["displayName"] = .string(name)
    if let content { object[licenseURN] = content }
    if let assignments { object[Self.assignments] = assignments }
    return .object(object)
  }
}
