import SCIMCore

/// Reads seed files and checks them against the format and the schemas, so that a bad one is refused whole.
struct SeedReader {
  static let format = "roster-seed/1"

  /// What every organisation has.
  let registry: SchemaRegistry
  /// What organisations have that are there already and have definitions of their own, by their names.
  var present: [String: SchemaRegistry] = [:]
  /// Checks one resource as a POST would; throws what a client would be told.
  let checkResource: (JSONObject, ResourceType) throws(SCIMError) -> Void

  /// Reads a file's text. `file` names it in errors.
  func read(_ bytes: [UInt8], file: String) throws(SeedError) -> SeedDocument {
    let json: JSON
    do {
      json = try JSON(parsing: bytes, limits: JSONLimits(depth: 40))
    } catch {
      throw SeedError(file: file, bytes: bytes, offset: error.offset, message: error.reason)
    }
    do {
      return try document(json)
    } catch {
      let offset = SeedLocator.offset(of: error.path, in: bytes)
      throw SeedError(file: file, bytes: bytes, offset: offset, path: error.path, message: error.message)
    }
  }

  private func document(_ json: JSON) throws(SeedFault) -> SeedDocument {
    let root = try object(json, at: SeedPath(), members: ["format", "organizations"])
    guard root["format"]?.stringValue == Self.format else {
      throw SeedFault(path: SeedPath() + "format", message: "\"format\" must be \"\(Self.format)\"")
    }
    let path = SeedPath() + "organizations"
    var organizations: [SeedOrganization] = []
    for (index, element) in try array(root["organizations"], at: path).enumerated() {
      let organization = try self.organization(element, at: path + index)
      guard !organizations.contains(where: { $0.name == organization.name }) else {
        throw SeedFault(path: path + index + "name", message: "this organisation stands in the file twice")
      }
      organizations.append(organization)
    }
    return SeedDocument(organizations: organizations)
  }

  private func organization(_ json: JSON, at path: SeedPath) throws(SeedFault) -> SeedOrganization {
    let object = try object(json, at: path, members: ["name", "catalog", "grants", "keys", "types", "resources"])
    let name = try text(object["name"], at: path + "name")
    guard OrganizationName.isValid(name) else {
      throw SeedFault(path: path + "name", message: OrganizationName.rule)
    }
    let catalog = try choice(object["catalog"], of: Organization.Catalog.self, at: path + "catalog") ?? .open
    let grants = object["grants"]?.boolValue ?? false
    guard object["grants"] == nil || object["grants"]?.boolValue != nil else {
      throw SeedFault(path: path + "grants", message: "must be true or false")
    }
    var keys: [SeedKey] = []
    if let list = object["keys"] {
      for (index, element) in try array(list, at: path + "keys").enumerated() {
        keys.append(try key(element, at: path + "keys" + index))
      }
    }
    let types =
      try object["types"].map { (json) throws(SeedFault) in
        try self.types(json, of: name, grants: grants, at: path + "types")
      } ?? []
    var resources: [SeedResource] = []
    if let given = object["resources"] {
      let registry = try self.registry(of: name, grants: grants, with: types, at: path + "types")
      resources = try self.resources(given, registry: registry, at: path + "resources")
    }
    return SeedOrganization(
      name: name, catalog: catalog, grants: grants, keys: keys, types: types, resources: resources)
  }

  private func types(
    _ json: JSON, of name: String, grants: Bool, at path: SeedPath
  ) throws(SeedFault) -> [TypeDescription] {
    var types: [TypeDescription] = []
    for (index, element) in try array(json, at: path).enumerated() {
      do throws(SchemaError) {
        types.append(try TypeDescription(element, name: ""))
      } catch {
        throw SeedFault(path: path + index, message: error.description)
      }
    }
    _ = try registry(of: name, grants: grants, with: types, at: path)
    return types
  }

  /// What the organisation has with the types that the file adds.
  private func registry(
    of name: String, grants: Bool, with types: [TypeDescription], at path: SeedPath
  ) throws(SeedFault) -> SchemaRegistry {
    let known = if let own = present[name] { own } else { try builtIn(grants: grants, at: path) }
    if let index = types.firstIndex(where: { !$0.isAddition && registry.type(named: $0.name) != nil }) {
      throw SeedFault(path: path + index, message: "\(types[index].name) is built in and cannot be changed")
    }
    let new = types.filter { !$0.isKnown(in: known) }
    if new.isEmpty { return known }
    do throws(SchemaError) {
      return try DefinitionLoader.load(TypeDescription.definitions(new, extending: registry), extending: known)
    } catch {
      throw SeedFault(path: path, message: error.description)
    }
  }

  private func builtIn(grants: Bool, at path: SeedPath) throws(SeedFault) -> SchemaRegistry {
    do throws(SchemaError) {
      return try GroupGrants.added(to: registry, where: grants)
    } catch {
      throw SeedFault(path: path, message: error.description)
    }
  }

  private func key(_ json: JSON, at path: SeedPath) throws(SeedFault) -> SeedKey {
    let object = try object(json, at: path, members: ["secret", "label", "role", "profile"])
    let secret = try text(object["secret"], at: path + "secret")
    guard secret.utf8.count >= 6, secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw SeedFault(
        path: path + "secret", message: "a secret must have at least 6 characters of visible ASCII, without blanks")
    }
    return SeedKey(
      secret: secret,
      label: try object["label"].map { json throws(SeedFault) in try text(json, at: path + "label") }
        ?? "seed",
      role: try choice(object["role"], of: KeyRole.self, at: path + "role") ?? .provisioner,
      profile: try choice(object["profile"], of: Profile.self, at: path + "profile") ?? .interop)
  }

  private func resources(
    _ json: JSON, registry: SchemaRegistry, at path: SeedPath
  ) throws(SeedFault) -> [SeedResource] {
    let byType = try object(json, at: path, members: registry.types.map(\.name), what: "resource type")
    var resources: [SeedResource] = []
    for type in SeedOrder.order(registry.types) {
      guard let list = byType[type.name] else { continue }
      var ids: Set<String> = []
      for (index, element) in try array(list, at: path + type.name).enumerated() {
        let resource = try self.resource(element, type: type, at: path + type.name + index)
        if let id = resource.id, !ids.insert(id).inserted {
          throw SeedFault(path: resource.path + "id", message: "this id stands in the list twice")
        }
        resources.append(resource)
      }
    }
    return resources
  }

  private func resource(_ json: JSON, type: ResourceType, at path: SeedPath) throws(SeedFault) -> SeedResource {
    guard var body = json.objectValue else { throw SeedFault(path: path, message: "must be an object") }
    var id: String?
    if let given = body["id"] {
      let value = try text(given, at: path + "id")
      guard value.utf8.count <= 64, value.utf8.allSatisfy({ Self.idBytes.contains($0) }) else {
        throw SeedFault(path: path + "id", message: "an id has at most 64 letters, digits, dots, hyphens, underscores")
      }
      id = value
      body["id"] = nil
    }
    if body["schemas"] == nil { body = Self.withSchemas(body, type: type) }
    do throws(SCIMError) {
      try checkResource(body, type)
    } catch {
      throw SeedFault(path: Self.place(of: error, in: body, at: path), message: error.detail)
    }
    return SeedResource(type: type, id: id, body: body, path: path)
  }

  private static let idBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_".utf8)

  /// The body with the `schemas` that its members call for.
  static func withSchemas(_ body: JSONObject, type: ResourceType) -> JSONObject {
    var schemas: [JSON] = [.string(type.schema.id)]
    for member in body.members {
      if let found = type.extension(urn: member.key) { schemas.append(.string(found.schema.id)) }
    }
    return JSONObject([JSONObject.Member(key: "schemas", value: .array(schemas))] + body.members)
  }

  /// The member that an error speaks of, where it names one; else the resource.
  static func place(of error: SCIMError, in body: JSONObject, at path: SeedPath) -> SeedPath {
    let words = error.detail.split { !($0.isLetter || $0.isNumber || $0 == "$" || $0 == "_") }
    for word in words {
      if body.members.contains(where: { $0.key == word }) { return path + String(word) }
    }
    let urn = body.members.first { $0.key.contains(":") && error.detail.contains($0.key) }
    return urn.map { path + $0.key } ?? path
  }

  // MARK: Parts of the document

  private func object(
    _ json: JSON?, at path: SeedPath, members known: [String], what: String = "member"
  ) throws(SeedFault) -> JSONObject {
    guard let object = json?.objectValue else { throw SeedFault(path: path, message: "must be an object") }
    if let unknown = object.members.first(where: { !known.contains($0.key) }) {
      let hint = Suggestion.sentence(Suggestion.nearest(to: unknown.key, among: known))
      throw SeedFault(path: path + unknown.key, message: "unknown \(what)\(hint)")
    }
    return object
  }

  private func array(_ json: JSON?, at path: SeedPath) throws(SeedFault) -> [JSON] {
    guard let array = json?.arrayValue else { throw SeedFault(path: path, message: "must be an array") }
    return array
  }

  private func text(_ json: JSON?, at path: SeedPath) throws(SeedFault) -> String {
    guard let text = json?.stringValue, !text.isEmpty else {
      throw SeedFault(path: path, message: "must be a text that is not empty")
    }
    return text
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ json: JSON?, of type: Choice.Type, at path: SeedPath
  ) throws(SeedFault) -> Choice? {
    guard let json else { return nil }
    guard let choice = json.stringValue.flatMap(Choice.init(rawValue:)) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw SeedFault(path: path, message: "must be one of \(names)")
    }
    return choice
  }
}
