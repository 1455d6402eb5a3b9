/// Cuts the full JSON of a resource down to what a projection shows.
struct Projector {
  let projection: Projection
  let type: ResourceType

  /// What is shown of a resource as it is rendered: core attributes on top, extensions under their URNs, `meta`.
  ///
  /// Names that the type does not have are left out; the order stays.
  func apply(to resource: JSONObject) -> JSONObject {
    var shown: [JSONObject.Member] = []
    shown.reserveCapacity(resource.members.count)
    for member in resource.members {
      if let definition = CommonAttributes.all.first(where: { $0.name == member.key }) {
        append(member, definition, path: member.key, schema: nil, to: &shown)
      } else if let definition = type.schema.attributes.first(where: { $0.name == member.key }) {
        append(member, definition, path: member.key, schema: ProjectionNames.base, to: &shown)
      } else if let schema = type.extensions.first(where: { $0.schema.id == member.key })?.schema,
        case .object(let content) = member.value
      {
        let inner = cut(content, of: schema)
        if !inner.isEmpty { shown.append(JSONObject.Member(key: member.key, value: .object(inner))) }
      }
    }
    return JSONObject(shown)
  }

  private func cut(_ content: JSONObject, of schema: SchemaDefinition) -> JSONObject {
    var shown: [JSONObject.Member] = []
    for member in content.members {
      guard let definition = schema.attributes.first(where: { $0.name == member.key }) else { continue }
      append(member, definition, path: schema.id + ":" + member.key, schema: schema.id, to: &shown)
    }
    return JSONObject(shown)
  }

  private func append(
    _ member: JSONObject.Member, _ definition: AttributeDefinition, path: String, schema: String?,
    to shown: inout [JSONObject.Member]
  ) {
    guard projection.shows(definition, path: path, schema: schema) else { return }
    let subs = definition.subAttributes.filter { projection.showsSub($0, of: path) }
    // As it is where nothing is cut, which is also the case of simple attributes.
    guard subs.count < definition.subAttributes.count else { return shown.append(member) }
    let names = Set(subs.map(\.name))
    func cut(_ value: JSON) -> JSON? {
      let members = value.objectValue?.members.filter { names.contains($0.key) } ?? []
      return members.isEmpty ? JSON?.none : .object(JSONObject(members))
    }
    if case .array(let elements) = member.value {
      let elements = elements.compactMap(cut)
      if !elements.isEmpty { shown.append(JSONObject.Member(key: member.key, value: .array(elements))) }
    } else if let value = cut(member.value) {
      shown.append(JSONObject.Member(key: member.key, value: value))
    }
  }
}
