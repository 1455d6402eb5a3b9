import SCIMCore

/// An element packed into a JSON text, as Entra's `AppRoleAssignmentsComplex` mapping and SCIM-SDK's builders send it.
///
/// Sent, as the `value` of an element or as the element:
///
///     {"op": "Add", "path": "roles",
///      "value": [{"value": "{\"id\":\"18d1\",\"value\":\"Admin\",\"displayName\":\"Admins\"}"}]}
///     {"op": "replace", "path": "emails[type eq \"work\"]",
///      "value": "{\"type\":\"work\",\"value\":\"ada@acme.example\"}"}
///
/// Read as:
///
///     {"op": "Add", "path": "roles",
///      "value": [{"value": "Admin", "display": "Admins"}]}
///     {"op": "replace", "path": "emails[type eq \"work\"]",
///      "value": {"type": "work", "value": "ada@acme.example"}}
///
/// Of a role or entitlement the text's `value` names it, or where it is missing the `id`. What the element says beside
/// its text (`primary`) stays, unless the text says it too. A text that is no JSON object is left as it is.
enum ElementJSONText {
  static func mend(_ element: JSON, isCatalog: Bool) -> JSON {
    switch element {
    case .string(let text):
      return read(text, isCatalog: isCatalog).map { .object($0) } ?? element
    case .object(var object):
      guard let index = object.members.firstIndex(where: { ASCII.equalIgnoringCase($0.key, "value") }),
        case .string(let text) = object.members[index].value, let packed = read(text, isCatalog: isCatalog)
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

  /// The `value` inside such a text, where that alone is set: `emails[type eq "work"].value`.
  static func mend(value: JSON) -> JSON {
    guard case .string(let text) = value, let packed = read(text, isCatalog: false) else { return value }
    return packed.members.first { ASCII.equalIgnoringCase($0.key, "value") }?.value ?? value
  }

  /// The object that a text holds, in the shape of an element.
  private static func read(_ text: String, isCatalog: Bool) -> JSONObject? {
    guard text.utf8.first(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) == UInt8(ascii: "{"),
      case .object(let object)? = try? JSON(parsing: Array(text.utf8))
    else { return nil }
    guard isCatalog else { return object }
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
