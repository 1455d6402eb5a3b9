import SCIMCore

/// The name of a role in `displayName`, as some of Entra's mappings send it, for `display`.
///
/// Sent:
///
///     {"roles": [{"value": "admin", "displayName": "Admins"}]}
///
/// Read as:
///
///     {"roles": [{"value": "admin", "display": "Admins"}]}
///
/// Left alone where the schema has a `displayName` there, or the element has a `display` too.
enum ElementDisplayName {
  static func mend(_ element: JSON, definition: AttributeDefinition) -> JSON {
    guard case .object(var object) = element, definition.subAttribute(named: "displayName") == nil,
      let display = definition.subAttribute(named: "display"),
      let index = object.members.firstIndex(where: { ASCII.equalIgnoringCase($0.key, "displayName") }),
      !object.members.contains(where: { ASCII.equalIgnoringCase($0.key, display.name) })
    else { return element }
    object.members[index].key = display.name
    return .object(object)
  }
}
