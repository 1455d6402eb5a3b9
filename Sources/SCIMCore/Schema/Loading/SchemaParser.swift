/// Reads one Schema document (RFC 7643 section 7) into a definition, and notes what is wrong with it on its own.
struct SchemaParser {
  private static let members = ["schemas", "id", "name", "description", "attributes", "meta"]
  private static let characteristics = [
    "name", "type", "multiValued", "description", "required", "canonicalValues", "caseExact", "mutability", "returned",
    "uniqueness", "referenceTypes", "subAttributes",
  ]

  let reader: MemberReader

  /// The definition; nil where its URN is missing, so that nothing could refer to it. What else is wrong is noted, and
  /// replaced by the RFC's default so that checking can go on.
  func parse() -> SchemaDefinition? {
    reader.allow(Self.members)
    let id = reader.text("id", isRequired: true)
    if let id, let problem = SchemaSyntax.urnProblem(id) { reader.note(problem, at: "id") }
    let name = reader.text("name")
    let text = reader.text("description")
    let attributes = parseAttributes(reader.children("attributes", isRequired: true) ?? [], isSub: false)
    guard let id else { return nil }
    var document = reader.object
    document["meta"] = nil
    if case .array(let elements)? = document["attributes"] {
      document["attributes"] = .array(AttributeDefinition.stating(attributes, in: elements))
    }
    return SchemaDefinition(
      id: id, name: name ?? "", text: text ?? "", attributes: attributes, document: document)
  }

  private func parseAttributes(_ readers: [MemberReader], isSub: Bool) -> [AttributeDefinition] {
    var attributes: [AttributeDefinition] = []
    var names: [String: String] = [:]
    for reader in readers {
      guard let attribute = parseAttribute(reader, isSub: isSub) else { continue }
      let folded = ASCII.lowercase(attribute.name)
      if let other = names[folded] {
        let spelling = other == attribute.name ? "" : " as \(other); names differ in more than letter case"
        reader.note("\"\(attribute.name)\" is defined twice\(spelling)", at: "name")
      } else {
        names[folded] = attribute.name
        attributes.append(attribute)
      }
    }
    return attributes
  }

  private func parseAttribute(_ reader: MemberReader, isSub: Bool) -> AttributeDefinition? {
    reader.allow(Self.characteristics)
    let name = reader.text("name", isRequired: true)
    if let name, !SchemaSyntax.isAttributeName(name), !(isSub && name == "$ref") {
      reader.note("\"\(name)\" is no attribute name: a letter, then letters, digits, $, - and _", at: "name")
    }
    let declared: AttributeDefinition.DataType? = reader.keyword("type")
    // What depends on a type that is not understood would only be noise.
    if declared == nil, reader.object["type"] != nil { return nil }
    let type = declared ?? .string
    let subAttributes = parseSubAttributes(reader, of: type, isSub: isSub)
    let mutability: AttributeDefinition.Mutability = reader.keyword("mutability") ?? .readWrite
    let returned: AttributeDefinition.Returned = reader.keyword("returned") ?? .default
    if mutability == .writeOnly, returned != .never {
      reader.note("a writeOnly attribute has returned never", at: "returned")
    }
    let uniqueness: AttributeDefinition.Uniqueness = reader.keyword("uniqueness") ?? .none
    if type == .complex, uniqueness != .none {
      reader.note("a complex attribute has no uniqueness; its sub-attributes may", at: "uniqueness")
    }
    // Some tools write the member for every attribute; it says nothing of one that is no reference.
    let referenceTypes = type == .reference ? reader.texts("referenceTypes") : []
    let canonicalValues = reader.texts("canonicalValues")
    if !canonicalValues.isEmpty, type != .string, type != .reference {
      reader.note("only an attribute of type string or reference has canonicalValues", at: "canonicalValues")
    }
    let isMultiValued = reader.boolean("multiValued") ?? false
    let text = reader.text("description") ?? ""
    let isRequired = reader.boolean("required") ?? false
    // References and binary values are case exact (RFC 7643 sections 2.3.6 and 2.3.7) unless the schema says otherwise.
    let isCaseExact = reader.boolean("caseExact") ?? (type == .reference || type == .binary)
    guard let name else { return nil }
    return AttributeDefinition(
      name: name, type: type, isMultiValued: isMultiValued, text: text, isRequired: isRequired,
      canonicalValues: canonicalValues, isCaseExact: isCaseExact, mutability: mutability, returned: returned,
      uniqueness: uniqueness, referenceTypes: referenceTypes, subAttributes: subAttributes)
  }

  private func parseSubAttributes(
    _ reader: MemberReader, of type: AttributeDefinition.DataType, isSub: Bool
  ) -> [AttributeDefinition] {
    if isSub, type == .complex {
      reader.note("a complex attribute cannot contain a complex one (RFC 7643 section 2.3.8)", at: "type")
      return []
    }
    let readers = reader.children("subAttributes")
    guard type == .complex else {
      if let readers, !readers.isEmpty {
        reader.note("only an attribute of type complex has subAttributes", at: "subAttributes")
      }
      return []
    }
    guard let readers, !readers.isEmpty else {
      reader.note("a complex attribute needs subAttributes", at: "subAttributes")
      return []
    }
    return parseAttributes(readers, isSub: true)
  }
}
