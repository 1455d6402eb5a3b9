import SCIMCore
import SCIMService
import Secrets

/// Finds in seed files what refers to nothing, by the rules of the writes themselves: members that do not exist, and roles
/// and entitlements that a closed catalogue lacks; and what a reference such as `manager` names. What a resource may refer to stands before it in the order in which they
/// are written, or in the database.
final class SeedLinks {
  /// Of the database; nil where there is none yet.
  private let reader: (any StoreReader)?
  private var organizations: [String: SeedWorld] = [:]
  private var pending: [Pending] = []
  /// The organisations that have keys, by the digests of the secrets.
  private var keyOwners: [[UInt8]: String] = [:]
  /// What the database could not do.
  private(set) var failure: SCIMError?

  init(reader: (any StoreReader)? = nil) {
    self.reader = reader
    reader?.budget = .unlimited
  }

  /// Makes the organisation known, before its resources are looked at.
  func begin(_ organization: SeedOrganization) {
    if let known = organizations[organization.name] { return known.beginFile() }
    tryReading { () throws(SCIMError) in
      let stored = try reader?.organization(named: organization.name)
      // The settings of one that exists are not changed by the file.
      let catalog = stored?.catalog ?? organization.settings.catalog ?? .open
      organizations[organization.name] = SeedWorld(
        catalog: catalog, stored: stored.flatMap { reader?.tenant($0.id) })
    }
  }

  /// Notes keys whose secrets another organisation uses, in the files so far or in the database.
  func look(at keys: [SeedKey], of organization: String, _ members: SeedMembers) {
    for key in keys where !key.secret.isEmpty {
      let digest = SecretDigest.sha256(key.secret)
      tryReading { () throws(SCIMError) in
        var owner = keyOwners[digest]
        if owner == nil { owner = try reader?.key(digest: digest)?.organization.name }
        keyOwners[digest] = owner ?? organization
        if let owner, owner != organization {
          members.note(key.path + "secret", "a key with this secret is in use by another organisation")
        }
      }
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
        try lookAtReferences(of: resource, in: world, registry)
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
        let count = try world.catalogCount(name, of: candidates)
        guard count != 1 else { continue }
        let excerpt = DisplayWidth.shortened(name, to: 80)
        let what = name.isEmpty ? "an element without a value" : "'\(excerpt)'"
        let reason = CatalogRefusal.reason(
          name: excerpt, type: type, types: types, candidates: candidates, count: count)
        members.note(
          value.map { place + $0.key } ?? place,
          reason ?? "names \(what), which is not in the catalogue of this organisation, and that is closed")
      }
    }
  }

  /// A reference that names nothing so far.
  private struct Pending {
    var element: JSON
    var name: String
    /// False where the value is spelt otherwise than its attribute, and so read as an id alone.
    var mayBeName: Bool
    var candidates: [ResourceType]
    var place: SeedPath
  }

  /// Keeps in mind what references name that is not there; it may stand later in the file.
  private func lookAtReferences(
    of resource: SeedResource, in world: SeedWorld, _ registry: SchemaRegistry
  ) throws(SCIMError) {
    for (attribute, sent, path) in resource.references {
      let elements = sent.value.arrayValue ?? [sent.value]
      for (index, element) in elements.enumerated() {
        guard case .object(let object) = element, let value = object.member(ignoringCase: "value"),
          let name = value.value.stringValue, !name.isEmpty
        else { continue }
        let types = attribute.subAttribute(named: "$ref")?.referenceTypes ?? []
        let place = path + sent.key
        let one = Pending(
          element: element, name: name, mayBeName: sent.key == attribute.name && value.key == "value",
          candidates: registry.types.filter { types.contains($0.name) },
          place: (sent.value.arrayValue == nil ? place : place + index) + value.key)
        if try id(of: one, in: world) == nil { pending.append(one) }
      }
    }
  }

  /// The id of what a reference names; nil where there is no such resource yet.
  private func id(of one: Pending, in world: SeedWorld) throws(SCIMError) -> String? {
    let id = one.mayBeName ? world.references.resolve(one.element)?["value"]?.stringValue ?? one.name : one.name
    return try world.isResource(id, of: one.candidates) ? id : nil
  }

  /// Judges the references of an organisation once all its resources have been looked at: what stands later in the file
  /// is found by its id alone. What nobody is called is kept as it is sent, since a manager need not be a resource.
  func end(_ organization: String, _ members: SeedMembers) {
    let left = pending
    pending = []
    guard let world = organizations[organization] else { return }
    tryReading { () throws(SCIMError) in
      for one in left {
        let name = DisplayWidth.shortened(one.name, to: 80)
        switch try id(of: one, in: world) {
        case one.name?: break
        case _?:
          members.note(
            one.place,
            "names '\(name)', which does not stand before it in the file; move that before this one, or give it an id and"
              + " name it by that")
        case nil:
          members.remark(
            one.place,
            "names '\(name)', which is no resource of the file" + (world.isStored ? ", and no id in the database" : "")
              + "; it is kept as sent")
        }
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

  /// The references of the body that are no links, such as `manager`, and the places of what they stand in.
  fileprivate var references: [(attribute: AttributeDefinition, member: JSONObject.Member, path: SeedPath)] {
    var found: [(AttributeDefinition, JSONObject.Member, SeedPath)] = []
    for content in body.members {
      guard let schema = type.extension(urn: content.key)?.schema, let object = content.value.objectValue else {
        continue
      }
      for attribute in schema.attributes
      where SeedReferences.refersToResources(attribute) && type.link(for: schema.id + ":" + attribute.name) == nil {
        guard let member = object.member(ignoringCase: attribute.name) else { continue }
        found.append((attribute, member, path + content.key))
      }
    }
    return found
  }
}

extension JSONObject {
  fileprivate func member(ignoringCase name: String) -> Member? {
    members.first { ASCII.equalIgnoringCase($0.key, name) }
  }
}
