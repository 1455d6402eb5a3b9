import Dispatch
import Synchronization

/// Reads of what is committed. An instance belongs to one thread.
///
/// Each call sees one consistent snapshot. Two calls may see two: outside `snapshot` a call takes a new one where this
/// process has committed something since, or the last one is a millisecond old.
///
/// It finds out whose a key is, and gives the resources of one organisation (`tenant`). Errors are `SCIMError`s; what the
/// engine could not do is `internalError`, whose detail is for the log alone. Every read takes what it costs from
/// `budget`, and throws what that does where it ends.
public protocol StoreReader: AnyObject, OrganizationDirectory {
  /// How much the present request may still ask of this thread; whoever begins a request sets it.
  var budget: WorkBudget { get set }

  /// The key with that SHA-256 digest, valid or not, and its organisation; nil where there is none.
  func key(digest: [UInt8]) throws(SCIMError) -> (key: APIKey, organization: Organization)?

  /// Everything of one organisation.
  func tenant(_ organization: OrganizationID) -> any TenantReader

  /// Names the snapshot that the next read sees: where two calls give the same number, nothing was committed between.
  func snapshotNumber() throws(SCIMError) -> UInt64

  /// Reads that belong together: all of them see one snapshot, whatever is committed meanwhile. Inside another it is that
  /// one's, which goes on behind it.
  ///
  /// Its error has no type: what the body throws goes through, and taking the snapshot throws an `SCIMError`; where both
  /// are one, `TenantReader.snapshot` has the type.
  func snapshot<Value>(_ body: () throws -> Value) throws -> Value

  /// Lets go of the snapshot, so that the next call sees what has been committed since. Not to be called inside
  /// `snapshot`, which it would end.
  func release()
}

/// Reads and writes inside one savepoint of the writer's transaction: either all of it is committed, or nothing.
public protocol StoreTransaction: StoreReader, OrganizationWriter {
  /// The time of the transaction: one for all that is written in it.
  var now: Timestamp { get }

  /// Everything of one organisation, to be changed.
  func tenantTransaction(_ organization: OrganizationID) -> any TenantTransaction
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
