import SCIMCore
import SCIMService

/// Finds in seed files what refers to nothing, by the rules of the writes themselves: members that nobody is, and roles and
/// entitlements that a closed catalogue lacks. What a resource may refer to stands before it in the order in which they
/// are written, or in the database.
final class SeedLinks {
  /// Of the database; nil where there is none yet.
  private let reader: (any StoreReader)?
  private var organizations: [String: SeedWorld] = [:]
  /// What the database could not do.
  private(set) var failure: SCIMError?

  init(reader: (any StoreReader)? = nil) {
    self.reader = reader
    reader?.budget = .unlimited
  }

  /// Makes the organisation known, before its resources are looked at.
  func begin(_ organization: SeedOrganization) {
    guard organizations[organization.name] == nil else { return }
    tryReading { () throws(SCIMError) in
      let stored = try reader?.organization(named: organization.name)
      // The settings of one that exists are not changed by the file.
      let catalog = stored?.catalog ?? organization.settings.catalog ?? .open
      organizations[organization.name] = SeedWorld(
        catalog: catalog, stored: stored.flatMap { reader?.tenant($0.id) })
    }
  }

  /// Notes what the resource refers to and is not there; from then on it is there for others.
  func look(at resource: SeedResource, of organization: String, registry: SchemaRegistry, _ members: SeedMembers) {
    guard let world = organizations[organization] else { return }
    tryReading { () throws(SCIMError) in
      let found = try world.existing(resource)
      // What exists is left as it is.
      if found == nil {
        for link in resource.type.links {
          try look(at: link, of: resource, in: world, registry, members)
        }
      }
      world.add(resource, id: found)
    }
  }

  private func look(
    at link: LinkDefinition, of resource: SeedResource, in world: SeedWorld, _ registry: SchemaRegistry,
    _ members: SeedMembers
  ) throws(SCIMError) {
    guard let (sent, path) = resource.member(link), case .array(let elements) = sent.value else { return }
    for (index, element) in elements.enumerated() {
      guard case .object(let object) = element else { continue }
      let place = path + sent.key + index
      let value = object.member(ignoringCase: "value")
      let type = object.member(ignoringCase: "type")?.value.stringValue ?? ""
      switch link.kind {
      case .memberOf: return
      case .members(let types):
        guard let value, let name = value.value.stringValue, !name.isEmpty else { continue }
        // A name is read under the attribute's own spelling alone, an id always.
        let id = sent.key == link.name ? world.references.resolve(element)?["value"]?.stringValue ?? name : name
        let candidates = registry.types.filter { types.contains($0.name) }.candidates(named: type, isTyped: true)
        guard try !world.isResource(id, of: candidates) else { continue }
        members.note(
          place + value.key,
          "names '\(DisplayWidth.shortened(name, to: 80))', which is no resource before it in the file"
            + (world.isStored ? ", and no id in the database" : ""))
      case .catalog(let schema):
        guard world.catalog == .closed, object.members.contains(where: { $0.value != .null }) else { continue }
        let name = value?.value.stringValue ?? ""
        let types = registry.catalogTypes(schema: schema)
        let isTyped = types.contains { $0.schema.attribute(named: "type") != nil }
        let candidates = types.candidates(named: type, isTyped: isTyped)
        guard try !world.isInCatalog(name, of: candidates) else { continue }
        let what = name.isEmpty ? "an element without a value" : "'\(DisplayWidth.shortened(name, to: 80))'"
        members.note(
          value.map { place + $0.key } ?? place,
          "names \(what), which is not in the catalogue of this organisation, and that is closed")
      }
    }
  }

  private func tryReading(_ body: () throws(SCIMError) -> Void) {
    do throws(SCIMError) {
      try body()
    } catch {
      failure = failure ?? error
    }
  }
}

extension SeedResource {
  /// The member of the body that a link is read from, and the place of what it stands in.
  fileprivate func member(_ link: LinkDefinition) -> (JSONObject.Member, SeedPath)? {
    guard let urn = link.extensionURN else { return body.member(ignoringCase: link.name).map { ($0, path) } }
    guard let content = body.member(ignoringCase: urn), case .object(let object) = content.value else { return nil }
    return object.member(ignoringCase: link.name).map { ($0, path + content.key) }
  }
}

extension JSONObject {
  fileprivate func member(ignoringCase name: String) -> Member? {
    members.first { ASCII.equalIgnoringCase($0.key, name) }
  }
}
