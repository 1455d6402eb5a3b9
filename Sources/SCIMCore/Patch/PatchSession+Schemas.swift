/// What an operation says that `schemas` is: it follows from the attributes, so that it may be said but not set.
struct SchemasClaim {
  let urns: [String]
  /// True where there are to be no others.
  let isWhole: Bool
}

/// Operations on `schemas`.
extension PatchSession {
  /// An operation on `schemas` may repeat what is so once all operations are done.
  ///
  /// Lenient profiles take it without a path, where clients send it beside the attributes, and where it adds: many name
  /// the URN of an extension before they set its attributes.
  mutating func applySchemas(
    _ kind: PatchOperation.Kind, to target: PatchTarget, value: JSON?, hasPath: Bool
  ) throws(SCIMError) {
    guard kind != .remove, target.filter == nil else {
      throw SCIMError(.mutability, "'schemas' follows from the attributes and cannot be removed.", attribute: "schemas")
    }
    let elements: [JSON]
    switch value {
    case .array(let given)?: elements = given
    case .string? where profile.isLenient || kind == .add: elements = value.map { [$0] } ?? []
    default: throw SCIMError(.invalidValue, "'schemas' must be an array of URNs.", attribute: "schemas")
    }
    var urns: [String] = []
    for element in elements {
      guard case .string(let urn) = element else {
        throw SCIMError(.invalidValue, "'schemas' must be an array of URNs.", attribute: "schemas")
      }
      let isKnown = ASCII.equalIgnoringCase(urn, type.schema.id) || type.extension(urn: urn) != nil
      guard isKnown || profile.isLenient else {
        throw SCIMError(.invalidValue, UnknownSchema.detail(urn, of: type), attribute: "schemas")
      }
      if isKnown {
        urns.append(ASCII.lowercase(urn))
      } else if UnknownSchema.isURN(urn) {
        unknown.note(urn)
      }
    }
    if profile.isLenient, !hasPath || kind == .add { return }
    claims.append(SchemasClaim(urns: urns, isWhole: kind == .replace))
  }

  func check(_ claims: [SchemasClaim], of document: JSONObject) throws(SCIMError) {
    guard !claims.isEmpty else { return }
    let urns = ResourceDocument.schemas(for: document, type: type).arrayValue ?? []
    let present = Set(urns.compactMap(\.stringValue).map(ASCII.lowercase))
    for claim in claims {
      let given = Set(claim.urns)
      guard given.isSubset(of: present), !claim.isWhole || given == present else {
        throw SCIMError(
          .mutability, "'schemas' follows from the attributes: set or remove those of the extension.",
          attribute: "schemas")
      }
    }
  }
}
