import Foundation
import SCIMCore
import Testing

/// A set of documents with a mistake, and what is said of it.
struct BrokenDocuments: Sendable, CustomTestStringConvertible {
  var name: String
  var documents: [SchemaDocument]
  var messages: [String]

  var testDescription: String { name }

  static let urn = "urn:example:scim:schemas:1.0:Device"

  /// A sound type over `urn`, so that a mistake in the schema stands alone.
  static let type = """
    {"name": "Device", "endpoint": "/Devices", "schema": "\(urn)"}
    """

  static func schema(_ attributes: String, id: String = urn) -> String {
    """
    {"id": "\(id)", "name": "Device", "attributes": [\(attributes)]}
    """
  }

  /// One schema document with these attributes beside a sound type.
  static func attributes(_ name: String, _ attributes: String, _ messages: String...) -> BrokenDocuments {
    BrokenDocuments(name: name, ["Device.json": schema(attributes), "types/Device.json": type], messages)
  }

  /// One type document beside a sound schema and the built-in documents.
  static func type(_ name: String, _ text: String, _ messages: String...) -> BrokenDocuments {
    BrokenDocuments(
      name: name, ["Device.json": schema(#"{"name": "displayName"}"#), "types/Device.json": text], messages)
  }

  init(name: String, _ texts: KeyValuePairs<String, String>, _ messages: [String]) {
    self.name = name
    documents = texts.map { SchemaDocument(name: $0.key, data: Data($0.value.utf8)) }
    self.messages = messages
  }
}

@Suite("Schema loader")
struct SchemaLoaderTests {
  static let attributes: [BrokenDocuments] = [
    .attributes(
      "unknown keyword", #"{"name": "a", "colour": "red"}"#,
      "Device.json: attributes[0].colour: unknown member; known here: name, type, multiValued, description, required, "
        + "canonicalValues, caseExact, mutability, returned, uniqueness, referenceTypes, subAttributes"),
    .attributes(
      "keyword in another letter case", #"{"name": "a", "multivalued": true}"#,
      "Device.json: attributes[0].multivalued: unknown member; it is written multiValued"),
    .attributes(
      "unknown type deep inside",
      #"{"name": "a", "type": "complex", "subAttributes": [{"name": "b"}, {"name": "c", "type": "text"}]}"#,
      "Device.json: attributes[0].subAttributes[1].type: unknown type \"text\"; it is one of string, boolean, decimal, "
        + "integer, dateTime, binary, reference, complex"),
    .attributes(
      "unknown mutability, returned and uniqueness at once",
      #"{"name": "a", "mutability": "readonly", "returned": "sometimes", "uniqueness": "yes"}"#,
      "Device.json: attributes[0].mutability: unknown mutability \"readonly\"; it is one of readOnly, readWrite, "
        + "immutable, writeOnly",
      "Device.json: attributes[0].returned: unknown returned \"sometimes\"; it is one of always, never, default, request",
      "Device.json: attributes[0].uniqueness: unknown uniqueness \"yes\"; it is one of none, server, global"),
    .attributes("no name", #"{"type": "string"}"#, "Device.json: attributes[0].name: is missing"),
    .attributes(
      "a name that is none", #"{"name": "9lives"}, {"name": "a.b"}, {"name": "größe"}, {"name": "$ref"}"#,
      "Device.json: attributes[0].name: \"9lives\" is no attribute name: a letter, then letters, digits, $, - and _",
      "Device.json: attributes[1].name: \"a.b\" is no attribute name: a letter, then letters, digits, $, - and _",
      "Device.json: attributes[2].name: \"größe\" is no attribute name: a letter, then letters, digits, $, - and _",
      "Device.json: attributes[3].name: \"$ref\" is no attribute name: a letter, then letters, digits, $, - and _"),
    .attributes(
      "a name twice", #"{"name": "a"}, {"name": "b"}, {"name": "a"}"#,
      "Device.json: attributes[2].name: \"a\" is defined twice"),
    .attributes(
      "a name twice in different letter case",
      #"{"name": "a", "type": "complex", "subAttributes": [{"name": "size"}, {"name": "SIZE"}]}"#,
      "Device.json: attributes[0].subAttributes[1].name: \"SIZE\" is defined twice as size; "
        + "names differ in more than letter case"),
    .attributes(
      "complex in complex",
      #"""
      {"name": "a", "type": "complex", "subAttributes": [
        {"name": "b", "type": "complex", "subAttributes": [{"name": "c"}]}]}
      """#,
      "Device.json: attributes[0].subAttributes[0].type: a complex attribute cannot contain a complex one "
        + "(RFC 7643 section 2.3.8)"),
    .attributes(
      "complex without sub-attributes",
      #"{"name": "a", "type": "complex"}, {"name": "b", "type": "complex", "subAttributes": []}"#,
      "Device.json: attributes[0].subAttributes: a complex attribute needs subAttributes",
      "Device.json: attributes[1].subAttributes: a complex attribute needs subAttributes"),
    .attributes(
      "sub-attributes of a simple attribute", #"{"name": "a", "subAttributes": [{"name": "b"}]}"#,
      "Device.json: attributes[0].subAttributes: only an attribute of type complex has subAttributes"),
    .attributes(
      "uniqueness of a complex attribute",
      #"{"name": "a", "type": "complex", "uniqueness": "server", "subAttributes": [{"name": "b"}]}"#,
      "Device.json: attributes[0].uniqueness: a complex attribute has no uniqueness; its sub-attributes may"),
    .attributes(
      "canonicalValues where they mean nothing; referenceTypes are passed over",
      #"{"name": "a", "referenceTypes": ["User"]}, {"name": "b", "type": "boolean", "canonicalValues": ["yes"]}"#,
      "Device.json: attributes[1].canonicalValues: only an attribute of type string or reference has canonicalValues"),
    .attributes(
      "a secret that is returned", #"{"name": "pin", "mutability": "writeOnly"}"#,
      "Device.json: attributes[0].returned: a writeOnly attribute has returned never"),
    .attributes(
      "wrong JSON types",
      #"{"name": 7, "required": "yes", "canonicalValues": ["a", "a", 1], "description": null}, "x""#,
      "Device.json: attributes[1]: must be an object",
      "Device.json: attributes[0].name: must be a string",
      "Device.json: attributes[0].canonicalValues[1]: \"a\" is listed twice",
      "Device.json: attributes[0].canonicalValues[2]: must be a string that is not empty",
      "Device.json: attributes[0].description: must not be null; leave it out instead",
      "Device.json: attributes[0].required: must be true or false"),
    .attributes(
      "an attribute that every resource has", #"{"name": "ID"}, {"name": "meta"}"#,
      "types/Device.json: schema: the base schema urn:example:scim:schemas:1.0:Device defines \"ID\", "
        + "which every resource already has",
      "types/Device.json: schema: the base schema urn:example:scim:schemas:1.0:Device defines \"meta\", "
        + "which every resource already has"),
  ]

  static let documents: [BrokenDocuments] = [
    BrokenDocuments(
      name: "no JSON", ["Device.json": "{\n  \"id\": \"urn:x\",\n}"],
      ["Device.json: line 3, column 1: a comma in front of '}'"]),
    BrokenDocuments(name: "no object", ["Device.json": "[]"], ["Device.json: must be one JSON object"]),
    BrokenDocuments(
      name: "another kind of document",
      ["Device.json": #"{"schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], "Resources": []}"#],
      [
        "Device.json: schemas: must be [\"urn:ietf:params:scim:schemas:core:2.0:Schema\"] or "
          + "[\"urn:ietf:params:scim:schemas:core:2.0:ResourceType\"]"
      ]),
    BrokenDocuments(
      name: "an empty object", ["Device.json": "{}"],
      ["Device.json: id: is missing", "Device.json: attributes: is missing"]),
    BrokenDocuments(
      name: "a bad URN", ["a.json": BrokenDocuments.schema("", id: "Device")],
      [
        "a.json: id: must be a URN such as urn:example:scim:schemas:extension:app:1.0:Device, "
          + "of letters, digits and - . _ ~ :, with 2 to 32 letters, digits or - behind \"urn:\""
      ]),
    BrokenDocuments(
      name: "a URN with a slash", ["a.json": BrokenDocuments.schema("", id: "urn:example:a/b")],
      [
        "a.json: id: must be a URN such as urn:example:scim:schemas:extension:app:1.0:Device, "
          + "of letters, digits and - . _ ~ :, with 2 to 32 letters, digits or - behind \"urn:\""
      ]),
    BrokenDocuments(
      name: "a message's URN",
      ["a.json": BrokenDocuments.schema("", id: "urn:ietf:params:scim:api:messages:2.0:PatchOp")],
      [
        "a.json: id: is the URN of a protocol message, which is no schema of resources (RFC 7644 section 3.1)"
      ]),
    BrokenDocuments(
      name: "a discovery document's URN",
      ["a.json": BrokenDocuments.schema("", id: "urn:ietf:params:scim:schemas:core:2.0:Schema")],
      [
        "a.json: id: is the URN of a discovery document, whose schema the RFC fixes (RFC 7643 section 8.7.2)"
      ]),
    BrokenDocuments(
      name: "a URN twice",
      [
        "a.json": BrokenDocuments.schema(""),
        "b.json": BrokenDocuments.schema("", id: "URN:example:scim:schemas:1.0:DEVICE"),
      ],
      ["b.json: id: the schema \"URN:example:scim:schemas:1.0:DEVICE\" is already defined in a.json"]),
    BrokenDocuments(
      name: "mistakes in two documents",
      ["a.json": BrokenDocuments.schema(#"{"name": "-"}"#), "b.json": "{"],
      [
        "a.json: attributes[0].name: \"-\" is no attribute name: a letter, then letters, digits, $, - and _",
        "b.json: line 1, column 2: the JSON text ends inside a value",
      ]),
    BrokenDocuments(
      name: "a type's name and endpoint twice",
      [
        "Device.json": BrokenDocuments.schema(""), "types/a.json": BrokenDocuments.type,
        "types/b.json":
          #"{"name": "device", "endpoint": "/DEVICES", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      ],
      [
        "types/b.json: name: the resource type \"device\" is already defined in types/a.json",
        "types/b.json: endpoint: the endpoint \"/DEVICES\" is already defined in types/a.json",
      ]),
    BrokenDocuments(
      name: "an endpoint of a built-in type",
      [
        "Device.json": BrokenDocuments.schema(""),
        "types/a.json": #"{"name": "Device", "endpoint": "/users", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      ],
      ["types/a.json: endpoint: the endpoint \"/users\" is already defined in resource type User"]),
    BrokenDocuments(
      name: "a schema whose URN is an attribute of another",
      [
        "a.json": BrokenDocuments.schema(#"{"name": "port"}"#),
        "b.json": BrokenDocuments.schema(#"{"name": "speed"}"#, id: "urn:example:scim:schemas:1.0:device:Port"),
        "types/a.json": #"""
        {"name": "Device", "endpoint": "/Devices", "schema": "urn:example:scim:schemas:1.0:Device",
         "schemaExtensions": [{"schema": "urn:example:scim:schemas:1.0:device:Port", "required": false}]}
        """#,
      ],
      [
        "types/a.json: schemaExtensions: \"urn:example:scim:schemas:1.0:device:Port\" names both a schema and the "
          + "attribute \"Port\" of urn:example:scim:schemas:1.0:Device"
      ]),
    BrokenDocuments(
      name: "a built-in schema replaced by one without what its type links",
      ["Group.json": BrokenDocuments.schema("", id: "urn:ietf:params:scim:schemas:core:2.0:Group")],
      [
        "resource type Group: roster.links.members: urn:ietf:params:scim:schemas:core:2.0:Group has no attribute "
          + "\"members\"",
        "resource type Group: roster.display[0]: \"displayName\" is no text attribute of "
          + "urn:ietf:params:scim:schemas:core:2.0:Group",
      ]),
  ]

  static let types: [BrokenDocuments] = [
    .type(
      "nothing in it", #"{"endpoint": ""}"#,
      "types/Device.json: name: is missing", "types/Device.json: endpoint: must not be empty",
      "types/Device.json: schema: is missing"),
    .type(
      "an id of its own",
      #"{"id": "7", "name": "Device", "endpoint": "/Devices", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      "types/Device.json: id: must equal the name, \"Device\""),
    .type(
      "a name with a blank",
      #"{"name": "My Device", "endpoint": "/Devices", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      "types/Device.json: name: \"My Device\" is no type name: a letter, then letters, digits, - and _"),
    .type(
      "an endpoint without a slash",
      #"{"name": "Device", "endpoint": "Devices", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      "types/Device.json: endpoint: must begin with a slash, as /Users does"),
    .type(
      "an endpoint of two segments",
      #"{"name": "Device", "endpoint": "/My/Devices", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      "types/Device.json: endpoint: must be one path segment of letters, digits, - and _ that begins with a letter, "
        + "as /Users is"),
    .type(
      "a reserved endpoint",
      #"{"name": "Device", "endpoint": "/bulk", "schema": "urn:example:scim:schemas:1.0:Device"}"#,
      "types/Device.json: endpoint: \"/bulk\" belongs to the protocol (RFC 7644 section 3.2)"),
    .type(
      "an unknown schema", #"{"name": "Device", "endpoint": "/Devices", "schema": "urn:example:none"}"#,
      "types/Device.json: schema: there is no schema \"urn:example:none\""),
    .type(
      "extensions: unknown, its own base, twice",
      #"""
      {"name": "Device", "endpoint": "/Devices", "schema": "urn:example:scim:schemas:1.0:Device", "schemaExtensions": [
        {"schema": "urn:example:none", "required": false},
        {"schema": "urn:example:scim:schemas:1.0:Device", "required": false},
        {"schema": "urn:ietf:params:scim:schemas:core:2.0:Role", "required": false},
        {"schema": "urn:ietf:params:scim:schemas:core:2.0:role", "required": true}]}
      """#,
      "types/Device.json: schemaExtensions[0].schema: there is no schema \"urn:example:none\"",
      "types/Device.json: schemaExtensions[1].schema: is the type's own base schema",
      "types/Device.json: schemaExtensions[3].schema: \"urn:ietf:params:scim:schemas:core:2.0:role\" is listed twice"),
    .type(
      "an extension without required",
      #"""
      {"name": "Device", "endpoint": "/Devices", "schema": "urn:example:scim:schemas:1.0:Device",
       "schemaExtensions": [{"schema": "urn:ietf:params:scim:schemas:core:2.0:Role"}]}
      """#,
      "types/Device.json: schemaExtensions[0].required: is missing"),
    .type(
      "links of no kind, of two, and of a bad form",
      #"""
      {"name": "Device", "endpoint": "/Devices", "schema": "urn:example:scim:schemas:1.0:Device", "roster": {"links": {
        "a": {}, "b": {"members": ["User"], "catalog": "urn:x"}, "c": {"memberOf": "Group"}, "d": {"members": []},
        "e": {"likes": "User"}}}}
      """#,
      "types/Device.json: roster.links.a: must have exactly one of members, memberOf and catalog",
      "types/Device.json: roster.links.b: must have exactly one of members, memberOf and catalog",
      "types/Device.json: roster.links.c.memberOf: must be a resource type and its attribute, as Group.members is",
      "types/Device.json: roster.links.d.members: must name at least one resource type",
      "types/Device.json: roster.links.e.likes: unknown member; known here: members, memberOf, catalog"),
    .type(
      "links to what is not there",
      #"""
      {"name": "Device", "endpoint": "/Devices", "schema": "urn:ietf:params:scim:schemas:core:2.0:User",
       "roster": {"links": {
         "owners": {"members": ["User"]}, "title": {"members": ["User"]}, "emails": {"members": ["User", "Robot"]},
         "photos": {"memberOf": "Robot.members"}, "groups": {"memberOf": "Group.members"},
         "ims": {"memberOf": "User.roles"}, "roles": {"catalog": "urn:example:none"},
         "entitlements": {"catalog": "urn:ietf:params:scim:schemas:core:2.0:Role"}}}}
      """#,
      "types/Device.json: roster.links.owners: urn:ietf:params:scim:schemas:core:2.0:User has no attribute \"owners\"",
      "types/Device.json: roster.links.title: a link needs a multi-valued complex attribute with the sub-attribute value",
      "types/Device.json: roster.links.emails.members[1]: there is no resource type \"Robot\"",
      "types/Device.json: roster.links.photos: shows the other side of a link, so the attribute must be readOnly",
      "types/Device.json: roster.links.photos.memberOf: there is no resource type \"Robot\"",
      "types/Device.json: roster.links.groups.memberOf: Group.members does not allow a Device",
      "types/Device.json: roster.links.ims: shows the other side of a link, so the attribute must be readOnly",
      "types/Device.json: roster.links.ims.memberOf: User has no members link \"roles\"",
      "types/Device.json: roster.links.roles.catalog: there is no schema \"urn:example:none\"",
      "types/Device.json: roster.links.entitlements.catalog: no resource type has the base schema "
        + "\"urn:ietf:params:scim:schemas:core:2.0:Role\""),
    .type(
      "display attributes that are none",
      #"""
      {"name": "Device", "endpoint": "/Devices", "schema": "urn:ietf:params:scim:schemas:core:2.0:User",
       "roster": {"display": ["label", "name.formatted", "name", "active", "password", "a.b.c"]}}
      """#,
      "types/Device.json: roster.display[0]: \"label\" is no text attribute of "
        + "urn:ietf:params:scim:schemas:core:2.0:User",
      "types/Device.json: roster.display[2]: \"name\" is no text attribute of urn:ietf:params:scim:schemas:core:2.0:User",
      "types/Device.json: roster.display[3]: \"active\" is no text attribute of "
        + "urn:ietf:params:scim:schemas:core:2.0:User",
      "types/Device.json: roster.display[4]: \"password\" is no text attribute of "
        + "urn:ietf:params:scim:schemas:core:2.0:User",
      "types/Device.json: roster.display[5]: \"a.b.c\" is no text attribute of "
        + "urn:ietf:params:scim:schemas:core:2.0:User"),
  ]

  @Test("refuses broken documents with file, place and reason", arguments: attributes + documents + types)
  func refuse(_ row: BrokenDocuments) {
    do throws(SchemaError) {
      _ = try SchemaLoader.load(row.documents, extending: BuiltInSchemas.registry)
      Issue.record("nothing was refused")
    } catch {
      #expect(error.problems.map(\.description) == row.messages)
    }
  }

  @Test("takes what the RFC's own documents hold: meta, and uniqueness none on a complex attribute")
  func tolerate() throws {
    let text = #"""
      {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"], "id": "urn:example:a", "attributes": [
        {"name": "a", "type": "complex", "uniqueness": "none", "caseExact": false, "subAttributes": [{"name": "$ref"}]}
       ], "meta": {"location": "/Schemas/x"}}
      """#
    let registry = try SchemaLoader.load([SchemaDocument(name: "a.json", data: Data(text.utf8))])
    let schema = try #require(registry.schema(id: "urn:example:a"))
    #expect(schema.attributes[0].subAttributes[0].name == "$ref")
    #expect(schema.document["meta"] == nil)
  }

  @Test("gives characteristics left out the defaults of RFC 7643 section 2.2")
  func defaults() throws {
    let text = BrokenDocuments.schema(#"{"name": "a"}"#)
    let registry = try SchemaLoader.load([SchemaDocument(name: "a.json", data: Data(text.utf8))])
    let attribute = try #require(registry.schemas.first?.attributes.first)
    #expect(attribute.type == .string && !attribute.isMultiValued && !attribute.isRequired && !attribute.isCaseExact)
    #expect(attribute.mutability == .readWrite && attribute.returned == .default && attribute.uniqueness == .none)
  }

  @Test("replaces a type of the base by name and keeps the others")
  func replace() throws {
    let text = #"""
      {"name": "User", "endpoint": "/People", "schema": "urn:ietf:params:scim:schemas:core:2.0:User"}
      """#
    let registry = try SchemaLoader.load(
      [SchemaDocument(name: "types/User.json", data: Data(text.utf8))], extending: BuiltInSchemas.registry)
    #expect(registry.types.map(\.name) == BuiltInSchemas.registry.types.map(\.name))
    #expect(registry.type(named: "User")?.endpoint == "/People")
    #expect(registry.type(named: "User")?.extensions.isEmpty == true)
    #expect(registry.type(named: "Group")?.links.count == 1)
    // Nothing takes values from the catalogues any more.
    #expect(registry.types.allSatisfy { !$0.isCatalog })
  }
}
