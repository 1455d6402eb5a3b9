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
  var path: String { extensionURN.map { $0 + ":" + definition.name } ?? definition.name }

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
  }

  /// True for the sub-attributes that are filled in.
  static func isFilled(_ sub: AttributeDefinition) -> Bool {
    sub.mutability == .readOnly && ["$ref", "display", "displayName"].contains(sub.name)
  }

  /// Where the value stands in a stored document; nil where it has none.
  func range(in document: [UInt8]) -> Range<Int>? {
    let path = (extensionURN.map { [$0] } ?? []) + [definition.name]
    return document.withUnsafeBytes { try? JSONMemberReader.range(of: path, in: $0) }
  }

  /// The value with what is filled in, in the order of the schema; without what a client once said of it.
  func filled(_ value: JSONObject, with target: ReferencedResource?, location: String?) -> JSONObject {
    var members: [JSONObject.Member] = []
    for sub in definition.subAttributes {
      let text = sub.name == "$ref" ? location : target?.display
      if let value = Self.isFilled(sub) ? text.map(JSON.string) : value[sub.name] {
        members.append(JSONObject.Member(key: sub.name, value: value))
      }
    }
    return JSONObject(members)
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
  /// - Parameter find: looks up a resource among types by its id.
  public func filling(
    _ stored: StoredResource, type: ResourceType, registry: SchemaRegistry, projection: Projection = .none,
    find: (_ id: String, _ types: [ResourceType]) throws(SCIMError) -> ReferencedResource?
  ) throws(SCIMError) -> StoredResource {
    var stored = stored
    for reference in type.references
    where projection.shows(
      reference.definition, path: reference.path, schema: reference.extensionURN ?? ProjectionNames.base)
    {
      // Seldom there, and sooner seen than its place.
      guard mayHave(reference.definition.name, in: stored.document), let range = reference.range(in: stored.document),
        case .object(let value)? = try? JSON(parsing: Array(stored.document[range]))
      else { continue }
      let types = reference.types.compactMap { registry.type(named: $0) }
      let target = try value["value"]?.stringValue.flatMap { (id) throws(SCIMError) in try find(id, types) }
      let location = target.flatMap { target in
        registry.type(named: target.type).map { self.location(type: $0, id: target.id) }
      }
      let filled = reference.filled(value, with: target, location: location)
      guard filled != value else { continue }
      var bytes: [UInt8] = []
      filled.write(into: &bytes)
      stored.document.replaceSubrange(range, with: bytes)
    }
    return stored
  }
}
