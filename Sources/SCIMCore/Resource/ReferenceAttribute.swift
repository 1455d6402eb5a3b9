import Foundation

/// A single-valued attribute whose `value` is the id of another resource that need not exist, as `manager` of users is.
///
/// `$ref` and the name of the other resource are filled in when the resource is shown, where it exists: they are not
/// stored, and do not move the version.
public final class ReferenceAttribute: Sendable {
  /// The URN of the extension that the attribute stands in; nil for the base schema.
  let extensionURN: String?
  let definition: AttributeDefinition
  /// The names of the types that the other resource may have.
  let types: [String]
  /// The attribute's path: `urn:…:User:manager`.
  let path: String
  /// The sub-attributes, in the order of the schema.
  private let parts: [Part]

  private struct Part {
    enum Content { case location, display, stored }
    let name: String
    let content: Content
  }

  /// Nil where the attribute is of another kind: only where the schema leaves `$ref` to the server is it filled in.
  init?(_ definition: AttributeDefinition, of extensionURN: String?) {
    guard definition.type == .complex, !definition.isMultiValued, definition.subAttribute(named: "value") != nil,
      let reference = definition.subAttribute(named: "$ref"), reference.mutability == .readOnly
    else { return nil }
    let types = reference.referenceTypes.filter { $0 != "external" && $0 != "uri" }
    guard !types.isEmpty else { return nil }
    self.extensionURN = extensionURN
    self.definition = definition
    self.types = types
    path = extensionURN.map { $0 + ":" + definition.name } ?? definition.name
    parts = definition.subAttributes.map { sub in
      Part(name: sub.name, content: !Self.isFilled(sub) ? .stored : sub.name == "$ref" ? .location : .display)
    }
  }

  /// True for the sub-attributes that are filled in.
  static func isFilled(_ sub: AttributeDefinition) -> Bool {
    sub.mutability == .readOnly && ["$ref", "display", "displayName"].contains(sub.name)
  }

  /// The value with what is filled in, in the order of the schema; without what a client once said of it.
  ///
  /// - Parameter target: the other resource and its type, where it exists.
  fileprivate func write(
    _ value: StoredReference.Value, _ target: ReferencedResource?, _ type: ResourceType?,
    _ renderer: ResourceRenderer, to sink: inout ByteSink
  ) {
    var isFirst = true
    func begin(_ name: String, in sink: inout ByteSink) {
      sink.append(isFirst ? "{" : ",")
      sink.appendString(name)
      sink.append(":")
      isFirst = false
    }
    for part in parts {
      switch (part.content, value) {
      case (.location, _):
        guard let target, let type else { continue }
        begin(part.name, in: &sink)
        renderer.appendLocation(of: target.id, type, to: &sink)
      case (.display, _):
        guard let display = target?.display else { continue }
        begin(part.name, in: &sink)
        sink.appendString(display)
      case (.stored, .id(let id)):
        guard part.name == "value" else { continue }
        begin(part.name, in: &sink)
        sink.appendString(id)
      case (.stored, .object(let object)):
        guard let member = object[part.name] else { continue }
        begin(part.name, in: &sink)
        member.encoded().withUnsafeBufferPointer { sink.append($0) }
      }
    }
    sink.append(isFirst ? "{}" : "}")
  }
}

/// A resource that a reference names; for the thread of the reader that gave it.
public final class ReferencedResource {
  public let type: String
  public let id: String
  public let display: String?
  /// How it was shown last: most references to a resource are shown alike.
  fileprivate var shown: (definition: AttributeDefinition, baseURL: String, bytes: [UInt8])?

  public init(type: String, id: String, display: String?) {
    self.type = type
    self.id = id
    self.display = display
  }
}

/// A reference as it is shown, and the place in the stored document that it takes.
public struct FilledReference {
  let range: Range<Int>
  let bytes: [UInt8]
}

extension ResourceRenderer {
  /// The references of a stored resource as they are shown, as far as the projection does so, in the order of the document.
  ///
  /// - Parameters:
  ///   - outline: of the document.
  ///   - find: looks up a resource by its id among the types with these names. What it gives has to be new where
  ///     definitions have changed.
  public func filled(
    in stored: StoredResource, type: ResourceType, registry: SchemaRegistry, projection: Projection = .none,
    outline: DocumentOutline, find: (_ id: String, _ types: [String]) throws(SCIMError) -> ReferencedResource?
  ) throws(SCIMError) -> [FilledReference] {
    var filled: [FilledReference] = []
    for reference in type.references
    where projection.shows(
      reference.definition, path: reference.path, schema: reference.extensionURN ?? ProjectionNames.base)
    {
      guard let place = StoredReference.find(reference, in: stored.document, outline) else { continue }
      let target = try place.value.id.flatMap { (id) throws(SCIMError) in try find(id, reference.types) }
      guard case .id = place.value else {
        filled.append(
          FilledReference(range: place.range, bytes: shown(place.value, reference, target, registry)))
        continue
      }
      guard let target else { continue }
      if let shown = target.shown, shown.definition === reference.definition, shown.baseURL == baseURL {
        filled.append(FilledReference(range: place.range, bytes: shown.bytes))
      } else {
        let bytes = shown(place.value, reference, target, registry)
        target.shown = (reference.definition, baseURL, bytes)
        filled.append(FilledReference(range: place.range, bytes: bytes))
      }
    }
    // Mostly there is one at most.
    if filled.count > 1 { filled.sort { $0.range.lowerBound < $1.range.lowerBound } }
    return filled
  }

  private func shown(
    _ value: StoredReference.Value, _ reference: ReferenceAttribute, _ target: ReferencedResource?,
    _ registry: SchemaRegistry
  ) -> [UInt8] {
    var sink = ByteSink(capacity: 320)
    reference.write(value, target, target.flatMap { registry.type(named: $0.type) }, self, to: &sink)
    return Array(sink.bytes)
  }
}
