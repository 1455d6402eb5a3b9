/// Reads and writes of one organisation inside one savepoint of the writer's transaction: either all of it is committed, or
/// nothing.
public protocol TenantTransaction: TenantReader {
  /// The time of the transaction: one for all that is written in it.
  var now: Timestamp { get }

  /// Runs part of the work in a savepoint of its own: what it throws undoes that part alone.
  func attempt<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value

  /// Changes the name and the settings of the organisation, from those that are stored. What a change of `grants` means for
  /// definitions and stored resources is the caller's to check.
  ///
  /// - Returns: the organisation as it is then.
  /// - Throws: `notFound` where it has been deleted, `uniqueness` for a name that is taken.
  func update(_ change: OrganizationChange) throws(SCIMError) -> Organization

  /// Stores a new resource. `passwordHash` is what is kept of a password. Refuses with `uniqueness`.
  func create(
    _ prepared: PreparedDocument, type: ResourceType, passwordHash: String?
  ) throws(SCIMError) -> StoredResource

  /// True where a resource with that id was deleted: it is not issued again.
  func wasDeleted(id: String) throws(SCIMError) -> Bool

  /// Stores a new state: moves version and `modified` and writes the difference of the index keys. To be called only
  /// where something has changed (a document, a password, or links). Refuses with `uniqueness`.
  ///
  /// - Parameter old: the document of `current`, read.
  /// - Returns: the new state without links.
  func update(
    _ current: StoredResource, from old: JSONObject, to document: JSONObject, type: ResourceType,
    password: PasswordChange
  ) throws(SCIMError) -> StoredResource

  /// True where the registry is that of the definitions which the organisation has now. It is then not made again here.
  func isPresent(_ registry: SchemaRegistry) throws(SCIMError) -> Bool

  /// As `isPresent`; false also where a change is under way that would have to be read and planned here, since another
  /// process has begun it. A reader that looks at both has them ready for all.
  func isReady(_ registry: SchemaRegistry) throws(SCIMError) -> Bool

  /// The organisation's registry once the definitions of a change have been stored in this transaction. Where nothing else
  /// has changed with them it is the planned one, which readers have from the commit on; nobody reads the definitions.
  func registry(
    after change: PendingChange
  ) throws(SCIMError) -> SchemaRegistry

  /// Stores a definition of the organisation's own, or its next version. What it means for the others and for stored
  /// resources is the caller's to check.
  func putDefinition(
    kind: Definition.Kind, name: String, document: JSONObject
  ) throws(SCIMError)

  /// Removes a definition; `notFound` where there is none.
  func removeDefinition(kind: Definition.Kind, name: String) throws(SCIMError)

  /// Makes what the parts of the index that a change is about are called by, as much as one of several transactions may;
  /// true where nothing is left of that. Without it the beginning does it.
  func makeNames(_ plan: PendingChange) throws(SCIMError) -> Bool

  /// Begins a change of definitions that takes several transactions, in place of one that is under way. From now on what
  /// is written is indexed for both. Nothing may be left of an earlier one (`removeStale`).
  ///
  /// - Parameter plan: made of the definitions that are in force (`isPresent`).
  /// - Returns: the number of the change.
  func beginChange(_ plan: PendingChange) throws(SCIMError) -> Int64

  /// Writes to the index what the change that is under way wants of a resource, which may be there already.
  ///
  /// - Parameter document: that of the resource.
  /// - Returns: what the new definition has against the resource; nil where it fits.
  func index(
    _ resource: StoredResource, document: JSONObject
  ) throws(SCIMError) -> SCIMError?

  /// Resources that did not fit the change when they were looked at or written last, in order.
  func misfits(after handle: Int64, limit: Int) throws(SCIMError) -> [Int64]

  /// From now on what does not fit the change that is under way is refused.
  func makeChangeCertain() throws(SCIMError)

  /// Notes that the change under way has had one more transaction.
  func moveChange() throws(SCIMError)

  /// Gives up the change that is under way, where there is one; what was written for it is left for `removeStale`.
  func giveUpChange() throws(SCIMError)

  /// Ends the change that is under way: the index is now searched by what was written for it. To be followed in the same
  /// transaction by what it changes of definitions and settings.
  func switchIndex() throws(SCIMError)

  /// Removes from the index what nothing asks for any more, as much as one of several transactions may; true where
  /// nothing of that is left.
  func removeStale() throws(SCIMError) -> Bool

  /// Stores another document that says the same, in another order: version and index stay.
  func rewrite(_ resource: StoredResource, document: JSONObject) throws(SCIMError)

  /// Deletes the resource with its keys and its links in both directions; where it has more links than one transaction
  /// may take away, some of these.
  ///
  /// - Returns: false where another call has to follow, in another transaction, with the resource as it then is. That is
  ///   noted in the store, which goes on by itself after a stop (`resumeDeletions`).
  func delete(_ resource: StoredResource, type: ResourceType) throws(SCIMError) -> Bool

  /// Links owner to target; an existing link gets the new `extra`. True where something changed.
  func link(
    owner: Int64, attribute: String, target: Int64, extra: JSONObject
  ) throws(SCIMError) -> Bool

  /// Links owner to each of the targets by a link that carries nothing, in this order; gives those that were not linked.
  func link(
    owner: Int64, attribute: String, targets: [Int64]
  ) throws(SCIMError) -> [Int64]

  /// Removes the links to these targets; gives those that were linked.
  func unlink(
    owner: Int64, attribute: String, targets: [Int64]
  ) throws(SCIMError) -> [Int64]

  /// Removes all links of the attribute; gives how many there were.
  func unlinkAll(owner: Int64, attribute: String) throws(SCIMError) -> Int

  /// The targets of the attribute's links.
  func targets(of owner: Int64, attribute: String) throws(SCIMError) -> [Int64]

  /// Those of these targets that the owner is linked to.
  func targets(
    of owner: Int64, attribute: String, among: [Int64]
  ) throws(SCIMError) -> [Int64]

  /// For each id the resource of these types that has it; nil for one that none has.
  func find(
    ids: [String], types: [ResourceType]
  ) throws(SCIMError) -> [LinkTarget?]

  /// The catalogue resources, with their names, that the words name: by id, or by `displayName` or IETF `value` (folded).
  func catalogMatches(
    _ words: [String], types: [ResourceType]
  ) throws(SCIMError) -> CatalogMatches

  /// The catalogue resources of these types whose attribute of that name, in the extension by which assignments are
  /// counted (`contains`, `containedBy`), holds one of the words.
  func catalogReferrers(
    words: [String], attribute: String, types: [ResourceType]
  ) throws(SCIMError) -> [LinkTarget]

  /// All that have a link of the attribute to the resource, directly or through others.
  func ancestors(of target: Int64, attribute: String) throws(SCIMError) -> Set<Int64>
}

extension TenantTransaction {
  /// As above, of a document that holds neither `id` nor `meta` nor linked elements; `id` nil makes a new one.
  public func create(
    type: ResourceType, id: String?, document: JSONObject, passwordHash: String?
  ) throws(SCIMError) -> StoredResource {
    let prepared = PreparedDocument(document, id: id, type: type, settings: try registry().settings)
    return try create(prepared, type: type, passwordHash: passwordHash)
  }

  /// As above, where the document of `current` has not been read.
  public func update(
    _ current: StoredResource, type: ResourceType, document: JSONObject, password: PasswordChange
  ) throws(SCIMError) -> StoredResource {
    guard var old = (try? JSON(parsing: current.document))?.objectValue else {
      throw SCIMError(.internalError, "the stored document of a \(current.type) is broken")
    }
    old["id"] = nil
    return try update(current, from: old, to: document, type: type, password: password)
  }
}
