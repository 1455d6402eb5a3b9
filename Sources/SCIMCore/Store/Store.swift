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

  /// One page of what matches, with the true total.
  func search(_ query: SearchQuery, in organization: OrganizationID) throws(SCIMError) -> SearchPage

  /// How many resources hold links to this one through catalogue attributes (`totalAssignmentsUsed`).
  func assignmentsUsed(of handle: Int64, in organization: OrganizationID) throws(SCIMError) -> Int

  /// True where the organisation has roles or entitlements: in its catalogue, or as values of somebody.
  func usesCatalog(in organization: OrganizationID) throws(SCIMError) -> Bool

  /// How many elements an owner's link attribute has, counted no further than `limit`.
  func linkCount(
    owner: Int64, attribute: String, limit: Int, in organization: OrganizationID
  ) throws(SCIMError) -> Int

  /// Names the snapshot that the next read sees: where two calls give the same number, nothing was committed between.
  func snapshotNumber() throws(SCIMError) -> UInt64

  /// Lets go of the held snapshot, so that the next call sees what has been committed since.
  func release()
}

/// Reads and writes inside one savepoint of the writer's transaction: either all of it is committed, or nothing.
public protocol StoreTransaction: StoreReader, OrganizationWriter {
  /// The time of the transaction: one for all that is written in it.
  var now: Timestamp { get }

  /// Runs part of the work in a savepoint of its own: what it throws undoes that part alone.
  func attempt<Value>(_ body: () throws(SCIMError) -> Value) throws(SCIMError) -> Value

  /// Stores a new resource. `document` holds neither `id` nor `meta` nor linked elements; `id` nil makes a new one.
  /// `passwordHash` is what is kept of a password. Refuses with `uniqueness`.
  func create(
    type: ResourceType, id: String?, document: JSONObject, passwordHash: String?, in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource

  /// Stores a new state: moves version and `modified` and writes the difference of the index keys. To be called only
  /// where something has changed (a document, a password, or links). Refuses with `uniqueness`.
  func update(
    _ current: StoredResource, type: ResourceType, document: JSONObject, password: PasswordChange,
    in organization: OrganizationID
  ) throws(SCIMError) -> StoredResource

  /// Writes a resource's index keys, unique values and display anew, and its document, for a type whose definition has
  /// changed from `old`; the document says the same as before, so the version stays. Refuses with `uniqueness`.
  func restore(
    _ resource: StoredResource, from old: ResourceType, type: ResourceType, document: JSONObject,
    in organization: OrganizationID
  ) throws(SCIMError)

  /// Stores a definition of the organisation's own, or its next version. What it means for the others and for stored
  /// resources is the caller's to check.
  func putDefinition(
    kind: Definition.Kind, name: String, document: JSONObject, in organization: OrganizationID
  ) throws(SCIMError)

  /// Removes a definition; `notFound` where there is none.
  func removeDefinition(kind: Definition.Kind, name: String, in organization: OrganizationID) throws(SCIMError)

  /// Removes the resource with its keys and its links in both directions.
  func delete(_ resource: StoredResource, type: ResourceType, in organization: OrganizationID) throws(SCIMError)

  /// Links owner to target; an existing link gets the new `extra`. True where something changed.
  func link(
    owner: Int64, attribute: String, target: Int64, extra: JSONObject, in organization: OrganizationID
  ) throws(SCIMError) -> Bool

  /// Removes the link to `target`, or all of the attribute's where nil; gives how many there were.
  func unlink(
    owner: Int64, attribute: String, target: Int64?, in organization: OrganizationID
  ) throws(SCIMError) -> Int

  /// The resources of these types with these ids, by id; unknown ones are absent.
  func find(
    ids: [String], types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [String: LinkTarget]

  /// The catalogue resource that `value` names: by id, else by a unique `displayName` or IETF `value` (folded), among
  /// these types; nil where none or more than one matches.
  func catalogMatch(
    value: String, types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> LinkTarget?

  /// The catalogue resources of these types whose attribute of that name, in the extension by which assignments are
  /// counted (`contains`, `containedBy`), holds one of the words.
  func catalogReferrers(
    words: [String], attribute: String, types: [ResourceType], in organization: OrganizationID
  ) throws(SCIMError) -> [LinkTarget]

  /// True where `target` can be reached from `owner` by following `attribute` any number of times, or is it.
  func reaches(
    from owner: Int64, to target: Int64, attribute: String, in organization: OrganizationID
  ) throws(SCIMError) -> Bool
}

/// A resource that a link is to point at.
public struct LinkTarget: Sendable, Equatable {
  public var handle: Int64
  public var type: String
  public var id: String
  public var display: String?

  public init(handle: Int64, type: String, id: String, display: String?) {
    self.handle = handle
    self.type = type
    self.id = id
    self.display = display
  }
}

/// What a write does to the stored hash of a password.
public enum PasswordChange: Sendable, Equatable {
  case keep
  case clear
  case set(hash: String)
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
