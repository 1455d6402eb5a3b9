import SCIMCore

/// The types that the tests of filters resolve against.
enum FilterFixtures {
  static let user = type("User")
  static let group = type("Group")
  static let role = type("Role")

  private static func type(_ name: String) -> ResourceType {
    guard let type = BuiltInSchemas.registry.type(named: name) else { preconditionFailure("no type \(name)") }
    return type
  }

  /// A type with an attribute of every data type, and with extensions whose names and URNs are easily mistaken:
  ///
  /// - `urn:x:Widget` begins the URN of each of its extensions;
  /// - `urn:x:Widget:ext` and `urn:x:Widget:ext:deep`: one URN begins the other;
  /// - `shared` is in both extensions, `title` in core and an extension, `only` and `boss` in one.
  static let widget = ResourceType(
    name: "Widget", endpoint: "/Widgets",
    schema: schema(
      "urn:x:Widget",
      [
        AttributeDefinition(name: "id"),
        AttributeDefinition(name: "title"),
        AttributeDefinition(name: "code", isCaseExact: true),
        AttributeDefinition(name: "count", type: .integer),
        AttributeDefinition(name: "weight", type: .decimal),
        AttributeDefinition(name: "on", type: .boolean),
        AttributeDefinition(name: "made", type: .dateTime),
        AttributeDefinition(name: "blob", type: .binary, isCaseExact: true),
        AttributeDefinition(name: "link", type: .reference, isCaseExact: true),
        AttributeDefinition(name: "tags", isMultiValued: true),
        AttributeDefinition(name: "sizes", type: .integer, isMultiValued: true),
        AttributeDefinition(name: "secret", mutability: .writeOnly, returned: .never),
        AttributeDefinition(
          name: "place", type: .complex,
          subAttributes: [AttributeDefinition(name: "x", type: .integer), AttributeDefinition(name: "name")]),
        AttributeDefinition(
          name: "parts", type: .complex, isMultiValued: true,
          subAttributes: [
            AttributeDefinition(name: "value"), AttributeDefinition(name: "type"),
            AttributeDefinition(name: "count", type: .integer), AttributeDefinition(name: "weight", type: .decimal),
            AttributeDefinition(name: "primary", type: .boolean), AttributeDefinition(name: "made", type: .dateTime),
            AttributeDefinition(name: "labels", isMultiValued: true),
            AttributeDefinition(name: "pin", returned: .never),
          ]),
      ]),
    extensions: [
      extending("urn:x:Widget:ext:deep", [AttributeDefinition(name: "shared"), AttributeDefinition(name: "low")]),
      extending(
        "urn:x:Widget:ext",
        [
          AttributeDefinition(name: "shared"), AttributeDefinition(name: "title"), AttributeDefinition(name: "only"),
          AttributeDefinition(
            name: "boss", type: .complex,
            subAttributes: [AttributeDefinition(name: "value", isCaseExact: true), AttributeDefinition(name: "name")]),
        ]),
    ],
    document: JSONObject())

  static func object(_ value: JSON) -> JSONObject {
    value.objectValue ?? JSONObject()
  }

  private static func schema(_ id: String, _ attributes: [AttributeDefinition]) -> SchemaDefinition {
    SchemaDefinition(id: id, name: id, text: "", attributes: attributes, document: JSONObject())
  }

  private static func extending(_ id: String, _ attributes: [AttributeDefinition]) -> ResourceType.Extension {
    ResourceType.Extension(schema: schema(id, attributes), isRequired: false)
  }
}

extension ResolvedFilter {
  /// The filter in words: paths as they are, values with their kind.
  var words: String {
    switch self {
    case .and(let parts): "(" + parts.map(\.words).joined(separator: " and ") + ")"
    case .or(let parts): "(" + parts.map(\.words).joined(separator: " or ") + ")"
    case .not(let part): "not " + part.words
    case .compare(let reference, let comparison, let operand):
      "\(reference.path) \(comparison.rawValue) \(operand.words)"
    case .present(let reference): "\(reference.path) pr"
    case .element(let reference, let part): "\(reference.path)[\(part.words)]"
    case .constant(let value): value ? "all" : "none"
    }
  }
}

extension FilterOperand {
  var words: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(value)d"
    case .instant(let value): "@\(value.milliseconds)"
    case .null: "null"
    }
  }
}
