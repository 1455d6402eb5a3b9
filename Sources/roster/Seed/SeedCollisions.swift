import SCIMCore

/// Finds resources of one organisation that cannot be stored side by side: with one id, or with one value of an attribute
/// that is unique. Without it the second of two would be taken for the first one, and be lost.
struct SeedCollisions {
  private var ids: [String: SeedPath] = [:]
  private var values: [Value: SeedPath] = [:]

  private struct Value: Hashable {
    var type: String
    var attribute: String
    var text: String
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
    for attribute in resource.type.schema.attributes where attribute.uniqueness != .none && attribute.type == .string {
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
