import SCIMCore

/// Small definitions that have every characteristic, by hand, so that these tests do not depend on the schema files.
enum Fixture {
  static let userURN = "urn:ietf:params:scim:schemas:core:2.0:User"
  static let enterpriseURN = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  static let ownURN = "urn:example:params:scim:schemas:extension:acme:1.0:User"
  static let entitlementURN = "urn:okta:scim:schemas:core:1.0:Entitlement"
  static let countedURN = "urn:ietf:params:scim:schemas:core:2.0:Entitlement"

  static let user = makeUser(extensions: [
    ResourceType.Extension(schema: schema(enterpriseURN, enterpriseAttributes), isRequired: false),
    ResourceType.Extension(schema: schema(ownURN, ownAttributes), isRequired: false),
  ])

  /// A user without attributes that are hidden by default.
  static let plainUser = makeUser(extensions: [
    ResourceType.Extension(schema: schema(enterpriseURN, enterpriseAttributes), isRequired: false)
  ])

  private static func makeUser(extensions: [ResourceType.Extension]) -> ResourceType {
    ResourceType(
      name: "User", endpoint: "/Users", schema: schema(userURN, userAttributes), extensions: extensions,
      links: [
        LinkDefinition(attribute: "groups", kind: .memberOf(type: "Group", attribute: "members")),
        LinkDefinition(attribute: "entitlements", kind: .catalog(schema: entitlementURN)),
      ],
      displayAttributes: ["displayName", "name.formatted", "userName"], document: JSONObject())
  }

  static let group = ResourceType(
    name: "Group", endpoint: "/Groups",
    schema: schema(
      "urn:ietf:params:scim:schemas:core:2.0:Group",
      [
        AttributeDefinition(name: "displayName", isRequired: true, uniqueness: .server),
        list("members", ["value", "display"], and: [reference("$ref"), AttributeDefinition(name: "type")]),
      ]),
    links: [LinkDefinition(attribute: "members", kind: .members(types: ["User", "Group"]))],
    document: JSONObject())

  static let license = ResourceType(
    name: "License", endpoint: "/Licenses",
    schema: schema(
      entitlementURN,
      [
        AttributeDefinition(name: "id", isRequired: true, mutability: .readOnly),
        AttributeDefinition(name: "displayName", isRequired: true),
        AttributeDefinition(name: "type", isRequired: true, mutability: .readOnly),
        AttributeDefinition(name: "description"),
      ]),
    extensions: [
      ResourceType.Extension(
        schema: schema(
          countedURN,
          [
            AttributeDefinition(name: "value", isRequired: true),
            AttributeDefinition(name: "totalAssignmentsUsed", type: .integer, mutability: .readOnly),
            AttributeDefinition(name: "totalAssignmentsPermitted", type: .integer),
            AttributeDefinition(name: "contains", isMultiValued: true),
          ]), isRequired: false)
    ],
    isCatalog: true, document: JSONObject())

  /// A type whose extension is required.
  static let badge = ResourceType(
    name: "Badge", endpoint: "/Badges", schema: schema("urn:example:Badge", [AttributeDefinition(name: "displayName")]),
    extensions: [
      ResourceType.Extension(
        schema: schema("urn:example:Colour", [AttributeDefinition(name: "colour", isRequired: true)]), isRequired: true)
    ], document: JSONObject())

  static let registry = SchemaRegistry(
    schemas: [user.schema, group.schema, license.schema, badge.schema]
      + (user.extensions + license.extensions + badge.extensions).map(\.schema),
    types: [user, group, license, badge])

  private static let userAttributes = [
    AttributeDefinition(name: "userName", isRequired: true, uniqueness: .server),
    AttributeDefinition(
      name: "name", type: .complex, subAttributes: ["formatted", "familyName", "givenName"].map(text)),
    AttributeDefinition(name: "displayName"),
    AttributeDefinition(name: "title"),
    AttributeDefinition(name: "profileUrl", type: .reference, referenceTypes: ["external"]),
    AttributeDefinition(name: "active", type: .boolean),
    AttributeDefinition(name: "password", mutability: .writeOnly, returned: .never),
    list("emails", ["value", "display", "type"], and: [primary]),
    list("x509Certificates", ["display"], and: [AttributeDefinition(name: "value", type: .binary), primary]),
    AttributeDefinition(
      name: "groups", type: .complex, isMultiValued: true, mutability: .readOnly,
      subAttributes: ["value", "$ref", "display", "type"].map { AttributeDefinition(name: $0, mutability: .readOnly) }),
    list("entitlements", ["value", "display", "type"], and: [reference("$ref"), primary]),
  ]

  private static let enterpriseAttributes = [
    AttributeDefinition(name: "department"),
    AttributeDefinition(
      name: "manager", type: .complex,
      subAttributes: [
        AttributeDefinition(name: "value", isCaseExact: true), reference("$ref"),
        AttributeDefinition(name: "displayName", mutability: .readOnly),
      ]),
  ]

  private static let ownAttributes = [
    AttributeDefinition(name: "level", type: .integer),
    AttributeDefinition(name: "score", type: .decimal),
    AttributeDefinition(name: "joined", type: .dateTime),
    AttributeDefinition(name: "tags", isMultiValued: true),
    AttributeDefinition(name: "badge", isCaseExact: true, uniqueness: .global),
    AttributeDefinition(name: "birthName", mutability: .immutable),
    AttributeDefinition(name: "notes", returned: .request),
    AttributeDefinition(name: "pin", returned: .never),
    AttributeDefinition(name: "staffCode", returned: .always),
    AttributeDefinition(
      name: "desks", type: .complex, isMultiValued: true,
      subAttributes: [
        AttributeDefinition(name: "room", isRequired: true), AttributeDefinition(name: "floor", type: .integer),
        AttributeDefinition(name: "phones", isMultiValued: true),
        AttributeDefinition(name: "code", returned: .never),
        AttributeDefinition(name: "plan", returned: .request), primary,
      ]),
    AttributeDefinition(
      name: "origin", type: .complex,
      subAttributes: [
        AttributeDefinition(name: "source", mutability: .immutable), AttributeDefinition(name: "value"),
      ]),
  ]

  private static let primary = AttributeDefinition(name: "primary", type: .boolean)

  private static func text(_ name: String) -> AttributeDefinition { AttributeDefinition(name: name) }

  private static func reference(_ name: String) -> AttributeDefinition {
    AttributeDefinition(name: name, type: .reference, isCaseExact: true)
  }

  private static func list(
    _ name: String, _ texts: [String], and more: [AttributeDefinition]
  ) -> AttributeDefinition {
    AttributeDefinition(name: name, type: .complex, isMultiValued: true, subAttributes: texts.map(text) + more)
  }

  private static func schema(_ id: String, _ attributes: [AttributeDefinition]) -> SchemaDefinition {
    SchemaDefinition(id: id, name: id, text: "", attributes: attributes, document: JSONObject())
  }

  /// The attribute at a dotted path of the user's schemas.
  static func attribute(_ path: String) -> AttributeDefinition? {
    let names = path.split(separator: ".").map(String.init)
    let schemas = [user.schema] + user.extensions.map(\.schema)
    let top = schemas.lazy.compactMap { $0.attribute(named: names[0]) }.first
    return names.dropFirst().reduce(top) { $0?.subAttribute(named: $1) }
  }
}

extension LinkElement {
  init(
    attribute: String, handle: Int64, type: String, id: String, display: String?, extra: JSONObject = JSONObject(),
    isDirect: Bool = true, isShared: Bool = false
  ) {
    self.init(
      attribute: attribute, handle: handle,
      end: LinkEnd(type: type, id: id, display: display, isShared: isShared), extra: extra, isDirect: isDirect)
  }
}
