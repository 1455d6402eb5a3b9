/// The names of `attributes` or `excludedAttributes`, resolved against one type.
struct ProjectionNames: Sendable {
  /// Stands for the base schema in `schemas`.
  static let base = ""

  /// Canonical paths of attributes named as a whole.
  private(set) var attributes: Set<String> = []
  /// Names of sub-attributes by the path of their attribute.
  private(set) var subAttributes: [String: Set<String>] = [:]
  /// URNs of extensions named as a whole, as their schema spells them; `base` for the base schema.
  private(set) var schemas: Set<String> = []

  init(_ names: [String], type: ResourceType, profile: Profile, alias: AttributeName.Alias? = nil) {
    for sent in names {
      let name = alias?(sent, type, profile) ?? sent
      if ASCII.equalIgnoringCase(name, type.schema.id) {
        schemas.insert(Self.base)
      } else if let definition = type.extension(urn: name) {
        schemas.insert(definition.schema.id)
      } else if let reference = AttributeName.resolve(name, in: type, profile: profile) {
        let path = AttributeReference(home: reference.home, attribute: reference.attribute).path
        if let sub = reference.sub {
          subAttributes[path, default: []].insert(sub.name)
        } else {
          attributes.insert(path)
        }
      }
    }
  }

  var isOnlyWholeAttributes: Bool { subAttributes.isEmpty && schemas.isEmpty }

  /// True where that schema is named as a whole; nil, for common attributes, never is.
  func names(_ schema: String?) -> Bool { schema.map(schemas.contains) ?? false }

  /// The single names, without blanks around them and without what stands in brackets.
  static func split(_ texts: [String]) -> [String] {
    var names: [String] = []
    for text in texts {
      var name: [UInt8] = []
      var depth = 0
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "]"): depth = max(depth - 1, 0)
        case UInt8(ascii: ",") where depth == 0:
          append(name, to: &names)
          name.removeAll(keepingCapacity: true)
        case UInt8(ascii: " "), UInt8(ascii: "\t"): break
        default: if depth == 0 { name.append(byte) }
        }
      }
      append(name, to: &names)
    }
    return names
  }

  private static func append(_ name: [UInt8], to names: inout [String]) {
    if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
  }
}
