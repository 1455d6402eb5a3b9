import SCIMCore

/// Rewrites what real identity providers send into what RFC 7643 and RFC 7644 say.
///
/// Pure, and nothing for the strict profile. Each rewrite is a type of its own that shows what is sent and what is made
/// of it. What these do not know they leave as it is, for the core to take or to refuse. Leniences that belong to
/// reading a value (text booleans, one object for a list, `remove` with a value) are the core's.
public enum Compat {
  /// The body of a POST or PUT, mended.
  public static func resource(_ body: JSON, type: ResourceType, profile: Profile) -> JSON {
    guard profile.isLenient else { return body }
    return .object(from: body) { members(of: $0, type: type, profile: profile) }
  }

  /// The operations of a PATCH, mended.
  public static func patch(
    _ operations: [PatchOperation], type: ResourceType, profile: Profile
  ) -> [PatchOperation] {
    guard profile.isLenient else { return operations }
    return operations.map { operation($0, type: type, profile: profile) }
  }

  private static func operation(_ sent: PatchOperation, type: ResourceType, profile: Profile) -> PatchOperation {
    var operation = sent
    guard let text = sent.path else {
      operation.value = sent.value.map { .object(from: $0) { members(of: $0, type: type, profile: profile) } }
      return operation
    }
    let path = MisspeltURN.mend(text, type: type)
    operation.path = path
    guard let value = sent.value else { return operation }
    if let known = type.extension(urn: path) {
      operation.value = .object(from: value) { content(of: $0, known: known.schema, type: type, profile: profile) }
    } else if let reference = reference(ofPath: path, type: type, profile: profile) {
      operation.value = mend(value, of: reference, type: type)
    }
    return operation
  }

  /// The attribute that a path names, its filter aside.
  private static func reference(ofPath path: String, type: ResourceType, profile: Profile) -> AttributeReference? {
    guard let open = path.firstIndex(of: "["), let close = path.lastIndex(of: "]"), open < close else {
      return AttributeName.resolve(path, in: type, profile: profile)
    }
    let name = String(path[..<open]) + String(path[path.index(after: close)...])
    return AttributeName.resolve(name, in: type, profile: profile)
  }

  // MARK: Members of a resource

  private static func members(of object: JSONObject, type: ResourceType, profile: Profile) -> JSONObject {
    JSONObject(
      object.members.map { sent in
        var member = sent
        member.key = MisspeltURN.mend(sent.key, type: type)
        if let known = type.extension(urn: member.key) {
          member.value = .object(from: sent.value) {
            content(of: $0, known: known.schema, type: type, profile: profile)
          }
        } else if let reference = AttributeName.resolve(member.key, in: type, profile: profile) {
          member.value = mend(sent.value, of: reference, type: type)
        }
        return member
      })
  }

  private static func content(
    of object: JSONObject, known schema: SchemaDefinition, type: ResourceType, profile: Profile
  ) -> JSONObject {
    JSONObject(
      object.members.map { sent in
        var member = sent
        if let reference = AttributeName.resolve(schema.id + ":" + sent.key, in: type, profile: profile) {
          member.value = mend(sent.value, of: reference, type: type)
        }
        return member
      })
  }

  /// The value of one attribute, mended.
  private static func mend(_ value: JSON, of reference: AttributeReference, type: ResourceType) -> JSON {
    if reference.home == .common {
      return reference.attribute.name == "schemas" ? MisspeltURN.mend(schemas: value, type: type) : value
    }
    if reference.sub == nil, case .catalog? = type.link(for: reference)?.kind {
      return .elements(of: value) { element in
        ElementDisplayName.mend(ElementJSONText.mend(element), definition: reference.attribute)
      }
    }
    return ListForOne.mend(value, definition: reference.leaf)
  }
}

extension JSON {
  /// The object with its members changed; what is no object as it is.
  fileprivate static func object(from value: JSON, change: (JSONObject) -> JSONObject) -> JSON {
    if case .object(let object) = value { .object(change(object)) } else { value }
  }

  /// The array with each element changed; what is no array is one element.
  fileprivate static func elements(of value: JSON, change: (JSON) -> JSON) -> JSON {
    if case .array(let elements) = value { .array(elements.map(change)) } else { change(value) }
  }
}
