import SCIMCore
import SCIMService
import Secrets
import Synchronization

/// Puts seeded organisations into a store. What exists already stays as it is, so that seeding twice changes nothing.
struct SeedImporter: Sendable {
  let registry: SchemaRegistry

  /// How many things were created and how many existed, and which of these differ from what the file says.
  struct Summary: Sendable {
    var organization: String
    var created = 0
    var unchanged = 0
    var differences: [SeedDifference] = []
  }

  /// Imports a whole document in one transaction: all of it or nothing.
  ///
  /// - Throws: `SeedFault` with the place of what the store refuses; `SCIMError` for what is not the document's fault.
  func importDocument(_ document: SeedDocument, into store: some Store) throws -> [Summary] {
    let place = Mutex<SeedResource?>(nil)
    do throws(SCIMError) {
      return try store.writeAndWait { (transaction) throws(SCIMError) in
        var summaries: [Summary] = []
        for seeded in document.organizations {
          let organization = try self.organization(
            seeded.name, catalog: seeded.catalog, grants: seeded.grants, in: transaction)
          let made = try self.define(seeded.types, in: organization, transaction)
          var run = try SeedRun(organization, self, in: transaction)
          run.summary.created += made
          run.summary.unchanged += seeded.types.count - made
          run.compare(seeded)
          try run.addKeys(seeded.keys, in: transaction)
          for resource in seeded.resources {
            place.withLock { $0 = resource }
            try run.add(resource, in: transaction)
            place.withLock { $0 = nil }
          }
          summaries.append(run.summary)
        }
        return summaries
      }
    } catch {
      if error.kind != .internalError, let resource = place.withLock({ $0 }) {
        let path = SeedReader.place(of: error, in: resource.body, at: resource.path)
        throw SeedFault(path: path, message: error.detail)
      }
      throw error
    }
  }

  /// The organisation of that name, made where there is none.
  func organization(
    _ name: String, catalog: Organization.Catalog, grants: Bool = false, in transaction: any StoreTransaction
  ) throws(SCIMError) -> Organization {
    if let found = try transaction.organization(named: name) { return found }
    return try transaction.createOrganization(name: name, catalog: catalog, grants: grants)
  }

  /// Adds the types and extensions that the organisation does not have; gives how many there were.
  private func define(
    _ types: [TypeDescription], in organization: Organization, _ transaction: any StoreTransaction
  ) throws(SCIMError) -> Int {
    let known = try transaction.registry(of: organization.id)
    let new = types.filter { !$0.isKnown(in: known) }
    let writer = DefinitionWriter(base: registry, organization: organization.id)
    for description in new { _ = try writer.add(description, in: transaction) }
    return new.count
  }

  func writer(for organization: Organization, registry: SchemaRegistry) -> ResourceWriter {
    ResourceWriter(registry: registry, organization: organization, profile: .strict, hashPassword: Passwords.hash)
  }
}

/// The import of one organisation.
struct SeedRun: Sendable {
  private let organization: Organization
  private let writer: ResourceWriter
  private var references = SeedReferences()
  private var typesBefore: [String: Bool] = [:]
  var summary: SeedImporter.Summary

  init(
    _ organization: Organization, _ importer: SeedImporter, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    self.organization = organization
    writer = importer.writer(for: organization, registry: try transaction.registry(of: organization.id))
    summary = SeedImporter.Summary(organization: organization.name)
  }

  /// Notes where the organisation is not set as the file says.
  mutating func compare(_ seeded: SeedOrganization) {
    var names: [String] = []
    if organization.catalog != seeded.catalog { names.append("catalog") }
    if organization.grants != seeded.grants { names.append("grants") }
    if !names.isEmpty { summary.differences.append(SeedDifference(path: seeded.path, attributes: names)) }
  }

  /// Adds the keys whose secrets no key has yet.
  mutating func addKeys(_ keys: [SeedKey], in transaction: any StoreTransaction) throws(SCIMError) {
    for seeded in keys {
      let digest = SecretDigest.sha256(seeded.secret)
      if let found = try transaction.key(digest: digest) {
        guard found.organization.id == organization.id else {
          throw SCIMError(.uniqueness, "a key of \(organization.name) is in use by another organisation")
        }
        summary.unchanged += 1
        var names: [String] = []
        if found.key.label != seeded.label { names.append("label") }
        if found.key.role != seeded.role { names.append("role") }
        if found.key.profile != seeded.profile { names.append("profile") }
        if !found.key.isValid(at: transaction.now) { names.append("validity") }
        if !names.isEmpty { summary.differences.append(SeedDifference(path: seeded.path, attributes: names)) }
        continue
      }
      let key = APIKey(
        id: KeyID.make(), organization: organization.id, label: seeded.label, role: seeded.role,
        profile: seeded.profile, created: transaction.now)
      try transaction.createKey(key, digest: digest)
      summary.created += 1
    }
  }

  /// Adds a resource unless the organisation has it: by its id where the seed gives one, else by a value that is
  /// unique. Notes where the one that it has differs.
  mutating func add(_ seeded: SeedResource, in transaction: any StoreTransaction) throws(SCIMError) {
    // As the organisation has it, which may know more of it than the file does.
    let type = writer.registry.type(named: seeded.type.name) ?? seeded.type
    let normalized = try writer.normalize(.object(references.resolve(seeded.body, type: type)), type: type)
    guard let found = try existing(seeded.body, id: seeded.id, type: type, in: transaction) else {
      return try create(normalized, body: seeded.body, id: seeded.id, type: type, in: transaction)
    }
    references.add(id: found.id, body: seeded.body, type: type)
    summary.unchanged += 1
    guard let stored = try transaction.resource(id: found.id, type: type, links: .all, in: organization.id) else {
      return
    }
    let names = SeedComparison.differences(of: normalized, from: stored, type: type)
    if !names.isEmpty { summary.differences.append(SeedDifference(path: seeded.path, attributes: names)) }
  }

  /// Adds a resource that was normalized outside the transaction, unless it was there before this run.
  mutating func add(
    _ resource: PreparedResource, in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let type = resource.type
    if try hadSome(type, in: transaction),
      let found = try existing(resource.body, id: resource.id, type: type, in: transaction)
    {
      references.add(id: found.id, body: resource.body, type: type)
      summary.unchanged += 1
      return
    }
    try create(
      references.resolve(resource.normalized, type: type), body: resource.body, id: resource.id, type: type,
      in: transaction)
  }

  /// Whether there were resources of the type when this run came to the first of them.
  private mutating func hadSome(_ type: ResourceType, in transaction: any StoreTransaction) throws(SCIMError) -> Bool {
    if let known = typesBefore[type.name] { return known }
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: type, filter: nil)], window: .index(offset: 0, count: 0), links: .none)
    let had = try transaction.search(query, in: organization.id).total > 0
    typesBefore[type.name] = had
    return had
  }

  private mutating func create(
    _ resource: NormalizedResource, body: JSONObject, id: String?, type: ResourceType,
    in transaction: any StoreTransaction
  ) throws(SCIMError) {
    let stored = try writer.create(resource, type: type, id: id, in: transaction)
    references.add(id: stored.id, body: body, type: type)
    summary.created += 1
  }

  /// Brings a body to its stored form; needs no transaction.
  func prepare(_ body: JSONObject, id: String?, type: ResourceType) throws(SCIMError) -> PreparedResource {
    // As the organisation has it, which may know more of it.
    let type = writer.registry.type(named: type.name) ?? type
    return PreparedResource(
      type: type, id: id, body: body, normalized: try writer.normalize(.object(body), type: type))
  }

  private func existing(
    _ body: JSONObject, id: String?, type: ResourceType, in transaction: any StoreTransaction
  ) throws(SCIMError) -> StoredResource? {
    if let id { return try transaction.resource(id: id, type: type, links: .none, in: organization.id) }
    // An `externalId` tells two apart only where nothing else does: several may have the same.
    let unique = SeedReferences.uniqueAttributes(of: type).filter { body[$0.name]?.stringValue != nil }
    let identifying = unique.filter { $0 !== CommonAttributes.externalId }
    for attribute in identifying.isEmpty ? unique : identifying {
      guard let value = body[attribute.name]?.stringValue else { continue }
      let literal = String(decoding: JSON.string(value).encoded(), as: UTF8.self)
      let filter = try ResolvedFilter(parsing: "\(attribute.name) eq \(literal)", type: type, profile: .strict)
      let query = SearchQuery(
        parts: [SearchQuery.Part(type: type, filter: filter)], window: .index(offset: 0, count: 1), links: .none)
      if let found = try transaction.search(query, in: organization.id).resources.first { return found }
    }
    return nil
  }
}

/// A resource ready to be stored, with the body as seeded, which names it for others.
struct PreparedResource: Sendable {
  var type: ResourceType
  var id: String?
  var body: JSONObject
  var normalized: NormalizedResource
}
