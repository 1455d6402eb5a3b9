/// A resource type with its extension in one document, as `roster type add` and seed files take it.
///
/// A type of an organisation's catalogue; `schema` may be left out, and then is that of Okta's entitlements:
/// ```
/// {"name": "License", "displayName": "CRM licence", "endpoint": "/Licenses", "description": "A licence for the CRM.",
///  "extension": {"schema": "urn:acme:scim:schemas:extension:crm:1.0:License", "attributes": [
///    {"name": "seats", "type": "integer"}]}}
/// ```
/// Attributes that a built-in type gets:
/// ```
/// {"extends": "User", "extension": {"schema": "urn:acme:scim:schemas:extension:hr:1.0:User", "attributes": […]}}
/// ```
public struct TypeDescription: Sendable, Equatable {
  /// The base schema of a type that names none.
  public static let entitlementSchema = "urn:okta:scim:schemas:core:1.0:Entitlement"

  /// The name of the type, or of the built-in type that gets more attributes.
  public let name: String
  /// True where a built-in type gets more attributes.
  public let isAddition: Bool
  /// The extension's own schema; nil where the type has none.
  public let schema: Definition?
  /// True where every resource of the type must have the extension.
  public let isRequired: Bool
  /// The ResourceType document without its extensions; empty for an addition.
  let document: JSONObject
  /// The URN of the base schema; empty for an addition.
  let baseSchema: String

  /// Reads the document. What its schema and its attributes say is checked when the registry is made.
  ///
  /// - Throws: `SchemaError` naming `name` as the file.
  public init(_ json: JSON, name file: String) throws(SchemaError) {
    let problems = ProblemList()
    guard case .object(let object) = json else {
      throw SchemaError([SchemaError.Problem(file: file, place: "", message: "must be one JSON object")])
    }
    let reader = MemberReader(file: file, object: object, problems: problems)
    isAddition = object["extends"] != nil
    let own = reader.child("extension")
    own?.allow(["schema", "name", "description", "required", "attributes"])
    let urn = own?.text("schema", isRequired: true)
    isRequired = own?.boolean("required") ?? false
    if isAddition {
      reader.allow(["extends", "description", "extension"])
      if object["extension"] == nil { reader.note("is missing", at: "extension") }
      name = reader.text("extends", isRequired: true) ?? ""
      baseSchema = ""
      document = JSONObject()
    } else {
      reader.allow(["name", "displayName", "endpoint", "description", "schema", "extension", "display"])
      name = reader.text("name", isRequired: true) ?? ""
      baseSchema = reader.text("schema") ?? Self.entitlementSchema
      var document = JSONObject()
      document["name"] = .string(name)
      for key in ["displayName", "endpoint", "description"] { document[key] = object[key] }
      document["schema"] = .string(baseSchema)
      if let display = object["display"] { document["roster"] = ["display": display] }
      self.document = document
    }
    if let urn, let own {
      var document = JSONObject()
      document["id"] = .string(urn)
      document["name"] = own.object["name"] ?? .string(name)
      document["description"] = own.object["description"] ?? object["description"]
      document["attributes"] = own.object["attributes"]
      schema = Definition(kind: .schema, name: urn, document: document)
    } else {
      schema = nil
    }
    try problems.throwIfAny()
  }

  /// The definition of the type. A type of the catalogue gets the attributes by which assignments are counted and
  /// limited, as the built-in ones of the same base schema have them.
  public func type(extending base: SchemaRegistry) -> Definition {
    var document = document
    if let schema { document["schemaExtensions"] = .array([Self.entry(schema.name, isRequired: isRequired)]) }
    return Definition(kind: .type, name: name, document: document).addingCountedExtension(of: base)
  }

  /// What an error calls the definition of the type, or of what a built-in type gets.
  public var label: String { Definition(kind: isAddition ? .additions : .type, name: name, document: document).label }

  /// True where the registry has the type, or the extension of the built-in type.
  public func isKnown(in registry: SchemaRegistry) -> Bool {
    guard let type = registry.type(named: name) else { return false }
    return !isAddition || schema.map { type.extension(urn: $0.name) != nil } ?? true
  }

  /// The definitions that several descriptions give together.
  public static func definitions(_ descriptions: [TypeDescription], extending base: SchemaRegistry) -> [Definition] {
    var definitions = descriptions.compactMap(\.schema)
    definitions += descriptions.filter { !$0.isAddition }.map { $0.type(extending: base) }
    var added: [String: [JSON]] = [:]
    for description in descriptions where description.isAddition {
      guard let urn = description.schema?.name else { continue }
      added[description.name, default: []].append(entry(urn, isRequired: description.isRequired))
    }
    for (name, entries) in added.sorted(by: { $0.key < $1.key }) {
      let document = JSONObject([JSONObject.Member(key: "schemaExtensions", value: .array(entries))])
      definitions.append(Definition(kind: .additions, name: name, document: document))
    }
    return definitions
  }

  /// The element of `schemaExtensions`.
  public static func entry(_ urn: String, isRequired: Bool) -> JSON {
    .object(
      JSONObject([
        JSONObject.Member(key: "schema", value: .string(urn)),
        JSONObject.Member(key: "required", value: .bool(isRequired)),
      ]))
  }
}
