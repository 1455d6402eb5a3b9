import SCIMCore

/// Reads the resources of a seed file, one at a time, and notes every mistake that it finds in them.
struct SeedResourceCheck {
  let members: SeedMembers
  /// Checks one resource as a POST would; throws what a client would be told.
  let checkResource: (JSONObject, ResourceType) throws(SCIMError) -> Void

  private static let idBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_".utf8)

  /// The resource; nil where it is no object.
  func resource(_ json: JSON, type: ResourceType, at path: SeedPath) -> SeedResource? {
    guard var body = json.objectValue else {
      members.note(path, "must be an object")
      return nil
    }
    let id = body["id"].flatMap { self.id($0, at: path + "id") }
    body["id"] = nil
    if body["schemas"] == nil { body = SeedReader.withSchemas(body, type: type) }
    check(body, type: type, at: path)
    return SeedResource(type: type, id: id, body: body, path: path)
  }

  private func id(_ json: JSON, at path: SeedPath) -> String? {
    guard let id = members.text(json, at: path) else { return nil }
    guard id.utf8.count <= 64, id.utf8.allSatisfy({ Self.idBytes.contains($0) }) else {
      members.note(path, "an id has at most 64 letters, digits, dots, hyphens, underscores")
      return nil
    }
    // RFC 7643 section 3.1.
    guard !ResourceID.isReserved(id) else {
      members.note(path, "an id must not contain \"bulkId\"")
      return nil
    }
    return id
  }

  /// Notes what is wrong with a body: first what a hint can be given for, then what the checks of a POST find in the rest,
  /// one member after the other.
  private func check(_ body: JSONObject, type: ResourceType, at path: SeedPath) {
    var rest = body
    for member in body.members {
      let place = path + member.key
      if let definition = type.extension(urn: member.key)?.schema, let content = member.value.objectValue {
        rest[member.key] = .object(checked(content, of: definition, at: place))
      } else if let attribute = type.schema.attribute(named: member.key) {
        guard let fault = SeedHints.shape(member.value, of: attribute, at: place) else { continue }
        members.note(fault.path, fault.message)
        rest[member.key] = nil
      } else if CommonAttributes.attribute(named: member.key) == nil, type.extension(urn: member.key) == nil {
        members.note(place, SeedHints.unknown(member.key, in: type))
        rest[member.key] = nil
      }
    }
    var left = Set(body.members.map(\.key)).subtracting(rest.members.map(\.key))
    for _ in 0...rest.members.count {
      do throws(SCIMError) {
        return try checkResource(rest, type)
      } catch {
        // What was taken out is not missing.
        if left.contains(where: { error.detail.hasPrefix($0 + ":") || error.detail.hasPrefix("'\($0)'") }) { return }
        let place = SeedReader.place(of: error, in: rest, at: path)
        members.note(place, Self.message(of: error, at: place))
        guard place.steps.count > path.steps.count, case .member(let name)? = place.steps.last, name != "schemas" else {
          return
        }
        rest[name] = nil
        left.insert(name)
      }
    }
  }

  /// What the error says, without the name of the attribute where the place ends with it.
  private static func message(of error: SCIMError, at place: SeedPath) -> String {
    guard case .member(let name)? = place.steps.last, error.detail.hasPrefix(name + ": ") else { return error.detail }
    return String(error.detail.dropFirst(name.count + 2))
  }

  /// The content of an extension without what it must not have.
  private func checked(_ content: JSONObject, of schema: SchemaDefinition, at path: SeedPath) -> JSONObject {
    var rest = content
    for member in content.members {
      let place = path + member.key
      if let attribute = schema.attribute(named: member.key) {
        guard let fault = SeedHints.shape(member.value, of: attribute, at: place) else { continue }
        members.note(fault.path, fault.message)
      } else {
        members.note(place, SeedHints.unknown(member.key, in: schema))
      }
      rest[member.key] = nil
    }
    return rest
  }
}
