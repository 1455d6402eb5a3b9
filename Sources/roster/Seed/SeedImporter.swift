import SCIMCore
import SCIMService
import Secrets
import Synchronization

/// Puts seeded organisations into a store. What exists already stays as it is, so that seeding twice changes nothing.
struct SeedImporter: Sendable {
  let registry: SchemaRegistry
  var hashPassword: @Sendable (String) throws(SCIMError) -> String = { (plain) throws(SCIMError) in
    try Passwords.hash(plain)
  }

  /// How many things were created and how many existed, and which of these differ from what the file says.
  struct Summary: Sendable {
    var organization: String
    var created = 0
    var unchanged = 0
    var differences: [SeedDifference] = []
    /// What was deleted under the id that the file gives, and is not created again.
    var deleted: [SeedPath] = []
    /// How many have nothing by which a further run would know them, and are created by each.
    var unrecognized = 0
  }

  /// Imports a whole document: in one transaction, all of it or nothing, where that is little; else in several, between
  /// which a server on the same file writes. Then what is refused leaves what came before it, and importing the corrected
  /// document goes on from there.
  ///
  /// - Parameter pause: called between two transactions.
  /// - Throws: `SeedFault` with the place of what the store refuses; `SCIMError` for what is not the document's fault.
  func importDocument(
    _ document: SeedDocument, into store: some Store, pause: () -> Void = Database.pause
  ) throws -> [Summary] {
    let hashes = try passwordHashes(of: document, in: store.makeReader())
    let place = Mutex<SeedResource?>(nil)
    do throws(SCIMError) {
      return try store.writeInStepsAndWait(from: SeedProgress(), pause: pause) {
        (transaction, progress) throws(SCIMError) in
        var progress = progress
        while progress.organization < document.organizations.count {
          try self.advance(&progress, document, hashes, in: transaction) { resource in
            place.withLock { $0 = resource }
          }
          if transaction.budget.spent >= SeedProgress.stepsPerTransaction { return .further(progress) }
        }
        return .done(progress.summaries)
      }
    } catch {
      throw Self.failure(error, at: place.withLock { $0 })
    }
  }

  /// What an import ends with: a fault with its place where the store refuses a resource; the error where the resource is
  /// not to blame, as for a full disk or a database that another process holds.
  static func failure(_ error: SCIMError, at resource: SeedResource?) -> any Error {
    guard let resource, isOfDocument(error) else { return error }
    return fault(error, at: resource)
  }

  /// True where another document would not have met the error.
  static func isOfDocument(_ error: SCIMError) -> Bool { error.status < 500 && error.kind != .tooManyRequests }

  /// What the store has against a resource, or against what stands before the resources.
  static func fault(_ error: SCIMError, at resource: SeedResource?) -> SeedFault {
    let path = resource.map { SeedReader.place(of: error, in: $0.body, at: $0.path) } ?? SeedPath()
    return SeedFault(path: path, message: error.detail)
  }

  /// Does the next piece of an import: an organisation with its types and keys, or one of its resources, or some members
  /// of a large group.
  func advance(
    _ progress: inout SeedProgress, _ document: SeedDocument, _ hashes: [String: String],
    in transaction: any StoreTransaction, at place: (SeedResource?) -> Void
  ) throws(SCIMError) {
    let seeded = document.organizations[progress.organization]
    guard var run = progress.run else {
      let organization = try self.organization(seeded.name, settings: seeded.settings, in: transaction)
      let made = try self.define(seeded.types, in: transaction.tenantTransaction(organization.id))
      var run = try SeedRun(organization, self, passwordHashes: hashes, in: transaction)
      run.summary.created += made
      run.summary.unchanged += seeded.types.count - made
      run.compare(seeded)
      try run.addKeys(seeded.keys, in: transaction)
      progress.run = run
      return
    }
    let tenant = transaction.tenantTransaction(run.organization.id)
    if run.hasMembersLeft {
      place(progress.resource > 0 ? seeded.resources[progress.resource - 1] : nil)
      try run.addMembers(in: tenant)
      place(nil)
    } else if progress.resource < seeded.resources.count {
      let resource = seeded.resources[progress.resource]
      place(resource)
      // Normalising it.
      try transaction.budget.take(5 * WriteCost.statement)
      try run.add(resource, in: tenant)
      place(nil)
      progress.resource += 1
    } else {
      progress.summaries.append(run.summary)
      progress.run = nil
      progress.resource = 0
      progress.organization += 1
      return
    }
    progress.run = run
  }

  /// The hashes of the passwords of those who do not exist yet, made before the store is written: each takes long on
  /// purpose.
  func passwordHashes(
    of document: SeedDocument, in reader: any StoreReader
  ) throws(SCIMError) -> [String: String] {
    defer { reader.release() }
    var hashes: [String: String] = [:]
    for seeded in document.organizations {
      let organization = try reader.organization(named: seeded.name)
      for resource in seeded.resources {
        let secrets = resource.type.schema.attributes.filter { $0.mutability == .writeOnly }.map(\.name)
        guard resource.body.members.contains(where: { member in secrets.contains { $0 == member.key } }),
          let plain = try ResourceNormalizer.normalize(.object(resource.body), type: resource.type, profile: .strict)
            .password, hashes[plain] == nil
        else { continue }
        if let organization {
          let tenant = reader.tenant(organization.id)
          let type = try tenant.registry().type(named: resource.type.name) ?? resource.type
          if try SeedRun.existing(resource.body, id: resource.id, type: type, in: tenant) != nil {
            continue
          }
        }
        hashes[plain] = try hashPassword(plain)
      }
    }
    return hashes
  }

  /// The organisation of that name, made where there is none.
  func organization(
    _ name: String, settings: SeedSettings = SeedSettings(), in transaction: any StoreTransaction
  ) throws(SCIMError) -> Organization {
    if let found = try transaction.organization(named: name) { return found }
    var organization = try transaction.createOrganization(
      name: name, catalog: settings.catalog ?? .open, grants: settings.grants ?? false)
    let made = organization
    settings.apply(to: &organization)
    if organization != made { try transaction.updateOrganization(organization) }
    return organization
  }

  /// Adds the types and extensions that the organisation does not have; gives how many there were.
  private func define(
    _ types: [TypeDescription], in transaction: any TenantTransaction
  ) throws(SCIMError) -> Int {
    let known = try transaction.registry()
    let new = types.filter { !$0.isKnown(in: known) }
    let writer = DefinitionWriter(base: registry)
    for description in new { _ = try writer.add(description, in: transaction) }
    return new.count
  }

  func writer(for organization: Organization, registry: SchemaRegistry) -> ResourceWriter {
    ResourceWriter(registry: registry, organization: organization, profile: .strict, hashPassword: hashPassword)
  }
}

/// How far an import has come.
struct SeedProgress: Sendable {
  /// So many steps are taken in one transaction before the next one begins.
  static let stepsPerTransaction = WorkBudget.writeLimit / 4

  /// The places of the organisation and of its resource that come next.
  var organization = 0
  var resource = 0
  /// Of the present organisation; nil where it has not begun.
  var run: SeedRun?
  var summaries: [SeedImporter.Summary] = []
}

/// The import of one organisation.
struct SeedRun: Sendable {
  /// A group is created with so many members at most; the others come behind.
  private static let membersAtOnce = 2000

  let organization: Organization
  private let writer: ResourceWriter
  private let passwordHashes: [String: String]
  private var references = SeedReferences()
  /// The members that the resource added last is still to get.
  private var left: (type: ResourceType, id: String, attribute: String, elements: [JSON])?
  private var occurrences = SeedOccurrences()
  private var typesBefore: [String: Bool] = [:]
  var summary: SeedImporter.Summary
  /// What the organisation has.
  var registry: SchemaRegistry { writer.registry }

  init(
    _ organization: Organization, _ importer: SeedImporter, passwordHashes: [String: String] = [:],
    in transaction: any StoreTransaction
  ) throws(SCIMError) {
    self.organization = organization
    self.passwordHashes = passwordHashes
    writer = importer.writer(for: organization, registry: try transaction.tenant(organization.id).registry())
    summary = SeedImporter.Summary(organization: organization.name)
  }

  /// Notes where the organisation is not set as the file says.
  mutating func compare(_ seeded: SeedOrganization) {
    let names = seeded.settings.differences(from: organization)
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
  mutating func add(_ seeded: SeedResource, in transaction: any TenantTransaction) throws(SCIMError) {
    // As the organisation has it, which may know more of it than the file does.
    let type = writer.registry.type(named: seeded.type.name) ?? seeded.type
    let occurrence = occurrences.next(seeded.body, of: type)?.index ?? 0
    let normalized = try writer.normalize(.object(references.resolve(seeded.body, type: type)), type: type)
    guard
      let found = try Self.existing(seeded.body, id: seeded.id, type: type, occurrence: occurrence, in: transaction)
    else {
      if let id = seeded.id, try transaction.wasDeleted(id: id) {
        return summary.deleted.append(seeded.path)
      }
      return try create(normalized, body: seeded.body, id: seeded.id, type: type, in: transaction)
    }
    references.add(id: found.id, body: seeded.body, type: type)
    if try resume(found, normalized, type: type, in: transaction) { return }
    summary.unchanged += 1
    guard let stored = try transaction.resource(id: found.id, type: type, links: .all) else {
      return
    }
    let names = SeedComparison.differences(of: normalized, from: stored, type: type)
    if !names.isEmpty { summary.differences.append(SeedDifference(path: seeded.path, attributes: names)) }
  }

  /// Adds a resource that was normalized outside the transaction, unless it was there before this run.
  mutating func add(
    _ resource: PreparedResource, in transaction: any TenantTransaction
  ) throws(SCIMError) {
    let type = resource.type
    let occurrence = occurrences.next(resource.body, of: type)?.index ?? 0
    if try hadSome(type, in: transaction),
      let found = try Self.existing(
        resource.body, id: resource.id, type: type, occurrence: occurrence, in: transaction)
    {
      references.add(id: found.id, body: resource.body, type: type)
      let resolved = references.resolve(resource.normalized, type: type)
      if try !resume(found, resolved, type: type, in: transaction) { summary.unchanged += 1 }
      return
    }
    try create(
      references.resolve(resource.normalized, type: type), body: resource.body, id: resource.id, type: type,
      in: transaction)
  }

  /// Whether there were resources of the type when this run came to the first of them.
  private mutating func hadSome(_ type: ResourceType, in transaction: any TenantTransaction) throws(SCIMError) -> Bool {
    if let known = typesBefore[type.name] { return known }
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: type, filter: nil)], window: .index(offset: 0, count: 0), links: .none)
    let had = try transaction.search(query).total > 0
    typesBefore[type.name] = had
    return had
  }

  private mutating func create(
    _ resource: NormalizedResource, body: JSONObject, id: String?, type: ResourceType,
    in transaction: any TenantTransaction
  ) throws(SCIMError) {
    var resource = resource
    var behind: [(attribute: String, elements: [JSONObject])] = []
    for link in type.links {
      guard case .members = link.kind, let elements = resource.links[link.attribute],
        elements.count > Self.membersAtOnce
      else { continue }
      resource.links[link.attribute] = Array(elements.prefix(Self.membersAtOnce))
      behind.append((link.attribute, Array(elements.dropFirst(Self.membersAtOnce))))
    }
    let stored = try writer.create(
      resource, type: type, id: id, passwordHashes: passwordHashes, in: transaction)
    references.add(id: stored.id, body: body, type: type)
    summary.created += 1
    if !Self.isRecognized(body, id: id, type: type) { summary.unrecognized += 1 }
    if let (attribute, elements) = behind.first {
      left = (type, stored.id, attribute, elements.map { .object($0) })
    }
  }

  /// Goes on with the members of a group that an interrupted run has left without some of them, which its version tells:
  /// it moves with each piece. False where the group is whole, or has been changed since.
  private mutating func resume(
    _ found: StoredResource, _ resource: NormalizedResource, type: ResourceType, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    for link in type.links {
      guard case .members = link.kind, let elements = resource.links[link.attribute],
        elements.count > Self.membersAtOnce
      else { continue }
      let count = try transaction.linkCount(
        owner: found.handle, attribute: link.attribute, limit: elements.count)
      guard count < elements.count, count > 0, Int64(count) == found.version * Int64(Self.membersAtOnce) else {
        return false
      }
      left = (type, found.id, link.attribute, elements.dropFirst(count).map { .object($0) })
      summary.created += 1
      return true
    }
    return false
  }

  /// True where the resource added last is to get more members first.
  var hasMembersLeft: Bool { left != nil }

  /// Adds some of the members that are left.
  mutating func addMembers(in transaction: any TenantTransaction) throws(SCIMError) {
    guard let (type, id, attribute, all) = left else { return }
    var elements = all
    let operation = PatchOperation(
      .add, path: attribute, value: .array(Array(elements.prefix(Self.membersAtOnce))))
    _ = try writer.patch([operation], type: type, id: id, precondition: .none, in: transaction)
    elements.removeFirst(min(Self.membersAtOnce, elements.count))
    left = elements.isEmpty ? nil : (type, id, attribute, elements)
  }

  /// Brings a body to its stored form; needs no transaction.
  func prepare(_ body: JSONObject, id: String?, type: ResourceType) throws(SCIMError) -> PreparedResource {
    // As the organisation has it, which may know more of it.
    let type = writer.registry.type(named: type.name) ?? type
    return PreparedResource(
      type: type, id: id, body: body, normalized: try writer.normalize(.object(body), type: type))
  }

  /// True where a further run knows the resource.
  private static func isRecognized(_ body: JSONObject, id: String?, type: ResourceType) -> Bool {
    if id != nil || !SeedReferences.names(in: body, of: type).isEmpty { return true }
    return type.isCatalog && type.schema.attribute(named: "displayName") != nil && body["displayName"] != nil
  }

  /// What the organisation has of a body already: by its id where the seed gives one, else by a value that is unique, else
  /// of the catalogue by its name.
  ///
  /// - Parameter occurrence: which of that name it is in its file, from 0: where several in the database have it, it is that
  ///   one of them, in the order of their creation.
  static func existing(
    _ body: JSONObject, id: String?, type: ResourceType, occurrence: Int = 0, in reader: any TenantReader
  ) throws(SCIMError) -> StoredResource? {
    if let id { return try reader.resource(id: id, type: type, links: .none) }
    // An `externalId` tells two apart only where nothing else does: several may have the same.
    let unique = SeedReferences.uniqueAttributes(of: type).filter { body[$0.name]?.stringValue != nil }
    let identifying = unique.filter { $0 !== CommonAttributes.externalId }
    for attribute in identifying.isEmpty ? unique : identifying {
      guard let value = body[attribute.name]?.stringValue else { continue }
      let literal = String(decoding: JSON.string(value).encoded(), as: UTF8.self)
      var text = "\(attribute.name) eq \(literal)"
      // Where others may have the name, that alone does not tell.
      if attribute.uniqueness == .none, attribute !== CommonAttributes.externalId,
        let externalID = body[CommonAttributes.externalId.name]
      {
        text += " and externalId eq \(String(decoding: externalID.encoded(), as: UTF8.self))"
      }
      let filter = try ResolvedFilter(parsing: text, type: type, profile: .strict)
      let query = SearchQuery(
        parts: [SearchQuery.Part(type: type, filter: filter)], window: .index(offset: 0, count: 1), links: .none)
      if let found = try reader.search(query).resources.first { return found }
    }
    guard unique.isEmpty, type.isCatalog, let display = type.schema.attribute(named: "displayName"),
      let name = body[display.name]?.stringValue
    else { return nil }
    let literal = String(decoding: JSON.string(name).encoded(), as: UTF8.self)
    let filter = try ResolvedFilter(parsing: "\(display.name) eq \(literal)", type: type, profile: .strict)
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: type, filter: filter)], window: .index(offset: occurrence, count: 1), links: .none)
    return try reader.search(query).resources.first
  }
}

/// A resource ready to be stored, with the body as seeded, which names it for others.
struct PreparedResource: Sendable {
  var type: ResourceType
  var id: String?
  var body: JSONObject
  var normalized: NormalizedResource
}
