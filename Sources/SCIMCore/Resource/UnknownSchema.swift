/// URNs of schemas that a resource type does not have, in names that clients send.
enum UnknownSchema {
  private static let longest = 200
  private static let comparedNames = 100

  /// True for a name that is written as a URN and short enough to be repeated.
  static func isURN(_ name: String) -> Bool {
    name.utf8.count <= longest && name.utf8.count > 4
      && ASCII.equalIgnoringCase(String(name.utf8.prefix(4)) ?? "", "urn:")
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  /// What an error says of such a URN, alone or in front of an attribute: how the type comes to have it.
  static func detail(_ name: String, of type: ResourceType) -> String { reason(name, of: type) + "." }

  /// The same as a clause.
  static func reason(_ name: String, of type: ResourceType) -> String {
    "\(type.name) has no schema or attribute '\(name.prefix(longest))'; define its schema first, with \(way(type))"
  }

  /// What an error says, as a clause, of a name without a URN that the type does not have.
  static func reason(unqualified name: String, of type: ResourceType) -> String {
    let text = "\(type.name) has no attribute '\(ValueNormalizer.excerpt(name))'"
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26
    }
    guard isPlain, !name.isEmpty else { return text + hint(qualified: name, of: type) }
    let known = type.extensions.first { $0.schema.attribute(named: name) != nil }
    if let known { return text + "; it belongs to the extension '\(known.schema.id)'" }
    return text + "; define it in an extension, with \(way(type))"
  }

  /// What is meant by an unknown name behind the URN of an extension that the type has, or how it comes to be there.
  private static func hint(qualified name: String, of type: ResourceType) -> String {
    guard isURN(name) else { return "" }
    for schema in type.extensions.map(\.schema) {
      let prefix = schema.id + ":"
      guard ASCII.lowercase(name).hasPrefix(ASCII.lowercase(prefix)) else { continue }
      let rest = String(name.dropFirst(prefix.count))
      // It is only not to be written so.
      if rest.isEmpty || schema.attributes.contains(where: { ASCII.equalIgnoringCase($0.name, rest) }) { return "" }
      let names = schema.attributes.prefix(comparedNames).map(\.name)
      if let nearest = Suggestion.nearest(to: rest, among: names) { return " (did you mean '\(nearest)'?)" }
      let isBuiltIn = BuiltInSchemas.registry.schema(id: schema.id) != nil
      return "; \(isBuiltIn ? "define it in an extension" : "add it to that extension"), with \(way(type))"
    }
    return ""
  }

  private static func way(_ type: ResourceType) -> String {
    let isBuiltIn = BuiltInSchemas.registry.type(named: type.name) != nil
    let place = isBuiltIn ? "a document with \"extends\": \"\(type.name)\"" : "the document of \(type.name)"
    return "'roster type add' and \(place)"
  }
}
