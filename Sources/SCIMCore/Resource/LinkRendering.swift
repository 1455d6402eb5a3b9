/// How one linked element looks in the resource that shows it.
enum LinkRendering {
  /// True for the members that come from the resource at the other end and not from the link itself.
  static func isDerived(_ name: String) -> Bool {
    switch name {
    case "value", "$ref", "display", "type": true
    default: false
    }
  }

  /// The element with its derived members and what the link itself carries. A member without a value is left out.
  static func object(_ element: LinkElement, _ kind: LinkDefinition.Kind, reference: String?) -> JSONObject {
    let derived: [(String, String?)] =
      switch kind {
      case .members:
        [("value", element.id), ("$ref", reference), ("type", element.type), ("display", element.display)]
      case .memberOf:
        [
          ("value", element.id), ("$ref", reference), ("display", element.display),
          ("type", element.isDirect ? "direct" : "indirect"),
        ]
      case .catalog:
        [("value", element.id), ("display", element.display), ("type", element.type), ("$ref", reference)]
      }
    let members = derived.compactMap { name, text in
      text.map { JSONObject.Member(key: name, value: .string($0)) }
    }
    var object = JSONObject(members + element.extra.members.filter { !isDerived($0.key) })
    if element.isInherited { object["inherited"] = true }
    return object
  }
}
