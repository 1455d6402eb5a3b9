/// One place for the value of each attribute of a schema, filled in the order of the client and read in the schema's.
struct AttributeSlots {
  private(set) var values: [JSON?]

  init(count: Int) {
    values = Array(repeating: nil, count: count)
  }

  /// Puts a member's value into the place of its attribute. A place that is taken is 400 `invalidSyntax`: the client
  /// named one attribute in two ways.
  mutating func fill(_ index: Int, with member: JSONObject.Member, under path: String? = nil) throws(SCIMError) {
    guard values[index] == nil else {
      let name = ValueNormalizer.excerpt(member.key)
      throw SCIMError(.invalidSyntax, "'\(path.map { $0 + "." } ?? "")\(name)' is given twice.")
    }
    values[index] = member.value
  }

  /// The place of the attribute of that name in any ASCII letter case.
  static func index(of name: String, in definitions: [AttributeDefinition]) -> Int? {
    definitions.firstIndex { ASCII.equalIgnoringCase($0.name, name) }
  }
}
