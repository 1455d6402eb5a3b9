import SCIMCore

/// Rewrites what real identity providers send into what RFC 7643 and RFC 7644 say.
///
/// Pure, and nothing for the strict profile. Each rewrite is a type of its own that shows what is sent and what is made
/// of it. What these do not know they leave as it is, for the core to take or to refuse. Leniences that belong to
/// reading a value (text booleans, one object for a list, `remove` with a value) are the core's.
public enum Compat {
  /// The body of a POST or PUT, corrected.
  public static func resource(_ body: JSON, type: ResourceType, profile: Profile) -> JSON {
    guard profile.isLenient else { return body }
    return .object(from: body) { members(of: $0, type: type, profile: profile, isWhole: true) }
  }

  /// The operations of a PATCH, corrected.
  public static func patch(
    _ operations: [PatchOperation], type: ResourceType, profile: Profile
  ) -> [PatchOperation] {
    guard profile.isLenient else { return operations }
    return operations.map { operation($0, type: type, profile: profile) }
  }

  /// The name of an attribute, corrected, as filters, `sortBy`, `attributes` and `excludedAttributes` have it.
  public static func name(_ name: String, type: ResourceType, profile: Profile) -> String {
    profile.isLenient ? urn(name, type: type) : name
  }

  private static func operation(_ sent: PatchOperation, type: ResourceType, profile: Profile) -> PatchOperation {
    var operation = sent
    guard let text = sent.path else {
      operation.value = sent.value.map { .object(from: $0) { members(of: $0, type: type, profile: profile) } }
      return operation
    }
    let mended = BareSubAttribute.mend(urn(text, type: type), type: type, profile: profile)
    guard let path = BaseURNPath.mend(mended, type: type) else {
      operation.path = nil
      return Self.operation(operation, type: type, profile: profile)
    }
    operation.path = path
    guard let value = sent.value else { return operation }
    if let known = type.extension(urn: path) {
      operation.value = .object(from: value) { content(of: $0, known: known.schema, type: type, profile: profile) }
    } else if let reference = reference(ofPath: path, type: type, profile: profile) {
      operation.value = mend(value, of: reference, type: type)
    }
    return operation
  }

  /// The name or path with a URN at its beginning as the RFC has it.
  private static func urn(_ name: String, type: ResourceType) -> String {
    guard name.utf8.contains(UInt8(ascii: ":")), !type.hasSchema(name) else { return name }
    return DraftURN.mend(MisspeltURN.mend(name, type: type), type: type)
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

  /// `isWhole`: the members are those of a whole resource, not those that a PATCH names.
  private static func members(
    of object: JSONObject, type: ResourceType, profile: Profile, isWhole: Bool = false
  ) -> JSONObject {
    JSONObject(
      object.members.map { sent in
        var member = sent
        member.key = urn(sent.key, type: type)
        if let known = type.extension(urn: member.key) {
          member.value = .object(from: sent.value) {
            content(of: $0, known: known.schema, type: type, profile: profile, isWhole: isWhole)
          }
        } else if ASCII.equalIgnoringCase(member.key, type.schema.id) {
          member.value = .object(from: sent.value) { members(of: $0, type: type, profile: profile, isWhole: isWhole) }
        } else if let reference = AttributeName.resolve(member.key, in: type, profile: profile) {
          member.value = mend(sent.value, of: reference, type: type, isWhole: isWhole)
        }
        return member
      })
  }

  private static func content(
    of object: JSONObject, known schema: SchemaDefinition, type: ResourceType, profile: Profile, isWhole: Bool = false
  ) -> JSONObject {
    JSONObject(
      object.members.map { sent in
        var member = sent
        if let reference = AttributeName.resolve(sent.key, inExtension: schema) {
          member.value = mend(sent.value, of: reference, type: type, isWhole: isWhole)
        }
        return member
      })
  }

  /// The value of one attribute, corrected.
  private static func mend(
    _ value: JSON, of reference: AttributeReference, type: ResourceType, isWhole: Bool = false
  ) -> JSON {
    if reference.home == .common, reference.attribute.name == CommonAttributes.schemas.name {
      return .elements(of: value) { element in
        if case .string(let text) = element { .string(urn(text, type: type)) } else { element }
      }
    }
    let attribute = reference.attribute
    guard attribute.type == .complex, attribute.isMultiValued else {
      return ListForOne.mend(value, definition: reference.leaf)
    }
    if let sub = reference.sub {
      let mended = ListForOne.mend(value, definition: sub)
      return sub.name == "value" ? ElementJSONText.mend(value: mended) : mended
    }
    var isCatalog = false
    if case .catalog? = type.link(for: reference)?.kind { isCatalog = true }
    let mended = JSON.elements(of: value) { element in
      let read = ElementJSONText.mend(element, isCatalog: isCatalog)
      return isCatalog ? ElementDisplayName.mend(read, definition: attribute) : read
    }
    return isWhole ? EqualPrimaries.mend(mended, definition: attribute) : mended
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
