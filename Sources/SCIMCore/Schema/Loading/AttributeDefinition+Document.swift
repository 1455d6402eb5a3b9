extension AttributeDefinition {
  /// The attributes of a Schema document, each with every characteristic stated that it left to its default, so that
  /// clients need not know the defaults (RFC 7643 section 7). What is there stays as it was written, and in its order.
  ///
  /// Elements without a definition of their name, which are mistakes that have been noted, stay as they are.
  static func stating(_ definitions: [AttributeDefinition], in elements: [JSON]) -> [JSON] {
    let byName = Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return elements.map { element in
      guard case .object(let object) = element, let definition = object["name"]?.stringValue.flatMap({ byName[$0] })
      else { return element }
      return .object(definition.stating(in: object))
    }
  }

  private func stating(in object: JSONObject) -> JSONObject {
    var object = object
    if case .array(let elements)? = object["subAttributes"] {
      object["subAttributes"] = .array(Self.stating(subAttributes, in: elements))
    }
    var characteristics: [(name: String, value: JSON)] = [
      ("type", .string(type.rawValue)), ("multiValued", .bool(isMultiValued)), ("required", .bool(isRequired)),
    ]
    if type != .complex { characteristics.append(("caseExact", .bool(isCaseExact))) }
    characteristics += [("mutability", .string(mutability.rawValue)), ("returned", .string(returned.rawValue))]
    characteristics.append(("uniqueness", .string(uniqueness.rawValue)))
    for characteristic in characteristics where object[characteristic.name] == nil {
      object[characteristic.name] = characteristic.value
    }
    return object
  }
}
