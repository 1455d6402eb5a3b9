/// The members of a body, sorted into the attributes that they name.
struct SentResource {
  private let type: ResourceType
  private let isLenient: Bool
  private(set) var schemas: JSON?
  private(set) var externalID: JSON?
  /// By the order of the base schema's attributes.
  private(set) var core: AttributeSlots
  /// By the order of the type's extensions; nil for those that are not in the body.
  private(set) var extensions: [AttributeSlots?]
  /// Names that no schema of the type has.
  let unknown = UnknownNames()

  init(type: ResourceType, isLenient: Bool) {
    self.type = type
    self.isLenient = isLenient
    core = AttributeSlots(count: type.schema.attributes.count)
    extensions = Array(repeating: nil, count: type.extensions.count)
  }

  /// Files one member of the body.
  mutating func take(_ member: JSONObject.Member) throws(SCIMError) {
    if let common = CommonAttributes.attribute(named: member.key) {
      switch common.name {
      case "schemas": schemas = member.value
      case "externalId": externalID = member.value
      default: break  // `id` and `meta` are the server's.
      }
    } else if let index = type.schema.place(of: member.key) {
      try core.fill(index, with: member)
    } else if !member.key.utf8.contains(UInt8(ascii: ":")) {
      try passOver(member.key)
    } else {
      try takeQualified(member)
    }
  }

  private mutating func takeQualified(_ member: JSONObject.Member) throws(SCIMError) {
    for (index, definition) in type.extensions.enumerated() {
      let urn = definition.schema.id
      if ASCII.equalIgnoringCase(urn, member.key) {
        return try takeContent(of: index, member)
      }
      if isLenient, let name = attributeName(member.key, behind: urn),
        let slot = definition.schema.place(of: name)
      {
        return try fillExtension(index, slot, with: JSONObject.Member(key: name, value: member.value))
      }
    }
    if isLenient, ASCII.equalIgnoringCase(type.schema.id, member.key), case .object(let object) = member.value {
      for inner in object.members { try takeCore(inner) }
    } else if isLenient, let name = attributeName(member.key, behind: type.schema.id) {
      try takeCore(JSONObject.Member(key: name, value: member.value))
    } else {
      try passOver(member.key)
    }
  }

  /// Notes the URNs in `schemas` that no schema of the type has.
  func noteUnknownSchemas() {
    let listed: [JSON] = schemas.map { $0.arrayValue ?? [$0] } ?? []
    for case .string(let urn) in listed {
      guard UnknownSchema.isURN(urn), !ASCII.equalIgnoringCase(urn, type.schema.id), type.extension(urn: urn) == nil
      else { continue }
      unknown.note(urn)
    }
  }

  /// Files a member that is known to belong to the base schema.
  private mutating func takeCore(_ member: JSONObject.Member) throws(SCIMError) {
    if ASCII.equalIgnoringCase(member.key, CommonAttributes.externalId.name) {
      externalID = member.value
    } else if let index = type.schema.place(of: member.key) {
      try core.fill(index, with: member)
    } else if CommonAttributes.attribute(named: member.key) == nil {
      unknown.note(member.key, in: type.schema.id, separator: ":")
    }
  }

  private mutating func takeContent(of index: Int, _ member: JSONObject.Member) throws(SCIMError) {
    let schema = type.extensions[index].schema
    if member.value.isUnassigned { return }
    guard case .object(let object) = member.value else {
      throw SCIMError(.invalidValue, "'\(schema.id)' must be an object.", attribute: schema.id)
    }
    for inner in object.members {
      guard let slot = schema.place(of: inner.key) else {
        // Some repeat the extension's own URN in it.
        if !ASCII.equalIgnoringCase(inner.key, CommonAttributes.schemas.name) {
          try passOver(inner.key, in: schema)
        }
        continue
      }
      try fillExtension(index, slot, with: inner)
    }
  }

  private mutating func fillExtension(
    _ index: Int, _ slot: Int, with member: JSONObject.Member
  ) throws(SCIMError) {
    let schema = type.extensions[index].schema
    var slots = extensions[index] ?? AttributeSlots(count: schema.attributes.count)
    extensions[index] = nil
    try slots.fill(slot, with: member, under: schema.id)
    extensions[index] = slots
  }

  /// What to do with a name that the type does not have: note it, or in the strict profile refuse it.
  private func passOver(_ name: String, in schema: SchemaDefinition? = nil) throws(SCIMError) {
    guard !isLenient else { return unknown.note(name, in: schema?.id, separator: ":") }
    guard let schema else {
      let isUnknownURN = UnknownSchema.isURN(name) && !type.hasSchema(inFrontOf: name)
      throw SCIMError(
        .invalidSyntax,
        isUnknownURN
          ? UnknownSchema.detail(name, of: type) : UnknownSchema.reason(unqualified: name, of: type) + ".")
    }
    throw SCIMError(.invalidSyntax, "'\(schema.id)' has no attribute '\(ValueNormalizer.excerpt(name))'.")
  }

  /// What stands behind `urn:`, or `urn.`, in a qualified name; nil where the name does not begin so.
  private func attributeName(_ name: String, behind urn: String) -> String? {
    let length = urn.utf8.count
    guard name.utf8.count > length + 1 else { return nil }
    let colon = name.utf8.index(name.utf8.startIndex, offsetBy: length)
    guard name.utf8[colon] == UInt8(ascii: ":") || name.utf8[colon] == UInt8(ascii: "."),
      ASCII.equalIgnoringCase(String(name[..<colon]), urn)
    else {
      return nil
    }
    return String(name[name.utf8.index(after: colon)...])
  }
}
