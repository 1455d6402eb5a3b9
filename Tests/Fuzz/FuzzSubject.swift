import SCIMCore

/// The resource on which filters and PATCH requests are tried.
struct FuzzSubject {
  let id = "01a22ad8-a1cc-7b5f-8d3e-53ccaf0d1d4a"
  let type: ResourceType
  /// As stored.
  let stored: JSONObject
  /// As shown.
  let document: JSONObject

  static func all() throws -> [FuzzSubject] {
    [
      try FuzzSubject(
        "User",
        [
          "userName": "ada", "externalId": "x1", "title": "Lead", "active": true,
          "name": ["givenName": "Ada", "familyName": "B"],
          "emails": [
            ["value": "a@x.example", "type": "work", "primary": true], ["value": "b@x.example", "type": "home"],
          ],
          "roles": [["value": "r", "display": "R"]], "entitlements": [["value": "e", "type": "Characteristic"]],
          "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": [
            "department": "Ops", "manager": ["value": "m"],
          ],
        ]),
      try FuzzSubject("Group", ["displayName": "Team", "externalId": "g1"]),
      try FuzzSubject(
        "Role",
        [
          "displayName": "R",
          "urn:ietf:params:scim:schemas:core:2.0:Role": ["supported": true, "totalAssignmentsPermitted": 9],
        ]),
    ]
  }

  private init(_ name: String, _ attributes: JSON) throws {
    guard let type = BuiltInSchemas.registry.type(named: name) else {
      throw SCIMError(.internalError, "there is no type \(name)")
    }
    self.type = type
    var sent = attributes.objectValue ?? JSONObject()
    sent["schemas"] = [.string(type.schema.id)]
    let normalized = try ResourceNormalizer.normalize(.object(sent), type: type, profile: .strict)
    var whole = normalized.document
    for (attribute, elements) in normalized.links { whole[attribute] = .array(elements.map(JSON.object)) }
    stored = ResourceDocument.ordered(whole, type: type)
    var shown = stored
    shown["id"] = .string(id)
    shown["meta"] = ["resourceType": .string(name), "created": "2026-01-01T00:00:00.000Z", "version": "W/\"1\""]
    document = shown
  }
}
