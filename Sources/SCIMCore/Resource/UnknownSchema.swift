/// URNs of schemas that a resource type does not have, in names that clients send.
enum UnknownSchema {
  /// How many of one body are remembered.
  static let limit = 8
  private static let longest = 200

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
    let isBuiltIn = BuiltInSchemas.registry.type(named: type.name) != nil
    let place = isBuiltIn ? "a document with \"extends\": \"\(type.name)\"" : "the document of \(type.name)"
    return "\(type.name) has no schema or attribute '\(name.prefix(longest))'; define its schema first, with "
      + "'roster type add' and \(place)"
  }
}
