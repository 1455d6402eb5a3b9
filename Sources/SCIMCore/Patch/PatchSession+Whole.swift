/// Operations without a path, on a whole extension, and on `schemas`.
extension PatchSession {
  /// An operation without path: the same as one operation for each member of its value (RFC 7644 section 3.5.2.1).
  mutating func applyMembers(of value: JSON?, kind: PatchOperation.Kind) throws(SCIMError) {
    guard case .object(let object)? = value else {
      throw SCIMError(.invalidValue, "The value of an operation without 'path' must be an object of attributes.")
    }
    for member in object.members {
      try applyMember(member, kind: kind)
    }
  }

  private mutating func applyMember(_ member: JSONObject.Member, kind: PatchOperation.Kind) throws(SCIMError) {
    if let known = type.extension(urn: member.key) {
      return try applyExtension(kind, known, value: member.value)
    }
    if profile.isLenient, ASCII.equalIgnoringCase(member.key, type.schema.id) {
      return try applyMembers(of: member.value, kind: kind)
    }
    if let reference = AttributeName.resolve(member.key, in: type, profile: profile) {
      return try apply(kind, to: PatchTarget(reference: reference), value: member.value)
    }
    // Some write a whole path as a name: {"emails[type eq \"work\"].value": "…"}.
    if profile.isLenient, member.key.utf8.contains(UInt8(ascii: "[")) {
      let path: PatchPath
      do {
        path = try PatchPath.parse(member.key, type: type, profile: profile)
      } catch  where error.kind == .invalidPath {
        return try passOver(member.key)
      }
      return try apply(kind, path: path, value: member.value)
    }
    try passOver(member.key)
  }

  /// An operation on the attributes of one extension together. One without attributes left is gone with its URN.
  mutating func applyExtension(
    _ kind: PatchOperation.Kind, _ known: ResourceType.Extension, value: JSON?
  ) throws(SCIMError) {
    let schema = known.schema
    if kind == .remove || value == .null {
      guard !known.isRequired || document[schema.id] == nil else {
        throw SCIMError(
          kind == .remove ? .mutability : .invalidValue, "The extension '\(schema.id)' is required.")
      }
      for attribute in schema.attributes where attribute.mutability != .readOnly {
        let target = PatchTarget(reference: AttributeReference(home: .extension(schema.id), attribute: attribute))
        guard self.value(of: target.reference) != nil else { continue }
        try apply(.remove, to: target, value: nil)
      }
      return
    }
    guard case .object(let object)? = value else {
      throw SCIMError(.invalidValue, "The value of '\(schema.id)' must be an object of attributes.")
    }
    for member in object.members {
      let reference = AttributeName.resolve(schema.id + ":" + member.key, in: type, profile: profile)
      guard let reference, reference.home == .extension(schema.id) else {
        // Some repeat the extension's own URN in it.
        if ASCII.equalIgnoringCase(member.key, CommonAttributes.schemas.name) { continue }
        try passOver(member.key, in: schema)
        continue
      }
      try apply(kind, to: PatchTarget(reference: reference), value: member.value)
    }
  }

  /// What to do with a name that the type does not have: note it, or in the strict profile refuse it.
  private func passOver(_ name: String, in schema: SchemaDefinition? = nil) throws(SCIMError) {
    guard !profile.isLenient else { return unknown.note(name, in: schema?.id, separator: ":") }
    guard let schema else {
      let isUnknownURN = UnknownSchema.isURN(name) && !type.hasSchema(inFrontOf: name)
      throw SCIMError(
        .invalidSyntax,
        isUnknownURN
          ? UnknownSchema.detail(name, of: type) : UnknownSchema.reason(unqualified: name, of: type) + ".")
    }
    throw SCIMError(.invalidSyntax, "'\(schema.id)' has no attribute '\(ValueNormalizer.excerpt(name))'.")
  }
}
