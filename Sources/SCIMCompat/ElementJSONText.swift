import SCIMCore

/// A role or entitlement packed into a JSON text, as Entra's `AppRoleAssignmentsComplex` mapping sends it.
///
/// Sent, as the `value` of an element or as the element:
///
///     {"op": "Add", "path": "roles",
///      "value": [{"value": "{\"id\":\"18d1\",\"value\":\"Admin\",\"displayName\":\"Admins\"}"}]}
///
/// Read as:
///
///     {"op": "Add", "path": "roles",
///      "value": [{"value": "Admin", "display": "Admins"}]}
///
/// The text's `value` names the role, or where it is missing the `id`. What the element says beside its text
/// (`primary`) stays, unless the text says it too. A text that is no JSON object is left as it is.
enum ElementJSONText {
  static func mend(_ element: JSON) -> JSON {
    switch element {
    case .string(let text):
      return read(text).map { .object($0) } ?? element
    case .object(var object):
      guard let index = object.members.firstIndex(where: { ASCII.equalIgnoringCase($0.key, "value") }),
        case .string(let text) = object.members[index].value, let packed = read(text)
      else { return element }
      object.members.remove(at: index)
      object.members.removeAll { member in
        packed.members.contains { ASCII.equalIgnoringCase($0.key, member.key) }
      }
      return .object(JSONObject(packed.members + object.members))
    default:
      return element
    }
  }

  /// The object that a text holds, in the shape of an element.
  private static func read(_ text: String) -> JSONObject? {
    guard text.utf8.first(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) == UInt8(ascii: "{"),
      case .object(let object)? = try? JSON(parsing: Array(text.utf8))
    else { return nil }
    func member(_ name: String) -> JSON? {
      let value = object.members.first { ASCII.equalIgnoringCase($0.key, name) }?.value
      return value == .null ? nil : value
    }
    guard let value = member("value") ?? member("id") else { return nil }
    var element = JSONObject()
    element["value"] = value
    element["display"] = member("display") ?? member("displayName")
    element["type"] = member("type")
    element["primary"] = member("primary")
    return element
  }
}
