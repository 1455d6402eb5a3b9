import SCIMCore

/// Makes bodies from a type's schema alone, so that a type is tested by existing.
struct SampleResource {
  let type: ResourceType
  /// Goes into every text value, so that samples can be told apart and a leak be seen.
  let mark: String

  /// A body with a value for every attribute that a client writes, links apart.
  var full: JSON { body(requiredOnly: false) }

  /// A body with what is required, and no more.
  var minimal: JSON { body(requiredOnly: true) }

  /// The first core attribute that is a single text which a client may change; every type needs one to be tested.
  var nameAttribute: AttributeDefinition? {
    type.schema.attributes.first { $0.type == .string && !$0.isMultiValued && isWritten($0) }
  }

  /// An attribute of a sample that can be filtered for, and the literal that finds it.
  struct Leaf {
    var path: String
    var literal: String
    /// True where no other sample has the value.
    var isDistinctive: Bool
  }

  /// Every simple attribute of `full` that a filter reaches.
  var leaves: [Leaf] {
    var leaves = self.leaves(of: type.schema.attributes.filter { type.link(for: $0.name) == nil }, prefix: "")
    for part in type.extensions {
      leaves += self.leaves(of: part.schema.attributes, prefix: part.schema.id + ":")
    }
    return leaves
  }

  private func body(requiredOnly: Bool) -> JSON {
    var body = JSONObject()
    var schemas = [JSON.string(type.schema.id)]
    let core = type.schema.attributes.filter { type.link(for: $0.name) == nil }
    for attribute in core { body[attribute.name] = value(attribute, requiredOnly: requiredOnly) }
    for part in type.extensions where part.isRequired || !requiredOnly {
      var content = JSONObject()
      for attribute in part.schema.attributes {
        content[attribute.name] = value(attribute, requiredOnly: requiredOnly)
      }
      guard !content.isEmpty else { continue }
      schemas.append(.string(part.schema.id))
      body[part.schema.id] = .object(content)
    }
    body["schemas"] = .array(schemas)
    if !requiredOnly { body["externalId"] = .string(mark + "-externalId") }
    return .object(body)
  }

  private func isWritten(_ attribute: AttributeDefinition) -> Bool { attribute.mutability == .readWrite }

  private func value(_ attribute: AttributeDefinition, requiredOnly: Bool) -> JSON? {
    guard attribute.mutability != .readOnly, attribute.isRequired || !requiredOnly else { return nil }
    guard let one = element(attribute, requiredOnly: requiredOnly) else { return nil }
    return attribute.isMultiValued ? [one] : one
  }

  private func element(_ attribute: AttributeDefinition, requiredOnly: Bool) -> JSON? {
    switch attribute.type {
    case .string: .string(attribute.canonicalValues.first ?? "\(mark)-\(attribute.name)")
    case .boolean: true
    case .integer: 7
    case .decimal: 1.25
    case .dateTime: "2026-01-31T09:30:00Z"
    case .binary: "AAEC"
    case .reference: .string("https://\(mark).example/\(attribute.name)")
    case .complex: complex(attribute, requiredOnly: requiredOnly)
    }
  }

  private func complex(_ attribute: AttributeDefinition, requiredOnly: Bool) -> JSON? {
    var object = JSONObject()
    for sub in attribute.subAttributes { object[sub.name] = value(sub, requiredOnly: requiredOnly) }
    return object.isEmpty ? nil : .object(object)
  }

  private func leaves(of attributes: [AttributeDefinition], prefix: String) -> [Leaf] {
    attributes.flatMap { attribute -> [Leaf] in
      guard attribute.mutability != .readOnly, attribute.returned != .never else { return [] }
      guard attribute.type != .complex else {
        return leaves(of: attribute.subAttributes, prefix: prefix + attribute.name + ".")
      }
      guard let value = element(attribute, requiredOnly: false) else { return [] }
      return [
        Leaf(
          path: prefix + attribute.name, literal: String(decoding: value.encoded(), as: UTF8.self),
          isDistinctive: value.stringValue?.contains(mark) ?? false)
      ]
    }
  }
}
