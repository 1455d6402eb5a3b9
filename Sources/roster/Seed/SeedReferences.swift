import SCIMCore

/// Turns the names by which seeded resources refer to each other into ids.
///
/// In a seed file a group's member or a user's manager may be named by its id, its `userName`, its `displayName` or
/// its `externalId`, since ids are not known until the server has made them. A `type` beside it says of which type it is.
struct SeedReferences: Sendable {
  private struct Named {
    var type: String
    var id: String
  }
  /// The first one of each type to have the name, in their order.
  private var resources: [String: [Named]] = [:]

  /// Remembers a resource that is stored now.
  mutating func add(id: String, body: JSONObject, type: ResourceType) {
    for name in [id] + Self.names(in: body, of: type) {
      if resources[name]?.contains(where: { $0.type == type.name }) == true { continue }
      resources[name, default: []].append(Named(type: type.name, id: id))
    }
  }

  /// The values by which a resource can be found again: those that no other of its type may have.
  static func names(in body: JSONObject, of type: ResourceType) -> [String] {
    uniqueAttributes(of: type).compactMap { body[$0.name]?.stringValue }
  }

  /// The attributes whose values are unique in an organisation, with `externalId`.
  static func uniqueAttributes(of type: ResourceType) -> [AttributeDefinition] {
    // The name of a group tells it from others also where groups may share one.
    type.schema.attributes.filter {
      $0.type == .string && ($0.uniqueness != .none || (type.name == "Group" && $0.name == "displayName"))
    } + [CommonAttributes.externalId]
  }

  /// The body with each reference that names a remembered resource replaced by its id.
  func resolve(_ body: JSONObject, type: ResourceType) -> JSONObject {
    var body = body
    for attribute in type.schema.attributes where isReference(attribute, of: type) {
      body[attribute.name] = resolve(body[attribute.name])
    }
    for member in body.members {
      guard let schema = type.extension(urn: member.key)?.schema, var values = member.value.objectValue else {
        continue
      }
      for attribute in schema.attributes
      where Self.refersToResources(attribute) && type.link(for: schema.id + ":" + attribute.name) == nil {
        values[attribute.name] = resolve(values[attribute.name])
      }
      body[member.key] = .object(values)
    }
    return body
  }

  /// As above, of what was normalized already.
  func resolve(_ resource: NormalizedResource, type: ResourceType) -> NormalizedResource {
    var resource = resource
    resource.document = resolve(resource.document, type: type)
    for attribute in type.schema.attributes where isReference(attribute, of: type) {
      guard let elements = resource.links[attribute.name] else { continue }
      resource.links[attribute.name] = elements.map { resolve(.object($0))?.objectValue ?? $0 }
    }
    return resource
  }

  /// The value of such an attribute, or one element of it.
  func resolve(_ value: JSON?) -> JSON? {
    switch value {
    case .array(let elements)?: return .array(elements.map { resolve($0) ?? $0 })
    case .object(var object)?:
      guard let name = object["value"]?.stringValue, let named = resources[name] else { return value }
      let type = object["type"]?.stringValue
      let meant = named.first { one in type.map { ASCII.equalIgnoringCase($0, one.type) } ?? true }
      if let meant { object["value"] = .string(meant.id) }
      return .object(object)
    default: return value
    }
  }

  /// True for links to members; the catalogue is matched by name anyway.
  private func isReference(_ attribute: AttributeDefinition, of type: ResourceType) -> Bool {
    if case .members? = type.link(for: attribute.name)?.kind { return true }
    return false
  }

  static func refersToResources(_ attribute: AttributeDefinition) -> Bool {
    attribute.type == .complex && attribute.subAttribute(named: "value") != nil
      && attribute.subAttribute(named: "$ref")?.referenceTypes.isEmpty == false
  }
}
