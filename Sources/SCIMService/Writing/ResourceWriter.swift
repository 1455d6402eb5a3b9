import SCIMCompat
import SCIMCore

/// Creates, replaces, changes and deletes the resources of one organisation inside a transaction of the store.
///
/// The one way in which resources are written: HTTP operations, Bulk and the seed use it alike. A body is brought to
/// its stored form outside the transaction (`normalize`), since that needs no store; links are resolved inside.
public struct ResourceWriter: Sendable {
  /// The longest document that a resource may have, in bytes, however it comes to be: by PATCH it could otherwise grow
  /// with every request.
  public static let maximumDocumentSize = 1 << 20

  public let registry: SchemaRegistry
  public let organization: Organization
  public let profile: Profile
  /// The base of the URIs that clients see: a PATCH may repeat one of them.
  let baseURL: String
  /// Hashes a password; called inside the transaction only for one that `passwordHashes` lacks.
  let hashPassword: @Sendable (String) throws(SCIMError) -> String

  public init(
    registry: SchemaRegistry, organization: Organization, profile: Profile, baseURL: String = "",
    hashPassword: @escaping @Sendable (String) throws(SCIMError) -> String
  ) {
    self.baseURL = baseURL
    self.registry = registry
    self.organization = organization
    self.profile = profile
    self.hashPassword = hashPassword
  }

  /// Brings the body of a POST or PUT to its stored form and validates it.
  public func normalize(_ body: JSON, type: ResourceType) throws(SCIMError) -> NormalizedResource {
    let mended = Compat.resource(body, type: type, profile: profile)
    let resource = try ResourceNormalizer.normalize(mended, type: type, profile: profile)
    try ResourceValidator.validate(document: resource.document, links: resource.links, type: type)
    try ResourceSize.check(resource, type: type)
    return resource
  }

  /// Stores a new resource with its links.
  ///
  /// - Parameter id: the id where the seed gives one; nil makes a new one.
  /// - Parameter prepared: the document made ready outside the transaction; taken where links leave it as it is.
  /// - Parameter passwordHashes: hashes made outside the transaction, by the password as sent.
  /// - Throws: `uniqueness`, or `invalidValue` for links that cannot be made.
  public func create(
    _ resource: NormalizedResource, type: ResourceType, id: String? = nil, prepared: PreparedDocument? = nil,
    passwordHashes: [String: String] = [:], in transaction: any TenantTransaction
  ) throws(SCIMError) -> StoredResource {
    try transaction.budget.take(WriteCost.change + WriteCost.attributes(of: type))
    var isAsPrepared = true
    var document = ResourceDocument.completed(resource.document, from: nil, type: type)
    var catalog: [(attribute: String, resolution: CatalogLinker.Resolution)] = []
    var members: [(linker: MembershipLinker, targets: [LinkTarget])] = []
    for link in type.links {
      guard let elements = resource.links[link.attribute], !elements.isEmpty else { continue }
      switch link.kind {
      case .catalog(let schema):
        let resolution = try catalogLinker.resolve(
          elements, attribute: link.attribute, schema: schema, in: transaction)
        if !resolution.unlinked.isEmpty {
          document = StoredDocument.placing(resolution.unlinked, link: link, in: document, type: type)
          isAsPrepared = false
        }
        catalog.append((link.attribute, resolution))
      case .members(let types):
        let linker = membershipLinker(link.attribute, types: types)
        try linker.check(elements, ofNew: id ?? prepared?.id, type.name)
        members.append((linker, try linker.targets(of: elements, in: transaction)))
      case .memberOf: continue
      }
    }
    let hash = try resource.password.map { (plain) throws(SCIMError) in try self.hash(plain, prepared: passwordHashes) }
    let made =
      isAsPrepared
      ? prepared ?? PreparedDocument(document, id: id, type: type, settings: registry.settings)
      : PreparedDocument(document, id: id, reservedID: prepared?.id, type: type, settings: registry.settings)
    let stored = try transaction.create(made, type: type, passwordHash: hash)
    try Self.checkSize(of: stored)
    for (attribute, resolution) in catalog {
      for (target, extra) in resolution.linked {
        _ = try transaction.link(
          owner: stored.handle, attribute: attribute, target: target.handle, extra: extra)
        try AssignmentLimits.check(
          target, attribute: attribute, registry: registry, transaction)
      }
    }
    try containment(transaction).check(stored, from: nil, to: document, type: type)
    for (linker, targets) in members {
      _ = try linker.link(owner: stored.handle, ownerType: type.name, to: targets, in: transaction)
    }
    return stored
  }

  /// Puts a resource's state in the place of the present one (RFC 7644 section 3.5.1).
  ///
  /// - Returns: nil where the organisation has no such resource.
  /// - Throws: `preconditionFailed`, `mutability` for a changed immutable attribute, and what `create` throws.
  public func replace(
    _ resource: NormalizedResource, type: ResourceType, id: String, passwordHashes: [String: String] = [:],
    precondition: Precondition, in transaction: any TenantTransaction
  ) throws(SCIMError) -> StoredResource? {
    guard let current = try present(id, type: type, in: transaction) else { return nil }
    try precondition.check(current)
    let old = try StoredDocument.parse(current)
    let document = StoredDocument.keepingWriteOnly(
      of: old, in: ResourceDocument.completed(resource.document, from: old, type: type), type: type)
    try ResourceValidator.checkImmutable(old: old, new: document, type: type)
    var change = ResourceChange(current: current, type: type, old: old, document: document)
    for link in type.links {
      let elements = resource.links[link.attribute] ?? []
      switch link.kind {
      case .catalog(let schema):
        let present = UnmatchedElements((old[link]?.arrayValue ?? []).compactMap(\.objectValue))
        try apply(
          elements, link: link, schema: schema, present: present, untouched: .init(), to: &change, in: transaction)
      case .members(let types):
        let linker = membershipLinker(link.attribute, types: types)
        let targets = try linker.targets(of: elements, in: transaction)
        let moved = try linker.replace(
          owner: current.handle, ownerType: type.name, with: targets, in: transaction)
        if !moved.added.isEmpty || !moved.removed.isEmpty { change.linksChanged = true }
      case .memberOf: continue
      }
    }
    if let plain = resource.password { change.password = .set(hash: try hash(plain, prepared: passwordHashes)) }
    return try finish(change, in: transaction)
  }

  /// Applies PATCH operations to a resource (RFC 7644 section 3.5.2): all of them, or none.
  ///
  /// - Returns: nil where the organisation has no such resource.
  public func patch(
    _ operations: [PatchOperation], type: ResourceType, id: String, passwordHashes: [String: String] = [:],
    precondition: Precondition, in transaction: any TenantTransaction
  ) throws(SCIMError) -> StoredResource? {
    let budget = transaction.budget
    let catalogAttributes = type.catalogLinks
    guard let current = try present(id, type: type, in: transaction) else { return nil }
    try precondition.check(current)
    let old = try StoredDocument.parse(current)
    var materialized = old
    var unmatched: [String: [JSONObject]] = [:]
    // The ids of what is linked or assigned: an element that is called so is no other.
    var linkedIDs: [String: Set<String>] = [:]
    for link in type.links where catalogAttributes.contains(link.attribute) {
      let stored = (old[link]?.arrayValue ?? []).compactMap(\.objectValue)
      unmatched[link.attribute] = stored
      linkedIDs[link.attribute] = Set(current.links.filter { $0.attribute == link.attribute }.map(\.id))
      let linked = current.links.filter { $0.attribute == link.attribute }.map {
        JSON.object(renderer.element($0, link.kind, registry: registry))
      }
      materialized = StoredDocument.placing(
        linked + stored.map { .object($0) }, link: link, in: materialized, type: type)
    }
    let outcome = try Patcher.apply(
      operations, to: materialized, type: type, profile: profile, id: id, budget: budget,
      rendered: { () throws(SCIMError) in try self.rendered(current, type: type, in: transaction) },
      catalog: { (link, elements) throws(SCIMError) in
        let entries = try self.entries(elements, link: link, in: transaction)
        linkedIDs[link.attribute, default: []].formUnion(entries.compactMap { $0?["value"]?.stringValue })
        return entries
      })
    var document = outcome.document
    var change = ResourceChange(current: current, type: type, old: old, document: document)
    var catalogElements: [String: [JSONObject]] = [:]
    for link in type.links where catalogAttributes.contains(link.attribute) {
      catalogElements[link.attribute] = (document[link]?.arrayValue ?? []).compactMap(\.objectValue)
      document = StoredDocument.placing([], link: link, in: document, type: type)
    }
    try ResourceValidator.validate(document: document, links: catalogElements, type: type)
    try ResourceSize.check(outcome.document, was: materialized, type: type)
    change.document = document
    for link in type.links {
      switch link.kind {
      case .catalog(let schema):
        // What was assigned and names something has its id by now; the others stay as they are.
        let ids = linkedIDs[link.attribute] ?? []
        let present = unmatched[link.attribute] ?? []
        let untouched = present.filter { $0["value"]?.stringValue.map(ids.contains) != true }
        try apply(
          catalogElements[link.attribute] ?? [], link: link, schema: schema, present: UnmatchedElements(present),
          untouched: UnmatchedElements(untouched), to: &change, in: transaction)
      case .members(let types):
        let linker = membershipLinker(link.attribute, types: types)
        var balance = LinkBalance()
        for step in outcome.membership[link.attribute] ?? [] {
          try apply(
            step, linker: linker, to: current, type: type, balance: &balance, in: transaction)
        }
        if balance.isChanged { change.linksChanged = true }
      case .memberOf: continue
      }
    }
    switch outcome.password {
    case .keep: break
    case .clear: change.password = .clear
    case .set(let plain): change.password = .set(hash: try hash(plain, prepared: passwordHashes))
    }
    return try finish(change, in: transaction)
  }

  /// What became of a deletion.
  public enum Deletion: Sendable {
    case done
    /// The organisation has no such resource.
    case absent
    /// So many resources refer to it, or it to so many, that it takes another transaction, with `deleteFurther`.
    case unfinished
  }

  /// Deletes a resource, or begins to.
  public func delete(
    type: ResourceType, id: String, precondition: Precondition, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Deletion {
    guard let current = try transaction.resource(id: id, type: type, links: .none) else {
      return .absent
    }
    try precondition.check(current)
    return try transaction.delete(current, type: type) ? .done : .unfinished
  }

  /// Goes on with a deletion that was begun, perhaps by other definitions.
  public static func deleteFurther(
    type: String, id: String, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Deletion {
    guard let type = try transaction.registry().type(named: type),
      let current = try transaction.resource(id: id, type: type, links: .none)
    else { return .absent }
    return try transaction.delete(current, type: type) ? .done : .unfinished
  }
}

extension ResourceWriter {
  /// A change in the making: what is to be stored, and whether links moved already.
  private struct ResourceChange {
    var current: StoredResource
    var type: ResourceType
    var old: JSONObject
    var document: JSONObject
    var password: PasswordChange = .keep
    var linksChanged = false
  }

  private var renderer: ResourceRenderer { ResourceRenderer(baseURL: baseURL) }

  private var catalogLinker: CatalogLinker { CatalogLinker(organization: organization, registry: registry) }

  private func containment(_ transaction: any TenantTransaction) -> Containment {
    Containment(registry: registry, transaction: transaction)
  }

  private func membershipLinker(_ attribute: String, types: [String]) -> MembershipLinker {
    MembershipLinker(
      attribute: attribute, types: types.compactMap { registry.type(named: $0) },
      isLenient: profile.isLenient)
  }

  private func hash(_ password: String, prepared: [String: String]) throws(SCIMError) -> String {
    if let hash = prepared[password] { return hash }
    return try hashPassword(password)
  }

  /// What elements of a catalogue attribute name, each as a link to it is shown; nil where it names nothing.
  private func entries(
    _ elements: [JSONObject], link: LinkDefinition, in transaction: any TenantTransaction
  ) throws(SCIMError) -> [JSONObject?] {
    guard case .catalog(let schema) = link.kind else { return elements.map { _ in nil } }
    return try catalogLinker.targets(of: elements, schema: schema, in: transaction).map { target in
      target.map {
        renderer.element(
          LinkElement(
            attribute: link.attribute, handle: $0.handle,
            end: LinkEnd(type: $0.type, id: $0.id, display: $0.display)),
          link.kind, registry: registry)
      }
    }
  }

  /// Makes the catalogue links of one attribute what the elements say.
  private func apply(
    _ elements: [JSONObject], link: LinkDefinition, schema: String, present had: UnmatchedElements,
    untouched: UnmatchedElements, to change: inout ResourceChange, in transaction: any TenantTransaction
  ) throws(SCIMError) {
    let attribute = link.attribute
    let resolution = try catalogLinker.resolve(
      elements, attribute: attribute, schema: schema, present: had, untouched: untouched, in: transaction)
    change.document = StoredDocument.placing(
      resolution.unlinked, link: link, in: change.document, type: change.type)
    let owner = change.current.handle
    let present = change.current.links.filter { $0.attribute == attribute }
    let wanted = Set(resolution.linked.map(\.target.handle))
    let gone = present.map(\.handle).filter { !wanted.contains($0) }
    if try !transaction.unlink(owner: owner, attribute: attribute, targets: gone).isEmpty {
      change.linksChanged = true
    }
    let extras = Dictionary(present.map { ($0.handle, $0.extra) }, uniquingKeysWith: { first, _ in first })
    for (target, extra) in resolution.linked {
      let before = extras[target.handle]
      if before == extra { continue }
      _ = try transaction.link(
        owner: owner, attribute: attribute, target: target.handle, extra: extra)
      change.linksChanged = true
      if before == nil {
        try AssignmentLimits.check(
          target, attribute: attribute, registry: registry, transaction)
      }
    }
  }

  /// Applies one membership change, and notes in the balance what came and went.
  private func apply(
    _ step: MembershipChange, linker: MembershipLinker, to current: StoredResource, type: ResourceType,
    balance: inout LinkBalance, in transaction: any TenantTransaction
  ) throws(SCIMError) {
    let attribute = linker.attribute
    let owner = current.handle
    func members(matching filter: ResolvedFilter) throws(SCIMError) -> [LinkElement] {
      let budget = transaction.budget
      let evaluator = FilterEvaluator(filter)
      let kind = LinkDefinition.Kind.members(types: linker.types.map(\.name))
      var matching: [LinkElement] = []
      for member in try self.members(of: current, type: type, attribute: attribute, in: transaction) {
        try budget.take(WriteCost.shownMember)
        let element = renderer.element(member, kind, registry: registry)
        if try evaluator.matches(element: .object(element), budget: budget) { matching.append(member) }
      }
      return matching
    }
    func found(_ elements: [JSONObject]) throws(SCIMError) -> [Int64] {
      try linker.find(elements, in: transaction).compactMap { $0?.handle }
    }
    func unlink(_ targets: [Int64]) throws(SCIMError) {
      balance.remove(
        try transaction.unlink(owner: owner, attribute: attribute, targets: targets))
    }
    switch step {
    case .add(let elements):
      let targets = try linker.targets(of: elements, in: transaction)
      balance.add(try linker.link(owner: owner, ownerType: type.name, to: targets, in: transaction))
    case .remove(let elements): try unlink(found(elements))
    case .removeMatching(let filter): try unlink(members(matching: filter).map(\.handle))
    case .removeAll:
      balance.removeAll(
        count: try transaction.unlinkAll(owner: owner, attribute: attribute))
    case .replaceAll(let elements):
      let targets = try linker.targets(of: elements, in: transaction)
      let moved = try linker.replace(owner: owner, ownerType: type.name, with: targets, in: transaction)
      balance.remove(moved.removed)
      balance.add(moved.added)
    case .require(let elements):
      let present = try transaction.targets(
        of: owner, attribute: attribute, among: found(elements))
      guard !present.isEmpty else { throw Self.noMember(attribute) }
    case .requireMatching(let filter):
      guard try !members(matching: filter).isEmpty else { throw Self.noMember(attribute) }
    case .refuseMatching(let filter, let error):
      guard try members(matching: filter).isEmpty else { throw error }
    case .refuse(let error): throw error
    }
  }

  private static func noMember(_ attribute: String) -> SCIMError {
    SCIMError(.noTarget, "The path matches no element of '\(attribute)'.", attribute: attribute)
  }

  private func members(
    of current: StoredResource, type: ResourceType, attribute: String, in transaction: any TenantTransaction
  ) throws(SCIMError) -> [LinkElement] {
    // Where there are too many for the budget, none is read.
    let most = transaction.budget.left / WriteCost.element + 1
    let count = try transaction.linkCount(
      owner: current.handle, attribute: attribute, limit: most)
    if count == most { try transaction.budget.take(count * WriteCost.element) }
    let loaded = try transaction.resource(
      id: current.id, type: type, links: .only([attribute]))
    return loaded?.links.filter { $0.attribute == attribute } ?? []
  }

  /// The resource as a client sees it, members apart, for operations that repeat what they may not change.
  private func rendered(
    _ current: StoredResource, type: ResourceType, in transaction: any TenantTransaction
  ) throws(SCIMError) -> JSONObject {
    let shown =
      try transaction.resource(
        id: current.id, type: type, links: .only(type.linksWithoutMembers)) ?? current
    let filled = try renderer.filled(
      in: shown, type: type, registry: registry, outline: renderer.outline(of: shown, type: type)
    ) { (id, types) throws(SCIMError) in try transaction.referenced(id: id, types: types) }
    return try renderer.json(shown, type: type, registry: registry, filled: filled)
  }

  /// The resource as it is, with the elements of catalogue attributes that it has itself. What is shown but not
  /// written, such as a user's groups, and members, who may be many, need not be read.
  private func present(
    _ id: String, type: ResourceType, in transaction: any TenantTransaction
  ) throws(SCIMError) -> StoredResource? {
    let catalog = type.catalogLinks
    let found = try transaction.resource(
      id: id, type: type, links: catalog.isEmpty ? .none : .own(catalog))
    if let found {
      try transaction.budget.take(
        WriteCost.change + WriteCost.attributes(of: type) + WriteCost.parsing(found.document.count))
    }
    return found
  }

  /// Stores the change, or nothing where there is none.
  private func finish(
    _ change: ResourceChange, in transaction: any TenantTransaction
  ) throws(SCIMError) -> StoredResource {
    guard change.linksChanged || change.password != .keep || change.document != change.old else {
      return change.current
    }
    let stored = try transaction.update(
      change.current, from: change.old, to: change.document, type: change.type, password: change.password)
    try Self.checkSize(of: stored)
    try containment(transaction).check(stored, from: change.old, to: change.document, type: change.type)
    return stored
  }

  /// - Throws: `payloadTooLarge`, which undoes what was written.
  private static func checkSize(of stored: StoredResource) throws(SCIMError) {
    guard stored.document.count <= maximumDocumentSize else {
      throw SCIMError(
        .payloadTooLarge, "The \(stored.type) would be larger than \(maximumDocumentSize) bytes.")
    }
  }
}

extension ResourceType {
  /// The link attributes whose elements are few enough to be loaded for a change.
  fileprivate var linksWithoutMembers: Set<String> {
    attributes { kind in if case .members = kind { false } else { true } }
  }

  fileprivate var catalogLinks: Set<String> {
    attributes { kind in if case .catalog = kind { true } else { false } }
  }

  private func attributes(where isIncluded: (LinkDefinition.Kind) -> Bool) -> Set<String> {
    Set(links.filter { isIncluded($0.kind) }.map(\.attribute))
  }
}
