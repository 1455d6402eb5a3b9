import Foundation

/// Writes resources as clients see them: the stored document, then the linked elements, then `meta`.
///
/// URIs begin with `baseURL`. What is derived is put in here: `$ref`, `display` and `type` of linked elements, the count
/// of assignments, and `meta`. A link attribute without elements is not shown.
public struct ResourceRenderer: Sendable {
  /// The base of the URIs that clients see, without a slash at its end.
  public let baseURL: String
  /// The base as it stands inside a JSON string.
  private let escapedBase: [UInt8]

  public init(baseURL: String) {
    self.baseURL = baseURL
    var quoted: [UInt8] = []
    JSON.appendString(baseURL, to: &quoted)
    escapedBase = Array(quoted.dropFirst().dropLast())
  }

  /// Appends the JSON of a resource.
  ///
  /// `stored.links` are those that the projection asks for (`Projection.links`). `assignmentsUsed` is what a type with a
  /// `countedExtension` shows there where a resource has that extension. `outline` is that of the document, where it is
  /// known. `filled` are its references as they are shown (`filled(in:)`). Where the projection shows all, the stored bytes are copied and not parsed. A stored document that is broken is `internalError`.
  public func append(
    _ stored: StoredResource, type: ResourceType, registry: SchemaRegistry, projection: Projection = .none,
    assignmentsUsed: Int? = nil, outline: DocumentOutline? = nil, filled: [FilledReference] = [],
    to output: inout [UInt8]
  ) throws(SCIMError) {
    let outline = outline ?? self.outline(of: stored, type: type)
    guard canSplice(stored, type: type, projection: projection, assignmentsUsed, outline) else {
      let resource = try json(
        stored, type: type, registry: registry, projection: projection, assignmentsUsed: assignmentsUsed,
        filled: filled)
      return resource.write(into: &output)
    }
    var sink = ByteSink(capacity: Self.roomFor(stored))
    let added = addedExtensions(stored, type: type, projection: projection)
    appendDocument(stored.document, adding: added, filled, to: &sink)
    if !stored.links.isEmpty {
      for link in type.links where link.extensionURN == nil && projection.shows(link, of: type) {
        _ = appendLinks(stored.links, link, isFirst: false, registry: registry, to: &sink)
      }
    }
    for urn in added {
      sink.append(UInt8(ascii: ","))
      sink.appendString(urn)
      sink.append(":{")
      var isFirst = true
      for link in type.links where link.extensionURN == urn && projection.shows(link, of: type) {
        if appendLinks(stored.links, link, isFirst: isFirst, registry: registry, to: &sink) { isFirst = false }
      }
      sink.append(UInt8(ascii: "}"))
    }
    appendMeta(of: stored, type: type, to: &sink)
    sink.append(UInt8(ascii: "}"))
    output.append(contentsOf: sink.bytes)
  }

  /// What the stored document has of what showing it asks for. Filling in references does not change the answer.
  public func outline(of stored: StoredResource, type: ResourceType) -> DocumentOutline {
    DocumentOutline(stored.document, type.outlineNames)
  }

  /// About how many bytes a resource takes.
  public static func roomFor(_ stored: StoredResource) -> Int {
    stored.document.count + 320 + stored.links.count * 256
  }

  /// What writing a resource takes from a `WorkBudget`: the bytes, which may be compressed by the same thread.
  public func steps(for stored: StoredResource, projection: Projection, type: ResourceType) -> Int {
    let bytes = Self.roomFor(stored)
    return (projection.keepsDocument(of: type) ? bytes : bytes * 2) / 4
  }

  /// The URI of a resource, as `meta.location` and `Location` show it.
  public func location(type: ResourceType, id: String) -> String {
    var sink = ByteSink(capacity: 192)
    for part in [baseURL, type.endpoint, "/"] {
      var part = part
      part.withUTF8 { sink.append($0) }
    }
    sink.appendSegment(id)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  /// True where the resource is shown with the number of its assignments, which is counted for that alone.
  public func showsCount(of type: ResourceType, projection: Projection, outline: DocumentOutline) -> Bool {
    guard let urn = type.countedExtension,
      let definition = type.extension(urn: urn)?.schema.attribute(named: CountedAttribute.name),
      projection.shows(definition, path: urn + ":" + CountedAttribute.name, schema: urn)
    else { return false }
    return projection.asksForCount(of: type) || outline.mayHave(urn)
  }

  // MARK: Splicing

  /// True where nothing inside the stored document changes.
  private func canSplice(
    _ stored: StoredResource, type: ResourceType, projection: Projection, _ assignmentsUsed: Int?,
    _ outline: DocumentOutline
  ) -> Bool {
    guard projection.keepsDocument(of: type), stored.document.count > 2, stored.document.last == UInt8(ascii: "}")
    else { return false }
    if assignmentsUsed != nil, let urn = type.countedExtension, outline.mayHave(urn) { return false }
    // A catalogue attribute whose unlinked elements stand in the document is one list with the linked ones.
    guard !stored.links.isEmpty else { return true }
    for link in type.links {
      guard case .catalog = link.kind, stored.links.contains(where: { $0.attribute == link.attribute }) else {
        continue
      }
      if outline.mayHave(link.extensionURN ?? link.name) { return false }
    }
    return true
  }

  /// The extensions of which nothing is stored but links that are shown.
  private func addedExtensions(_ stored: StoredResource, type: ResourceType, projection: Projection) -> [String] {
    var urns: [String] = []
    for link in type.links {
      guard let urn = link.extensionURN, !urns.contains(urn), projection.shows(link, of: type),
        stored.links.contains(where: { $0.attribute == link.attribute })
      else { continue }
      urns.append(urn)
    }
    return urns
  }

  /// The stored document without its last brace, with these URNs behind those in `schemas`, and with its references filled
  /// in.
  private func appendDocument(
    _ document: [UInt8], adding urns: [String], _ filled: [FilledReference], to output: inout ByteSink
  ) {
    document.withUnsafeBufferPointer { document in
      let body = document.dropLast()
      var start = 0
      // `schemas` stands in front, and no URN has a bracket.
      if !urns.isEmpty, let end = body.firstIndex(of: UInt8(ascii: "]")) {
        output.append(UnsafeBufferPointer(rebasing: body[..<end]))
        for urn in urns {
          output.append(UInt8(ascii: ","))
          output.appendString(urn)
        }
        start = end
      }
      for reference in filled {
        output.append(UnsafeBufferPointer(rebasing: body[start..<reference.range.lowerBound]))
        reference.bytes.withUnsafeBufferPointer { output.append($0) }
        start = reference.range.upperBound
      }
      output.append(UnsafeBufferPointer(rebasing: body[start...]))
    }
  }

  /// True where there was an element of that link.
  private func appendLinks(
    _ elements: [LinkElement], _ link: LinkDefinition, isFirst: Bool, registry: SchemaRegistry,
    to output: inout ByteSink
  ) -> Bool {
    var isOpen = false
    var target: ResourceType?
    for element in elements where element.attribute == link.attribute {
      if isOpen {
        output.append(UInt8(ascii: ","))
      } else {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        output.appendString(link.name)
        output.append(":[")
        isOpen = true
      }
      // Neighbours mostly have one type.
      if target?.name != element.type { target = registry.type(named: element.type) }
      append(element, link.kind, target: target, to: &output)
    }
    if isOpen { output.append(UInt8(ascii: "]")) }
    return isOpen
  }

  /// The order of the members is that of `LinkRendering`.
  private func append(
    _ element: LinkElement, _ kind: LinkDefinition.Kind, target: ResourceType?, to output: inout ByteSink
  ) {
    output.append("{\"value\":")
    let end = element.end
    if let texts = end.texts { texts.appendID(to: &output) } else { output.appendString(end.id) }
    switch kind {
    case .members:
      appendReference(end, target, to: &output)
      appendType(end, to: &output)
      appendDisplay(end, to: &output)
    case .memberOf:
      appendReference(end, target, to: &output)
      appendDisplay(end, to: &output)
      output.append(element.isDirect ? ",\"type\":\"direct\"" : ",\"type\":\"indirect\"")
    case .catalog:
      appendDisplay(end, to: &output)
      appendType(end, to: &output)
      appendReference(end, target, to: &output)
    }
    for member in element.extra.members where !LinkRendering.isDerived(member.key) {
      output.append(UInt8(ascii: ","))
      output.appendString(member.key)
      output.append(UInt8(ascii: ":"))
      member.value.encoded().withUnsafeBufferPointer { output.append($0) }
    }
    output.append(element.isInherited ? ",\"inherited\":true}" : "}")
  }

  private func appendType(_ end: LinkEnd, to output: inout ByteSink) {
    if let texts = end.texts { return texts.appendType(to: &output) }
    output.append(",\"type\":")
    output.appendString(end.type)
  }

  private func appendDisplay(_ end: LinkEnd, to output: inout ByteSink) {
    if let texts = end.texts { return texts.appendDisplay(to: &output) }
    guard let display = end.display else { return }
    output.append(",\"display\":")
    output.appendString(display)
  }

  private func appendReference(_ end: LinkEnd, _ target: ResourceType?, to output: inout ByteSink) {
    guard let target else { return }
    output.append(",\"$ref\":")
    guard let texts = end.texts else { return appendLocation(of: end.id, target, to: &output) }
    appendEndpoint(of: target, to: &output)
    texts.appendSegment(to: &output)
  }

  private func appendMeta(of stored: StoredResource, type: ResourceType, to output: inout ByteSink) {
    output.append(",\"meta\":{\"resourceType\":")
    output.appendString(type.name)
    output.append(",\"created\":\"")
    output.append(stored.created)
    output.append("\",\"lastModified\":\"")
    output.append(stored.modified)
    output.append("\",\"location\":")
    appendLocation(of: stored.id, type, to: &output)
    // The quotes of the entity tag are escaped.
    output.append(",\"version\":\"W/\\\"")
    output.append(stored.version)
    output.append("\\\"\"}")
  }

  func appendLocation(of id: String, _ type: ResourceType, to output: inout ByteSink) {
    appendEndpoint(of: type, to: &output)
    output.append(UInt8(ascii: "/"))
    output.appendSegment(id)
    output.append(UInt8(ascii: "\""))
  }

  /// The beginning of an address, with its quote.
  private func appendEndpoint(of type: ResourceType, to output: inout ByteSink) {
    output.append(UInt8(ascii: "\""))
    escapedBase.withUnsafeBufferPointer { output.append($0) }
    var endpoint = type.endpoint
    endpoint.withUTF8 { output.append($0) }
  }
}
