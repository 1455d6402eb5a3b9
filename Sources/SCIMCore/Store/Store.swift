import Dispatch
import Synchronization

/// Reads of one consistent snapshot. An instance belongs to one thread.
///
/// Every call on resources names the organisation, and answers for no other. Errors are `SCIMError`s; what the engine
/// could not do is `internalError`, whose detail is for the log alone. Every read takes what it costs from `budget`, and
/// throws what that does where it ends.
public protocol StoreReader: AnyObject, OrganizationDirectory {
  /// How much the present request may still ask of this thread; whoever begins a request sets it.
  var budget: WorkBudget { get set }

  /// The key with that SHA-256 digest, valid or not, and its organisation; nil where there is none.
  func key(digest: [UInt8]) throws(SCIMError) -> (key: APIKey, organization: Organization)?

  /// The schemas and resource types that the organisation has: what all have, and its own. The same object until its
  /// definitions change.
  func registry(of organization: OrganizationID) throws(SCIMError) -> SchemaRegistry

  /// The organisation's own definitions, in the order in which they came.
  func definitions(of organization: OrganizationID) throws(SCIMError) -> [Definition]

  /// The resource of that type with that id; nil where the organisation has none.
  func resource(
    id: String, type: ResourceType, links: LinkSelection, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource?

  /// The resource with that id of one of the types with these names, with its display; nil where the organisation has
  /// none.
  func referenced(
    id: String, types: [String], in organization: OrganizationID
  ) throws(SCIMError) -> ReferencedResource?

  /// The resource of that type with that handle, without links; nil where the organisation has none.
  func resource(
    handle: Int64, type: ResourceType, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource?

  /// The ids of the resources of a type that share a value of an attribute with others, by value; no more than `limit`
  /// values.
  func resourcesSharing(
    _ path: String, of type: ResourceType, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> [[String]]

  /// The change of the organisation's definitions that is under way; nil where there is none.
  func pendingChange(of organization: OrganizationID) throws(SCIMError) -> PendingChange?

  /// The number of the change that is under way, which is not read; nil where there is none.
  func numberOfChange(of organization: OrganizationID) throws(SCIMError) -> Int64?

  /// One page of what matches, with the true total.
  func search(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage

  /// How many resources hold links to this one through catalogue attributes (`totalAssignmentsUsed`).
  func assignmentsUsed(of handle: Int64, in organization: OrganizationID) throws(SCIMError) -> Int

  /// How many elements an owner's link attribute has, counted no further than `limit`.
  func linkCount(
    owner: Int64, attribute: String, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> Int

  /// Names the snapshot that the next read sees: where two calls give the same number, nothing was committed between.
  func snapshotNumber() throws(SCIMError) -> UInt64

  /// Takes a snapshot that stays until `release`, whatever is committed meanwhile; for reads that belong together.
  func hold() throws(SCIMError)

  /// Lets go of the held snapshot, so that the next call sees what has been committed since.
  func release()
}

/// Reads and writes inside one savepoint of the writer's transaction: either all of it is committed, or nothing.
public protocol StoreTransaction: StoreReader, OrganizationWriter {
  /// The time of the transaction: one for all that is written in it.
  var now: Timestamp { get }

  /// Runs part of the work in a savepoint of its own: what it throws undoes that part alone.
  func attempt<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value

  /// Stores a new resource. `passwordHash` is what is kept of a password. Refuses with `uniqueness`.
  func create(
    _ prepared: PreparedDocument, type: ResourceType, passwordHash: String?, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource

  /// True where a resource with that id was deleted: it is not issued again.
  func wasDeleted(id: String, in organization: OrganizationID) throws(SCIMError) -> Bool

  /// Stores a new state: moves version and `modified` and writes the difference of the index keys. To be called only
  /// where something has changed (a document, a password, or links). Refuses with `uniqueness`.
  ///
  /// - Parameter old: the document of `current`, read.
  /// - Returns: the new state without links.
  func update(
    _ current: StoredResource, from old: JSONObject, to document: JSONObject, type: ResourceType,
    password: PasswordChange, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource

  /// True where the registry is that of the definitions which the organisation has now. It is then not made again here.
  func isPresent(_ registry: SchemaRegistry, of organization: OrganizationID) throws(SCIMError) -> Bool

  /// As `isPresent`; false also where a change is under way that would have to be read and planned here, since another
  /// process has begun it. A reader that looks at both has them ready for all.
  func isReady(_ registry: SchemaRegistry, of organization: OrganizationID) throws(SCIMError) -> Bool

  /// The organisation's registry once the definitions of a change have been stored in this transaction. Where nothing else
  /// has changed with them it is the planned one, which readers have from the commit on; nobody reads the definitions.
  func registry(
    after change: PendingChange, of organization: OrganizationID
  ) throws(SCIMError) -> SchemaRegistry

  /// Stores a definition of the organisation's own, or its next version. What it means for the others and for stored
  /// resources is the caller's to check.
  func putDefinition(
    kind: Definition.Kind, name: String, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError)

  /// Removes a definition; `notFound` where there is none.
  func removeDefinition(kind: Definition.Kind, name: String, in organization: OrganizationID) throws(SCIMError)

  /// Makes what the parts of the index that a change is about are called by, as much as one of several transactions may;
  /// true where nothing is left of that. Without it the beginning does it.
  func makeNames(_ plan: PendingChange, in organization: OrganizationID) throws(SCIMError) -> Bool

  /// Begins a change of definitions that takes several transactions, in place of one that is under way. From now on what
  /// is written is indexed for both. Nothing may be left of an earlier one (`removeStale`).
  ///
  /// - Parameter plan: made of the definitions that are in force (`isPresent`).
  /// - Returns: the number of the change.
  func beginChange(_ plan: PendingChange, in organization: OrganizationID) throws(SCIMError) -> Int64

  /// Writes to the index what the change that is under way wants of a resource, which may be there already.
  ///
  /// - Parameter document: that of the resource.
  /// - Returns: what the new definition has against the resource; nil where it fits.
  func index(
    _ resource: StoredResource, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) -> SCIMError?

  /// Resources that did not fit the change when they were looked at or written last, in order.
  func misfits(after handle: Int64, limit: Int, in organization: OrganizationID) throws(SCIMError) -> [Int64]

  /// From now on what does not fit the change that is under way is refused.
  func makeChangeCertain(in organization: OrganizationID) throws(SCIMError)

  /// Notes that the change under way has had one more transaction.
  func moveChange(in organization: OrganizationID) throws(SCIMError)

  /// Gives up the change that is under way, where there is one; what was written for it is left for `removeStale`.
  func giveUpChange(of organization: OrganizationID) throws(SCIMError)

  /// Ends the change that is under way: the index is now searched by what was written for it. To be followed in the same
  /// transaction by what it changes of definitions and settings.
  func switchIndex(in organization: OrganizationID) throws(SCIMError)

  /// Removes from the index what nothing asks for any more, as much as one of several transactions may; true where
  /// nothing of that is left.
  func removeStale(in organization: OrganizationID) throws(SCIMError) -> Bool

  /// Stores another document that says the same, in another order: version and index stay.
  func rewrite(_ resource: StoredResource, document: JSONObject, in organization: OrganizationID) throws(SCIMError)

  /// Deletes the resource with its keys and its links in both directions; where it has more links than one transaction
  /// may take away, some of these.
  ///
  /// - Returns: false where another call has to follow, in another transaction, with the resource as it then is. That is
  ///   noted in the store, which goes on by itself after a stop (`resumeDeletions`).
  func delete(_ resource: StoredResource, type: ResourceType, in organization: OrganizationID) throws(SCIMError) -> Bool

  /// Links owner to target; an existing link gets the new `extra`. True where something changed.
  func link(
    owner: Int64, attribute: String, target: Int64, extra: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) -> Bool

  /// Links owner to each of the targets by a link that carries nothing, in this order; gives those that were not linked.
  func link(
    owner: Int64, attribute: String, targets: [Int64], in organization: OrganizationID
  ) throws(SCIMError) -> [Int64]

  /// Removes the links to these targets; gives those that were linked.
  func unlink(
    owner: Int64, attribute: String, targets: [Int64], in organization: OrganizationID
  ) throws(SCIMError) -> [Int64]

  /// Removes all links of the attribute; gives how many there were.
  func unlinkAll(owner: Int64, attribute: String, in organization: OrganizationID) throws(SCIMError) -> Int

  /// The targets of the attribute's links.
  func targets(of owner: Int64, attribute: String, in organization: OrganizationID) throws(SCIMError) -> [Int64]

  /// Those of these targets that the owner is linked to.
  func targets(
    of owner: Int64, attribute: String, among: [Int64], in organization: OrganizationID
  ) throws(SCIMError) -> [Int64]

  /// For each id the resource of these types that has it; nil for one that none has.
  func find(
    ids: [String], types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [LinkTarget?]

  /// The catalogue resources, with their names, that the words name: by id, or by `displayName` or IETF `value` (folded).
  func catalogMatches(
    _ words: [String], types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> CatalogMatches

  /// The catalogue resources of these types whose attribute of that name, in the extension by which assignments are
  /// counted (`contains`, `containedBy`), holds one of the words.
  func catalogReferrers(
    words: [String], attribute: String, types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [LinkTarget]

  /// All that have a link of the attribute to the resource, directly or through others.
  func ancestors(of target: Int64, attribute: String, in organization: OrganizationID) throws(SCIMError) -> Set<Int64>
}

extension StoreTransaction {
  /// As above, of a document that holds neither `id` nor `meta` nor linked elements; `id` nil makes a new one.
  public func create(
    type: ResourceType, id: String?, document: JSONObject, passwordHash: String?, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource {
    let settings = try registry(of: organization).settings
    let prepared = PreparedDocument(document, id: id, type: type, settings: settings)
    return try create(prepared, type: type, passwordHash: passwordHash, in: organization)
  }

  /// As above, where the document of `current` has not been read.
  public func update(
    _ current: StoredResource, type: ResourceType, document: JSONObject, password: PasswordChange,
    in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource {
    guard var old = (try? JSON(parsing: current.document))?.objectValue else {
      throw SCIMError(.internalError, "the stored document of a \(current.type) is broken")
    }
    old["id"] = nil
    return try update(current, from: old, to: document, type: type, password: password, in: organization)
  }
}

/// A resource that a link is to point at.
public struct LinkTarget: Sendable, Equatable {
  public var handle: Int64
  public var type: String
  public var id: String
  /// Its name, where the look-up says so.
  public var display: String?

  public init(handle: Int64, type: String, id: String, display: String? = nil) {
    self.handle = handle
    self.type = type
    self.id = id
    self.display = display
  }
}

/// What many words name in a catalogue.
public struct CatalogMatches: Sendable {
  /// Those that have the word for an id.
  public var ids: [String: [LinkTarget]] = [:]
  /// Those that go by the word: of each type and attribute all there are, or two of them where there are more.
  public var names: [String: [LinkTarget]] = [:]

  public init() {}

  /// The one resource of these types that the word names: by its id, else by a name that no other of them has.
  public func match(_ word: String, types: [ResourceType]) -> LinkTarget? {
    func isIncluded(_ target: LinkTarget) -> Bool { types.contains { $0.name == target.type } }
    if let target = ids[word]?.first(where: isIncluded) { return target }
    guard let named = names[word]?.filter(isIncluded), let first = named.first,
      named.allSatisfy({ $0.handle == first.handle })
    else { return nil }
    return first
  }
}

/// What a write does to the stored hash of a password.
public enum PasswordChange: Sendable, Equatable {
  case keep
  case clear
  case set(hash: String)
}

/// What one of several transactions of a write came to.
public enum WriteStep<State: Sendable, Value: Sendable>: Sendable {
  case done(Value)
  /// Another transaction has to follow, which begins from this.
  case further(State)
}

/// One database: many readers, one writer that commits many waiting writes together.
public protocol Store: AnyObject, Sendable {
  /// A reader for the calling thread.
  func makeReader() throws(SCIMError) -> any StoreReader

  /// Queues a write. `body` runs on the writer's thread in a savepoint of its own: what it throws undoes all of it.
  /// `completion` is called, on the writer's thread, once the commit is durable, or with what was thrown.
  ///
  /// Organisations are served in turn; the writes of one run in the order in which they came.
  ///
  /// - Parameters:
  ///   - organization: whose write it is; nil for one of none or of many, such as the command line's.
  ///   - weight: about how many resources it changes, at least 1. Heavy ones share their commit with few others or none,
  ///     so that nobody's single write waits for two of them.
  func write<Value: Sendable>(
    for organization: OrganizationID?, weight: Int,
    _ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Value,
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void)

  /// Finishes what is queued, checkpoints and closes.
  func close()
}

extension Store {
  /// Queues a light write of no organisation.
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Value,
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void
  ) {
    write(for: nil, weight: 1, body, completion: completion)
  }

  /// Queues a write that takes several transactions, each of them a job of its own: what waits goes between.
  ///
  /// - Parameters:
  ///   - state: what `body` is told in its first transaction; in each further one it is what the one before gave, which
  ///     is durable by then.
  ///   - interrupted: what the write gives all the same where something was thrown, from what `body` was told in that
  ///     transaction; nil for the error.
  ///   - completion: called once `body` has given `done` and that is durable, or something was thrown: then what the
  ///     transactions before did stays.
  public func writeInSteps<State: Sendable, Value: Sendable>(
    for organization: OrganizationID?, weight: Int, from state: State,
    _ body: @escaping @Sendable (any StoreTransaction, State) throws(SCIMError) -> WriteStep<State, Value>,
    interrupted: @escaping @Sendable (State, SCIMError) -> Value? = { _, _ in nil },
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void
  ) {
    write(for: organization, weight: weight) { (transaction) throws(SCIMError) in
      try body(transaction, state)
    } completion: { result in
      switch result {
      case .success(.done(let value)): completion(.success(value))
      case .success(.further(let next)):
        self.writeInSteps(
          for: organization, weight: weight, from: next, body, interrupted: interrupted, completion: completion)
      case .failure(let error): completion(interrupted(state, error).map { .success($0) } ?? .failure(error))
      }
    }
  }

  /// As `writeInSteps`, for the command line: waits, and calls `pause` between two transactions, in which a server on
  /// the same database can write.
  public func writeInStepsAndWait<State: Sendable, Value: Sendable>(
    from state: State, pause: () -> Void,
    _ body: @escaping @Sendable (any StoreTransaction, State) throws(SCIMError) -> WriteStep<State, Value>
  ) throws(SCIMError) -> Value {
    var state = state
    while true {
      let present = state
      switch try writeAndWait({ (transaction) throws(SCIMError) in try body(transaction, present) }) {
      case .done(let value): return value
      case .further(let next): state = next
      }
      pause()
    }
  }

  /// Writes and waits until the commit is durable; for the command line, never for a loop.
  public func writeAndWait<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Value
  ) throws(SCIMError) -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Mutex<Result<Value, SCIMError>?>(nil)
    write(body) { result in
      box.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.withLock({ $0 }) else { throw SCIMError(.internalError, "the writer gave no result") }
    return try result.get()
  }
}
