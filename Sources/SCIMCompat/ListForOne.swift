import SCIMCore

/// A list of one where one value is due, as Entra documents it for `manager`, its old PATCH form has it for any
/// attribute, and SCIM-SDK's client wraps each value of a path.
///
/// Sent:
///
///     {"op": "Add", "path": "manager", "value": [{"$ref": "http://…/Users/2819c223", "value": "2819c223"}]}
///     {"op": "Replace", "path": "title", "value": [{"$ref": null, "value": "Lead"}]}
///     {"op": "replace", "path": "preferredLanguage", "value": ["de"]}
///
/// Read as:
///
///     {"op": "Add", "path": "manager", "value": {"$ref": "http://…/Users/2819c223", "value": "2819c223"}}
///     {"op": "Replace", "path": "title", "value": "Lead"}
///     {"op": "replace", "path": "preferredLanguage", "value": "de"}
///
/// Only for single-valued attributes, and never for more than one element.
enum ListForOne {
  static func mend(_ value: JSON, definition: AttributeDefinition) -> JSON {
    guard !definition.isMultiValued, case .array(let elements) = value, elements.count == 1 else { return value }
    guard definition.type != .complex, case .object(let object) = elements[0] else { return elements[0] }
    let rest = object.members.filter { $0.value != .null || ASCII.equalIgnoringCase($0.key, "value") }
    guard rest.count == 1, ASCII.equalIgnoringCase(rest[0].key, "value") else { return value }
    return rest[0].value
  }
}
