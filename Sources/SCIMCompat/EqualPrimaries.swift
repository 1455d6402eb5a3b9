import SCIMCore

/// Two elements with the same value that are both marked as primary, as PingFederate and PingOne send them where one of
/// two mapped attributes is empty.
///
/// Sent:
///
///     {"emails": [{"value": "ada@acme.example", "type": "work", "primary": true},
///                 {"value": "ada@acme.example", "type": "other", "primary": true}]}
///
/// Read as:
///
///     {"emails": [{"value": "ada@acme.example", "type": "work", "primary": true},
///                 {"value": "ada@acme.example", "type": "other", "primary": false}]}
///
/// Only in a POST or PUT, and left alone where two marked values differ: which is meant cannot be told.
enum EqualPrimaries {
  static func mend(_ value: JSON, definition: AttributeDefinition) -> JSON {
    guard definition.type == .complex, definition.isMultiValued, case .array(let elements) = value else { return value }
    let marked = elements.indices.filter { isMarked(elements[$0]) }
    guard marked.count > 1, let first = text(elements[marked[0]]),
      marked.allSatisfy({ text(elements[$0]).map { ASCII.equalIgnoringCase($0, first) } ?? false })
    else { return value }
    var mended = elements
    for index in marked.dropFirst() {
      guard case .object(var object) = mended[index] else { continue }
      for place in object.members.indices where ASCII.equalIgnoringCase(object.members[place].key, "primary") {
        object.members[place].value = false
      }
      mended[index] = .object(object)
    }
    return .array(mended)
  }

  private static func isMarked(_ element: JSON) -> Bool {
    switch member("primary", of: element) {
    case .bool(let value)?: value
    case .string(let text)?: ASCII.equalIgnoringCase(text, "true")
    default: false
    }
  }

  private static func text(_ element: JSON) -> String? { member("value", of: element)?.stringValue }

  private static func member(_ name: String, of element: JSON) -> JSON? {
    element.objectValue?.members.first { ASCII.equalIgnoringCase($0.key, name) }?.value
  }
}
