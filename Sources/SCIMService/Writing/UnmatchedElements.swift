import SCIMCore

/// The elements of a catalogue attribute that a resource has and that are linked to nothing.
///
/// They are told by what identifies them, `value` and `type`, in any letter case: an element of which something else has
/// changed is still the one that the resource has.
struct UnmatchedElements {
  /// The types by the names; an element without a type has an empty one.
  private var types: [String: Set<String>] = [:]

  init(_ elements: [JSONObject] = []) {
    for element in elements { types[Self.name(of: element), default: []].insert(Self.type(of: element)) }
  }

  func contains(_ element: JSONObject) -> Bool {
    guard let known = types[Self.name(of: element)] else { return false }
    let type = Self.type(of: element)
    return type.isEmpty || known.contains("") || known.contains(type)
  }

  /// An element without a value goes by its display.
  private static func name(of element: JSONObject) -> String {
    if let value = element["value"]?.stringValue, !value.isEmpty { return "=" + Folding.fold(value) }
    return "~" + (element["display"]?.stringValue.map(Folding.fold) ?? "")
  }

  private static func type(of element: JSONObject) -> String {
    element["type"]?.stringValue.map(Folding.fold) ?? ""
  }
}
