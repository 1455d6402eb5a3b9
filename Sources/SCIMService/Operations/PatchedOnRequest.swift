import SCIMCore

extension PatchRequest {
  /// The paths of attributes with `returned: request` that operations give a value, for `Projection.sent`: the answer
  /// to a PATCH shows them like that to a POST or PUT (RFC 7643 section 7).
  static func requestPaths(in operations: [PatchOperation], type: ResourceType, profile: Profile) -> Set<String> {
    guard !type.isShownWhole else { return [] }
    var paths: Set<String> = []
    for operation in operations where operation.kind != .remove {
      guard let value = operation.value else { continue }
      let named =
        operation.path.map { [JSONObject.Member(key: $0, value: value)] } ?? value.objectValue?.members ?? []
      for member in named {
        guard let document = document(placing: member, type: type, profile: profile) else { continue }
        paths.formUnion(Projection.requestPaths(in: document, type: type))
      }
    }
    return paths
  }

  /// A document that holds nothing but the value, where its path says; nil where the path names no attribute.
  private static func document(
    placing member: JSONObject.Member, type: ResourceType, profile: Profile
  ) -> JSONObject? {
    func object(_ key: String, _ value: JSON) -> JSONObject { JSONObject([JSONObject.Member(key: key, value: value)]) }
    guard let path = try? PatchPath.parse(member.key, type: type, profile: profile) else { return nil }
    if let urn = path.extensionURN { return object(urn, member.value) }
    guard let reference = path.reference else { return nil }
    let value = reference.sub.map { JSON.object(object($0.name, member.value)) } ?? member.value
    let attribute = object(reference.attribute.name, value)
    switch reference.home {
    case .common: return nil
    case .core: return attribute
    case .extension(let urn): return object(urn, .object(attribute))
    }
  }
}
