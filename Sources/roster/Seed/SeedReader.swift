import SCIMCore

/// Reads seed files and checks them against the format and the schemas, so that one with a mistake is refused whole, with
/// all of its mistakes.
struct SeedReader {
  static let format = "roster-seed/1"

  /// What every organisation has.
  let registry: SchemaRegistry
  /// The registries of organisations that exist and have definitions of their own, by their names.
  var present: [String: SchemaRegistry] = [:]
  /// Looks at what resources refer to; shared by all files of a command.
  var links = SeedLinks()
  /// Checks one resource as a POST would; throws what a client would be told.
  let checkResource: (JSONObject, ResourceType) throws(SCIMError) -> Void

  /// Reads a file's text. `file` names it in errors.
  func read(_ bytes: [UInt8], file: String) throws(SeedErrors) -> SeedDocument {
    let json: JSON
    do {
      json = try JSON(parsing: bytes, limits: JSONLimits(depth: 40))
    } catch {
      throw SeedErrors([SeedError(file: file, bytes: bytes, offset: error.offset, message: error.reason(in: bytes))])
    }
    let members = SeedMembers()
    let document = document(json, members)
    guard members.faults.isEmpty else { throw SeedErrors(members.faults, file: file, bytes: bytes) }
    return document
  }

  private func document(_ json: JSON, _ members: SeedMembers) -> SeedDocument {
    var document = SeedDocument(organizations: [])
    if let foreign = SeedHints.foreign(json) {
      members.note(SeedPath(), foreign)
      return document
    }
    guard let root = members.object(json, at: SeedPath(), members: ["format", "organizations"]) else { return document }
    if root["format"]?.stringValue != Self.format {
      members.note(SeedPath() + "format", "\"format\" must be \"\(Self.format)\"")
    }
    let path = SeedPath() + "organizations"
    var places: [String: SeedPath] = [:]
    // One that is misspelt has been noted already.
    if root["organizations"] == nil, !members.faults.isEmpty { return document }
    for (index, element) in (members.array(root["organizations"], at: path) ?? []).enumerated() {
      guard let organization = organization(element, at: path + index, members) else { continue }
      if let other = places[organization.name] {
        members.note(path + index + "name", "the name must be unique in the file, and is also that of", other: other)
      }
      places[organization.name] = places[organization.name] ?? path + index
      document.organizations.append(organization)
    }
    return document
  }

  private func organization(_ json: JSON, at path: SeedPath, _ members: SeedMembers) -> SeedOrganization? {
    let known = ["name"] + SeedSettings.members + ["keys", "types", "resources"]
    guard let object = members.object(json, at: path, members: known) else { return nil }
    let name = members.text(object["name"], at: path + "name")
    if let name, !OrganizationName.isValid(name) { members.note(path + "name", OrganizationName.rule) }
    let keys = object["keys"].flatMap { members.array($0, at: path + "keys") } ?? []
    var organization = SeedOrganization(
      name: name ?? "", settings: SeedSettings(object, at: path, members),
      keys: keys.enumerated().compactMap { key($0.element, at: path + "keys" + $0.offset, members) }, types: [],
      resources: [], path: path)
    links.look(at: organization.keys, of: organization.name, members)
    let before = members.faults.count
    let types = object["types"].flatMap { members.array($0, at: path + "types") } ?? []
    var places: [SeedPath] = []
    for (index, element) in types.enumerated() {
      let place = path + "types" + index
      do throws(SchemaError) {
        organization.types.append(try TypeDescription(element, name: ""))
        places.append(place)
      } catch {
        for problem in error.problems {
          members.note(SeedTypeFaults.appending(problem.place, to: place), problem.message)
        }
      }
    }
    let registry = registry(of: organization, places, members)
    // What the types are meant to say is not known then, and every resource of them would seem wrong.
    guard members.faults.count == before, let registry else { return organization }
    if let resources = object["resources"] {
      links.begin(organization)
      let remarks = members.remarks.count
      organization.resources = self.resources(
        resources, of: organization.name, registry: registry, at: path + "resources", members)
      links.end(organization.name, members)
      organization.notes = Array(members.remarks.dropFirst(remarks))
    }
    return organization
  }

  /// What the organisation has with the types that the file adds; notes what is wrong with them.
  private func registry(
    of organization: SeedOrganization, _ places: [SeedPath], _ members: SeedMembers
  ) -> SchemaRegistry? {
    let path = organization.path + "types"
    let types = organization.types
    let faults = SeedTypeFaults(
      types: zip(types, places).map { (description: $0, path: $1) }, path: path, members: members)
    do throws(SchemaError) {
      let known =
        if let own = present[organization.name] { own } else {
          try registry.builtIn(for: organization.settings.schemaSettings)
        }
      var new = types.filter { !$0.isKnown(in: known) }
      for (type, place) in zip(types, places)
      where !type.isAddition && known.builtInType(named: type.name, of: registry) != nil {
        members.note(place, "\(type.name) is built in and cannot be changed")
        new.removeAll { $0.name == type.name && !$0.isAddition }
      }
      if new.isEmpty { return known }
      return try DefinitionLoader.load(TypeDescription.definitions(new, extending: registry), extending: known)
    } catch {
      faults.note(error)
      return nil
    }
  }

  private func key(_ json: JSON, at path: SeedPath, _ members: SeedMembers) -> SeedKey? {
    guard let object = members.object(json, at: path, members: ["secret", "label", "role", "profile"]) else {
      return nil
    }
    let secret = members.text(object["secret"], at: path + "secret")
    if let secret, secret.utf8.count < 6 || !secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      members.note(path + "secret", "a secret must have at least 6 characters of visible ASCII, without blanks")
    }
    return SeedKey(
      secret: secret ?? "",
      label: object["label"].flatMap { members.text($0, at: path + "label") } ?? "seed",
      role: members.choice(object["role"], of: KeyRole.self, at: path + "role") ?? .provisioner,
      profile: members.choice(object["profile"], of: Profile.self, at: path + "profile") ?? .interop, path: path)
  }

  private func resources(
    _ json: JSON, of organization: String, registry: SchemaRegistry, at path: SeedPath, _ members: SeedMembers
  ) -> [SeedResource] {
    guard
      let byType = members.object(json, at: path, members: registry.types.map(\.name), what: "resource type")
    else { return [] }
    let check = SeedResourceCheck(members: members, checkResource: checkResource)
    var collisions = SeedCollisions(hasUniqueExternalIDs: registry.settings.externalIDs == .unique)
    var resources: [SeedResource] = []
    for type in SeedOrder.order(registry.types) {
      let list = byType[type.name].flatMap { members.array($0, at: path + type.name) } ?? []
      for (index, element) in list.enumerated() {
        guard let resource = check.resource(element, type: type, at: path + type.name + index) else { continue }
        collisions.add(resource, members: members)
        links.look(at: resource, of: organization, registry: registry, members)
        resources.append(resource)
      }
    }
    return resources
  }

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
}
