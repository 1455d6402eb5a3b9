extension ResourceRenderer {
  /// The resource as `append` writes it, as a value: for projections, for filters over documents, and for PATCH.
  ///
  /// A stored document that cannot be read is `internalError`.
  public func json(
    _ stored: StoredResource, type: ResourceType, registry: SchemaRegistry, projection: Projection = .none,
    assignmentsUsed: Int? = nil, filled: [FilledReference] = []
  ) throws(SCIMError) -> JSONObject {
    var resource = try document(of: stored, type: type, filled)
    for link in type.links {
      let linked = stored.links.filter { $0.attribute == link.attribute }
      guard !linked.isEmpty else { continue }
      // Unlinked elements of an open catalogue follow the linked ones.
      let unlinked = resource[link]?.arrayValue ?? []
      let rendered = linked.filter { !$0.isInherited }.map { JSON.object(element($0, link.kind, registry: registry)) }
      let inherited = linked.filter(\.isInherited).map { JSON.object(element($0, link.kind, registry: registry)) }
      if let urn = link.extensionURN, resource[urn] == nil {
        resource["schemas"] = .array((resource["schemas"]?.arrayValue ?? []) + [.string(urn)])
      }
      resource[link] = .array(rendered + unlinked + inherited)
    }
    if let count = assignmentsUsed, let urn = type.countedExtension,
      let schema = type.extension(urn: urn)?.schema
    {
      var content = resource[urn]?.objectValue
      if content == nil, projection.asksForCount(of: type) {
        content = JSONObject()
        resource["schemas"] = .array((resource["schemas"]?.arrayValue ?? []) + [.string(urn)])
      }
      if let content { resource[urn] = .object(CountedAttribute.added(count, to: content, of: schema)) }
    }
    resource[CommonAttributes.meta.name] = .object(meta(of: stored, type: type))
    if projection.isDefault(for: type) { return resource }
    return Projector(projection: projection, type: type).apply(to: resource)
  }

  private func document(
    of stored: StoredResource, type: ResourceType, _ filled: [FilledReference]
  ) throws(SCIMError) -> JSONObject {
    var document = stored.document
    for reference in filled.reversed() { document.replaceSubrange(reference.range, with: reference.bytes) }
    do throws(JSONError) {
      let limits = JSONLimits(depth: JSONLimits.deepest, distinctIgnoringCase: false)
      if case .object(let object) = try JSON(parsing: document, limits: limits) { return object }
    } catch {}
    throw SCIMError(.internalError, "a stored document of type \(type.name) cannot be read: \(stored.id)")
  }

  /// A linked element as clients see it.
  public func element(
    _ element: LinkElement, _ kind: LinkDefinition.Kind, registry: SchemaRegistry
  ) -> JSONObject {
    let reference = registry.type(named: element.type).map { location(type: $0, id: element.id) }
    return LinkRendering.object(element, kind, reference: reference)
  }

  private func meta(of stored: StoredResource, type: ResourceType) -> JSONObject {
    JSONObject([
      JSONObject.Member(key: "resourceType", value: .string(type.name)),
      JSONObject.Member(key: "created", value: .string(stored.created.text)),
      JSONObject.Member(key: "lastModified", value: .string(stored.modified.text)),
      JSONObject.Member(key: "location", value: .string(location(type: type, id: stored.id))),
      JSONObject.Member(key: "version", value: .string(stored.entityTag)),
    ])
  }
}
