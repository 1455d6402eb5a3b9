import Foundation

/// A single-valued attribute whose `value` is the id of another resource that need not exist, as `manager` of users is.
///
/// `$ref` and the name of the other resource are filled in when the resource is shown, where it exists: they are not
/// stored, and do not move the version.
public struct ReferenceAttribute: Sendable {
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
      Part(
        name: sub.name, content: !Self.isFilled(sub) ? .stored : sub.name == "$ref" ? .location : .display)
    }
  }

  /// True for the sub-attributes that are filled in.
  static func isFilled(_ sub: AttributeDefinition) -> Bool {
    sub.mutability == .readOnly && ["$ref", "display", "displayName"].contains(sub.name)
  }

  /// Where the value stands in a stored document, and what it says; nil where it has none.
  fileprivate func find(in document: [UInt8]) -> (range: Range<Int>, value: Value)? {
    document.withUnsafeBytes { document in
      guard let range = range(in: document) else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: document[range])
      if let id = Self.plainID(bytes) { return (range, .id(id)) }
      guard case .object(let object)? = try? JSON(parsing: bytes) else { return nil }
      return (range, .object(object))
    }
  }

  fileprivate enum Value {
    /// An id and nothing else, as is usual.
    case id(String)
    case object(JSONObject)

    var id: String? {
      switch self {
      case .id(let id): id
      case .object(let object): object["value"]?.stringValue
      }
    }
  }

  private func range(in document: UnsafeRawBufferPointer) -> Range<Int>? {
    guard let extensionURN else { return try? JSONMemberReader.range(of: definition.name, in: document) }
    // No attribute has the name of an extension, so what is found is the extension itself.
    guard let colon = CanonicalDocument.lastColon(behind: extensionURN, in: document) else { return nil }
    let part = UnsafeRawBufferPointer(rebasing: document[(colon + 1)...])
    guard let range = try? JSONMemberReader.range(of: definition.name, in: part) else { return nil }
    return colon + 1 + range.lowerBound..<colon + 1 + range.upperBound
  }

  /// The id in `{"value":"…"}`; nil where there is more, or the id has escapes.
  private static func plainID(_ value: UnsafeRawBufferPointer) -> String? {
    let (head, tail): (StaticString, StaticString) = ("{\"value\":\"", "\"}")
    let (before, behind) = (head.utf8CodeUnitCount, tail.utf8CodeUnitCount)
    guard value.count > before + behind, let base = value.baseAddress, memcmp(base, head.utf8Start, before) == 0,
      memcmp(base + value.count - behind, tail.utf8Start, behind) == 0
    else { return nil }
    let id = UnsafeRawBufferPointer(start: base + before, count: value.count - before - behind)
      .assumingMemoryBound(to: UInt8.self)
    return ByteSink.needsEscapes(id) ? nil : String(decoding: id, as: UTF8.self)
  }

  /// The value with what is filled in, in the order of the schema; without what a client once said of it.
  ///
  /// - Parameter target: the other resource and its type, where it exists.
  fileprivate func write(
    _ value: Value, _ target: ReferencedResource?, _ type: ResourceType?, _ renderer: ResourceRenderer,
    to sink: inout ByteSink
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

/// A resource that a reference names.
public struct ReferencedResource: Sendable {
  public var type: String
  public var id: String
  public var display: String?

  public init(type: String, id: String, display: String?) {
    self.type = type
    self.id = id
    self.display = display
  }
}

extension ResourceRenderer {
  /// The stored resource with its references filled in, as far as the projection shows them.
  ///
  /// - Parameter find: looks up a resource by its id among the types with these names.
  public func filling(
    _ stored: StoredResource, type: ResourceType, registry: SchemaRegistry, projection: Projection = .none,
    find: (_ id: String, _ types: [String]) throws(SCIMError) -> ReferencedResource?
  ) throws(SCIMError) -> StoredResource {
    var stored = stored
    for reference in type.references
    where projection.shows(
      reference.definition, path: reference.path, schema: reference.extensionURN ?? ProjectionNames.base)
    {
      guard let (range, value) = reference.find(in: stored.document) else { continue }
      let target = try value.id.flatMap { (id) throws(SCIMError) in try find(id, reference.types) }
      if case .id = value, target == nil { continue }
      var sink = ByteSink(capacity: 320)
      reference.write(value, target, target.flatMap { registry.type(named: $0.type) }, self, to: &sink)
      stored.document = Self.replacing(range, of: stored.document, with: sink.bytes)
    }
    return stored
  }

  private static func replacing(
    _ range: Range<Int>, of document: [UInt8], with bytes: UnsafeBufferPointer<UInt8>
  ) -> [UInt8] {
    let count = document.count - range.count + bytes.count
    return [UInt8](unsafeUninitializedCapacity: count) { target, written in
      document.withUnsafeBytes { document in
        guard let target = UnsafeMutableRawPointer(target.baseAddress), let source = document.baseAddress else { return }
        let behind = range.lowerBound + bytes.count
        target.copyMemory(from: source, byteCount: range.lowerBound)
        if let bytes = bytes.baseAddress {
          (target + range.lowerBound).copyMemory(from: bytes, byteCount: count - document.count + range.count)
        }
        (target + behind).copyMemory(from: source + range.upperBound, byteCount: document.count - range.upperBound)
        written = count
      }
    }
  }
}
