import SCIMCore

/// Finds resources of one organisation that cannot be stored side by side: with one id, or with one value of an attribute
/// that is unique. Without it the second of two would be taken for the first one, and be lost.
struct SeedCollisions {
  private var ids: [String: SeedPath] = [:]
  private var values: [Value: SeedPath] = [:]
  /// True where no two resources of a type may have one externalId.
  let hasUniqueExternalIDs: Bool

  init(hasUniqueExternalIDs: Bool) {
    self.hasUniqueExternalIDs = hasUniqueExternalIDs
  }

  private struct Value: Hashable {
    var type: String
    var attribute: String
    var text: String
  }

  private struct Named {
    var hasID: Bool
    var externalID: String?
    var path: SeedPath
  }
  /// Groups by their names, where several may have one.
  private var groups: [String: [Named]] = [:]

  /// Notes a group that a second run of the file could not tell from one before it.
  private mutating func addFreeName(_ resource: SeedResource, members: SeedMembers) {
    guard resource.type.name == "Group", let name = resource.type.schema.attribute(named: "displayName"),
      name.uniqueness == .none, let text = resource.body[name.name]?.stringValue
    else { return }
    let group = Named(
      hasID: resource.id != nil, externalID: resource.body[CommonAttributes.externalId.name]?.stringValue,
      path: resource.path)
    let key = Folding.fold(text)
    let other = groups[key]?.first { known in
      let areToldByID = known.hasID && group.hasID
      let areToldByExternalID =
        known.externalID != nil && group.externalID != nil && known.externalID != group.externalID
      return !areToldByID && !areToldByExternalID
    }
    if let other {
      members.note(
        resource.path + name.name,
        "displayName must be unique where no id tells the groups apart, and is also that of", other: other.path)
    }
    groups[key, default: []].append(group)
  }

  /// Notes where the resource collides with one before it.
  mutating func add(_ resource: SeedResource, members: SeedMembers) {
    if let id = resource.id {
      if let other = ids[id] {
        members.note(
          resource.path + "id", "the id must be unique in the organisation, and is also that of", other: other)
      }
      ids[id] = ids[id] ?? resource.path
    }
    addFreeName(resource, members: members)
    let unique = resource.type.schema.attributes.filter { $0.uniqueness != .none && $0.type == .string }
    for attribute in unique + (hasUniqueExternalIDs ? [CommonAttributes.externalId] : []) {
      guard let text = resource.body[attribute.name]?.stringValue else { continue }
      let key = attribute.isCaseExact ? text : Folding.fold(text)
      let value = Value(type: resource.type.name, attribute: attribute.name, text: key)
      if let other = values[value] {
        members.note(
          resource.path + attribute.name, "\(attribute.name) must be unique, and is also that of", other: other)
      }
      values[value] = values[value] ?? resource.path
    }
  }
}
