import SCIMCore

/// One organisation of a reader. A value, so that it costs no allocation.
protocol SQLTenantReading: TenantReports {
  associatedtype Reader: SQLReader
  var reader: Reader { get }
}

extension SQLTenantReading {
  var budget: WorkBudget {
    get { reader.budget }
    nonmutating set { reader.budget = newValue }
  }

  func snapshot<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value {
    let before = try reader.beginSnapshot()
    defer { reader.endSnapshot(before) }
    return try body()
  }

  func release() { reader.release() }

  func registry() throws(SCIMError) -> SchemaRegistry {
    try reader.registry(of: organization)
  }

  func definitions() throws(SCIMError) -> [Definition] {
    try reader.definitions(of: organization)
  }

  func resource(id: String, type: ResourceType, links: LinkSelection) throws(SCIMError) -> StoredResource? {
    try reader.resource(id: id, type: type, links: links, in: organization)
  }

  func referenced(id: String, types: [String]) throws(SCIMError) -> ReferencedResource? {
    try reader.referenced(id: id, types: types, in: organization)
  }

  func resource(handle: Int64, type: ResourceType) throws(SCIMError) -> StoredResource? {
    try reader.resource(handle: handle, type: type, in: organization)
  }

  func resourcesSharing(_ path: String, of type: ResourceType, limit: Int) throws(SCIMError) -> [[String]] {
    try reader.resourcesSharing(path, of: type, limit: limit, in: organization)
  }

  func pendingChange() throws(SCIMError) -> PendingChange? {
    try reader.pendingChange(of: organization)
  }

  func numberOfChange() throws(SCIMError) -> Int64? {
    try reader.numberOfChange(of: organization)
  }

  func search(_ query: SearchQuery) throws(SCIMError) -> SearchPage {
    try reader.search(query, in: organization)
  }

  func assignmentsUsed(of handle: Int64) throws(SCIMError) -> Int {
    try reader.assignmentsUsed(of: handle, in: organization)
  }

  func linkCount(owner: Int64, attribute: String, limit: Int) throws(SCIMError) -> Int {
    try reader.linkCount(owner: owner, attribute: attribute, limit: limit, in: organization)
  }

  func holderTypes() throws(SCIMError) -> [ResourceType] {
    try reader.holderTypes(in: organization)
  }

  func count(of type: ResourceType) throws(SCIMError) -> Int {
    try reader.count(of: type, in: organization)
  }

  func catalogEntries() throws(SCIMError) -> [CatalogEntry] {
    try reader.catalogEntries(in: organization)
  }

  func holders(of type: ResourceType, after: Int64?, limit: Int) throws(SCIMError) -> HolderPage {
    try reader.holders(of: type, after: after, limit: limit, in: organization)
  }

  func forEachUnmatchedValue(_ body: (UnmatchedValue) throws(SCIMError) -> Bool) throws(SCIMError) {
    try reader.forEachUnmatchedValue(in: organization, body)
  }
}

struct SQLTenant: SQLTenantReading {
  let reader: SQLReader
  let organization: OrganizationID
}

/// One organisation of a transaction.
struct SQLTenantTransaction: SQLTenantReading, TenantTransaction {
  let reader: SQLTransaction
  let organization: OrganizationID

  var now: Timestamp { reader.now }

  func attempt<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value { try reader.attempt(body) }

  func create(_ prepared: PreparedDocument, type: ResourceType, passwordHash: String?) throws(SCIMError)
    -> StoredResource
  {
    try reader.create(prepared, type: type, passwordHash: passwordHash, in: organization)
  }

  func update(_ change: OrganizationChange) throws(SCIMError) -> Organization {
    guard var changed = try reader.organization(organization) else { throw SQLTransaction.noOrganization }
    change.apply(to: &changed)
    try reader.updateOrganization(changed)
    return changed
  }

  func wasDeleted(id: String) throws(SCIMError) -> Bool {
    try reader.wasDeleted(id: id, in: organization)
  }

  func update(
    _ current: StoredResource, from old: JSONObject, to document: JSONObject, type: ResourceType,
    password: PasswordChange
  ) throws(SCIMError) -> StoredResource {
    try reader.update(current, from: old, to: document, type: type, password: password, in: organization)
  }

  func isPresent(_ registry: SchemaRegistry) throws(SCIMError) -> Bool {
    try reader.isPresent(registry, of: organization)
  }

  func isReady(_ registry: SchemaRegistry) throws(SCIMError) -> Bool {
    try reader.isReady(registry, of: organization)
  }

  func registry(after change: PendingChange) throws(SCIMError) -> SchemaRegistry {
    try reader.registry(after: change, of: organization)
  }

  func putDefinition(kind: Definition.Kind, name: String, document: JSONObject) throws(SCIMError) {
    try reader.putDefinition(kind: kind, name: name, document: document, in: organization)
  }

  func removeDefinition(kind: Definition.Kind, name: String) throws(SCIMError) {
    try reader.removeDefinition(kind: kind, name: name, in: organization)
  }

  func makeNames(_ plan: PendingChange) throws(SCIMError) -> Bool {
    try reader.makeNames(plan, in: organization)
  }

  func beginChange(_ plan: PendingChange) throws(SCIMError) -> Int64 {
    try reader.beginChange(plan, in: organization)
  }

  func index(_ resource: StoredResource, document: JSONObject) throws(SCIMError) -> SCIMError? {
    try reader.index(resource, document: document, in: organization)
  }

  func misfits(after handle: Int64, limit: Int) throws(SCIMError) -> [Int64] {
    try reader.misfits(after: handle, limit: limit, in: organization)
  }

  func makeChangeCertain() throws(SCIMError) {
    try reader.makeChangeCertain(in: organization)
  }

  func moveChange() throws(SCIMError) {
    try reader.moveChange(in: organization)
  }

  func giveUpChange() throws(SCIMError) {
    try reader.giveUpChange(of: organization)
  }

  func switchIndex() throws(SCIMError) {
    try reader.switchIndex(in: organization)
  }

  func removeStale() throws(SCIMError) -> Bool {
    try reader.removeStale(in: organization)
  }

  func rewrite(_ resource: StoredResource, document: JSONObject) throws(SCIMError) {
    try reader.rewrite(resource, document: document, in: organization)
  }

  func delete(_ resource: StoredResource, type: ResourceType) throws(SCIMError) -> Bool {
    try reader.delete(resource, type: type, in: organization)
  }

  func link(owner: Int64, attribute: String, target: Int64, extra: JSONObject) throws(SCIMError) -> Bool {
    try reader.link(owner: owner, attribute: attribute, target: target, extra: extra, in: organization)
  }

  func link(owner: Int64, attribute: String, targets: [Int64]) throws(SCIMError) -> [Int64] {
    try reader.link(owner: owner, attribute: attribute, targets: targets, in: organization)
  }

  func unlink(owner: Int64, attribute: String, targets: [Int64]) throws(SCIMError) -> [Int64] {
    try reader.unlink(owner: owner, attribute: attribute, targets: targets, in: organization)
  }

  func unlinkAll(owner: Int64, attribute: String) throws(SCIMError) -> Int {
    try reader.unlinkAll(owner: owner, attribute: attribute, in: organization)
  }

  func targets(of owner: Int64, attribute: String) throws(SCIMError) -> [Int64] {
    try reader.targets(of: owner, attribute: attribute, in: organization)
  }

  func targets(of owner: Int64, attribute: String, among: [Int64]) throws(SCIMError) -> [Int64] {
    try reader.targets(of: owner, attribute: attribute, among: among, in: organization)
  }

  func find(ids: [String], types: [ResourceType]) throws(SCIMError) -> [LinkTarget?] {
    try reader.find(ids: ids, types: types, in: organization)
  }

  func catalogMatches(_ words: [String], types: [ResourceType]) throws(SCIMError) -> CatalogMatches {
    try reader.catalogMatches(words, types: types, in: organization)
  }

  func catalogReferrers(words: [String], attribute: String, types: [ResourceType]) throws(SCIMError) -> [LinkTarget] {
    try reader.catalogReferrers(words: words, attribute: attribute, types: types, in: organization)
  }

  func ancestors(of target: Int64, attribute: String) throws(SCIMError) -> Set<Int64> {
    try reader.ancestors(of: target, attribute: attribute, in: organization)
  }
}

extension SQLReader {
  public func tenant(_ organization: OrganizationID) -> any TenantReader {
    SQLTenant(reader: self, organization: organization)
  }

  public func reports(of organization: OrganizationID) -> any TenantReports {
    SQLTenant(reader: self, organization: organization)
  }
}

extension SQLTransaction {
  func tenantTransaction(_ organization: OrganizationID) -> any TenantTransaction {
    SQLTenantTransaction(reader: self, organization: organization)
  }
}
