/// Brings the body of a POST or PUT to the form in which a resource is stored.
public enum ResourceNormalizer {
  /// Reads the body as a resource of the type.
  ///
  /// Ignored are `id`, `meta`, readOnly attributes, and attributes and schema URNs that the type does not have
  /// (`strict`: 400 `invalidSyntax`). An extension is found under its URN in any letter case, whether `schemas` lists
  /// it or not. Lenient profiles also take names with their URN (`"urn:…:User:department": "x"`) and the core
  /// attributes as an object under the base URN.
  ///
  /// `schemas` that is absent, null or empty is the base URN (`strict`: refused). A body that is no object is 400
  /// `invalidSyntax`; `schemas` without the base URN and values of a wrong type are 400 `invalidValue`. What is required is not checked here: `ResourceValidator` does.
  public static func normalize(
    _ body: JSON, type: ResourceType, profile: Profile
  ) throws(SCIMError) -> NormalizedResource {
    guard case .object(let object) = body else {
      throw SCIMError(.invalidSyntax, "The body must be a JSON object.")
    }
    var sent = SentResource(type: type, isLenient: profile.isLenient)
    for member in object.members { try sent.take(member) }
    try checkSchemas(sent.schemas, type: type, profile: profile)
    sent.noteUnknownSchemas()

    var resource = NormalizedResource(document: JSONObject())
    try addCommon(sent, to: &resource, profile: profile)
    try addCore(sent, type: type, to: &resource, profile: profile)
    for (definition, slots) in zip(type.extensions, sent.extensions) {
      guard let slots else { continue }
      let content = try attributes(
        slots, of: definition.schema, type: type, to: &resource, profile: profile, unknown: sent.unknown)
      guard !content.isEmpty else { continue }
      resource.document[definition.schema.id] = .object(JSONObject(content))
    }
    resource.document["schemas"] = ResourceDocument.schemas(for: resource.document, type: type)
    resource.unknownNames = sent.unknown.paths
    return resource
  }

  private static func checkSchemas(_ sent: JSON?, type: ResourceType, profile: Profile) throws(SCIMError) {
    if profile.isLenient, sent?.isUnassigned ?? true { return }
    var elements = sent?.arrayValue
    if profile.isLenient, let sent, case .string = sent { elements = [sent] }
    guard let elements, elements.allSatisfy({ $0.stringValue != nil }) else {
      throw SCIMError(
        .invalidValue, "'schemas' must be an array that contains '\(type.schema.id)'.", attribute: "schemas")
    }
    let urns = elements.compactMap(\.stringValue)
    guard urns.contains(where: { ASCII.equalIgnoringCase($0, type.schema.id) }) else {
      throw SCIMError(.invalidValue, "'schemas' must contain '\(type.schema.id)'.", attribute: "schemas")
    }
    guard !profile.isLenient else { return }
    for urn in urns where !ASCII.equalIgnoringCase(urn, type.schema.id) && type.extension(urn: urn) == nil {
      throw SCIMError(.invalidSyntax, UnknownSchema.detail(urn, of: type), attribute: "schemas")
    }
    // RFC 7643 section 3.
    var listed: Set<String> = []
    for urn in urns where !listed.insert(ASCII.lowercase(urn)).inserted {
      throw SCIMError(
        .invalidValue, "'schemas' must contain '\(ValueNormalizer.excerpt(urn))' only once.", attribute: "schemas")
    }
  }

  private static func addCommon(
    _ sent: SentResource, to resource: inout NormalizedResource, profile: Profile
  ) throws(SCIMError) {
    // Holds the place at the front; the content follows when the rest is known.
    resource.document["schemas"] = []
    guard let value = sent.externalID else { return }
    let definition = CommonAttributes.externalId
    resource.document[definition.name] = try ValueNormalizer.normalize(
      value, as: definition, path: definition.name, profile: profile, unknown: sent.unknown)
  }

  private static func addCore(
    _ sent: SentResource, type: ResourceType, to resource: inout NormalizedResource, profile: Profile
  ) throws(SCIMError) {
    for (definition, value) in zip(type.schema.attributes, sent.core.values) {
      if definition.isTypeName(of: type) {
        resource.document.members.append(JSONObject.Member(key: definition.name, value: .string(type.name)))
        continue
      }
      guard let value, definition.mutability != .readOnly, !definition.isCommon else { continue }
      let link = type.link(for: definition.name)
      if case .memberOf = link?.kind { continue }
      let normalized = try ValueNormalizer.normalize(
        value, as: definition, path: definition.name, profile: profile, unknown: sent.unknown)
      if case .members = link?.kind {
        try checkNothingIsLost(value, definition: definition, profile: profile)
      }
      if link != nil {
        resource.links[definition.name] = (normalized?.arrayValue ?? []).compactMap(\.objectValue)
      } else if definition.isSecret {
        resource.password = normalized?.stringValue
      } else if let normalized {
        resource.document.members.append(JSONObject.Member(key: definition.name, value: normalized))
      }
    }
  }

  /// A member without a `value` names nobody. Passed over like an empty e-mail address, it would make an answer of
  /// success to a request that was not carried out.
  private static func checkNothingIsLost(
    _ value: JSON, definition: AttributeDefinition, profile: Profile
  ) throws(SCIMError) {
    for element in value.arrayValue ?? [value] where element != .null {
      let path = definition.name
      guard try ValueNormalizer.normalizeElement(element, as: definition, path: path, profile: profile) != nil else {
        throw SCIMError(.invalidValue, "Each element of '\(path)' must have a 'value'.", attribute: path)
      }
    }
  }

  /// The content of an extension, but for what is kept as links.
  private static func attributes(
    _ slots: AttributeSlots, of schema: SchemaDefinition, type: ResourceType, to resource: inout NormalizedResource,
    profile: Profile, unknown: UnknownNames
  ) throws(SCIMError) -> [JSONObject.Member] {
    var members: [JSONObject.Member] = []
    for (definition, value) in zip(schema.attributes, slots.values) {
      guard let value, definition.mutability != .readOnly else { continue }
      let path = schema.id + ":" + definition.name
      let normalized = try ValueNormalizer.normalize(
        value, as: definition, path: path, profile: profile, unknown: unknown)
      if type.link(for: path) != nil {
        resource.links[path] = (normalized?.arrayValue ?? []).compactMap(\.objectValue)
      } else if let normalized {
        members.append(JSONObject.Member(key: definition.name, value: normalized))
      }
    }
    return members
  }
}
