import SCIMCore

/// What somebody may have meant who wrote what a seed file does not know.
enum SeedHints {
  /// What is wrong with JSON that is no seed file at all; nil where it looks like one.
  static func foreign(_ json: JSON) -> String? {
    let begin =
      #"A seed file begins with {"format": "roster-seed/1", "organizations": [...]}; see docs/seed-format.md."#
    guard let object = json.objectValue else { return "must be an object. " + begin }
    guard object["format"] == nil, object["organizations"] == nil else { return nil }
    if object["Resources"] != nil { return "this is a SCIM list response, not a seed file. " + begin }
    if object["schemas"] != nil || object["userName"] != nil {
      return "this is a SCIM resource, not a seed file. " + begin
    }
    if object["extends"] != nil || object["endpoint"] != nil {
      return "this describes a resource type; 'roster type add' takes it. " + begin
    }
    return object.members.isEmpty ? nil : "this is not a seed file. " + begin
  }

  /// What to say of an attribute that a type does not have.
  static func unknown(_ name: String, in type: ResourceType) -> String {
    let text = "\(type.name) has no attribute '\(name)'"
    for found in type.extensions {
      guard let attribute = found.schema.attribute(named: name) else { continue }
      return text + #"; it belongs to an extension. Write "\#(found.schema.id)": { \#(example(of: attribute)) }"#
    }
    for parent in type.schema.attributes where parent.type == .complex && !parent.isMultiValued {
      guard let attribute = parent.subAttribute(named: name) else { continue }
      return text + #". Write "\#(parent.name)": { \#(example(of: attribute)) }"#
    }
    let names = type.schema.attributes.map(\.name) + type.extensions.map(\.schema.id)
    guard let nearest = Suggestion.nearest(to: name, among: names) else {
      return text + #"; define it in an extension, under "types" in the file or with 'roster type add'"#
    }
    let sentence = text + Suggestion.sentence(nearest)
    guard let attribute = type.schema.attribute(named: nearest), attribute.type == .complex else { return sentence }
    return sentence + " Write " + example(of: attribute)
  }

  /// What to say of an attribute that an extension does not have.
  static func unknown(_ name: String, in schema: SchemaDefinition) -> String {
    "the extension has no attribute '\(name)'"
      + Suggestion.sentence(Suggestion.nearest(to: name, among: schema.attributes.map(\.name)))
  }

  /// Where a value has not the shape of its attribute: the place below it, and what to write. Nil where it has, or where
  /// only a closer look can tell.
  static func shape(_ value: JSON, of attribute: AttributeDefinition, at path: SeedPath) -> SeedFault? {
    if value == .null || attribute.mutability == .readOnly { return nil }
    guard attribute.isMultiValued else {
      guard attribute.type == .complex, value.objectValue == nil else { return nil }
      return SeedFault(path: path, message: "must be an object. Write " + example(of: attribute))
    }
    guard let elements = value.arrayValue else {
      return SeedFault(path: path, message: "must be an array. Write " + example(of: attribute, given: value))
    }
    guard attribute.type == .complex, let index = elements.firstIndex(where: { $0.objectValue == nil }) else {
      return nil
    }
    return SeedFault(
      path: path + index, message: "must be an object. Write " + example(of: attribute, given: elements[index]))
  }

  /// How the attribute is written: `"emails": [{ "value": … }]`; with the value that somebody gave, if it is a text.
  private static func example(of attribute: AttributeDefinition, given: JSON? = nil) -> String {
    var value = "…"
    if case .string = given { value = given.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? value }
    if attribute.type == .complex {
      let names = attribute.subAttributes.filter { $0.mutability != .readOnly }.map(\.name)
      let name = names.contains("value") ? "value" : names.first ?? "value"
      value = #"{ "\#(name)": \#(value) }"#
    }
    return #""\#(attribute.name)": \#(attribute.isMultiValued ? "[\(value)]" : value)"#
  }
}
