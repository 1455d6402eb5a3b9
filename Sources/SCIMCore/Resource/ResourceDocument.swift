/// What holds for the stored document of every resource.
public enum ResourceDocument {
  /// The value of `schemas` for what the document holds: the base URN, then the URN of each extension that has
  /// content, in the type's order.
  public static func schemas(for document: JSONObject, type: ResourceType) -> JSON {
    var urns: [JSON] = [.string(type.schema.id)]
    for definition in type.extensions where hasContent(document[definition.schema.id]) {
      urns.append(.string(definition.schema.id))
    }
    return .array(urns)
  }

  /// The document in the order in which it is stored: `schemas`, recomputed, then `externalId`, the attributes in
  /// schema order and the extensions in the type's. Empty extensions and names that the type does not have are left
  /// out; the values of attributes are not touched.
  ///
  /// To be called on what a change leaves, so that equal documents have equal bytes.
  public static func ordered(_ document: JSONObject, type: ResourceType) -> JSONObject {
    var members = [JSONObject.Member(key: "schemas", value: schemas(for: document, type: type))]
    members.reserveCapacity(document.members.count + 1)
    func move(_ name: String, from source: inout MemberFinder, to members: inout [JSONObject.Member]) {
      if let value = source.value(of: name) { members.append(JSONObject.Member(key: name, value: value)) }
    }
    var source = MemberFinder(document)
    move(CommonAttributes.externalId.name, from: &source, to: &members)
    for definition in type.schema.attributes where !definition.isCommon {
      move(definition.name, from: &source, to: &members)
    }
    for definition in type.extensions {
      guard let content = document[definition.schema.id]?.objectValue, !content.isEmpty else { continue }
      var inner: [JSONObject.Member] = []
      inner.reserveCapacity(content.members.count)
      var source = MemberFinder(content)
      for attribute in definition.schema.attributes { move(attribute.name, from: &source, to: &inner) }
      members.append(JSONObject.Member(key: definition.schema.id, value: .object(JSONObject(inner))))
    }
    return JSONObject(members)
  }

  /// The document of a POST or PUT with the attributes that a resource of the type always has: where it lacks one, the
  /// value of the state before, or else the default of the type.
  public static func completed(_ document: JSONObject, from old: JSONObject?, type: ResourceType) -> JSONObject {
    var document = document
    for (name, value) in type.defaults where document[name] == nil {
      let rank = type.schema.place(of: name) ?? 0
      let position =
        document.members.firstIndex { member in
          type.schema.place(of: member.key).map { $0 > rank } ?? (type.extension(urn: member.key) != nil)
        } ?? document.members.count
      document.members.insert(JSONObject.Member(key: name, value: old?[name] ?? value), at: position)
    }
    return document
  }

  private static func hasContent(_ value: JSON?) -> Bool {
    guard let object = value?.objectValue else { return false }
    return !object.isEmpty
  }
}
