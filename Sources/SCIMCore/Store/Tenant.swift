/// One organisation of a store: what a request holds of it. It reaches no other organisation, and cannot delete its own.
public struct Tenant: Sendable {
  public let organization: OrganizationID
  private let store: any Store

  init(_ organization: OrganizationID, of store: any Store) {
    self.organization = organization
    self.store = store
  }

  /// A reader for the calling thread.
  public func makeReader() throws(SCIMError) -> any TenantReader { try store.makeReader().tenant(organization) }

  /// Queues a write; see `Store.write`.
  public func write<Value: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any TenantTransaction) throws(SCIMError) -> Value,
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void
  ) {
    let organization = organization
    store.write(
      for: organization, weight: weight,
      { (transaction) throws(SCIMError) in try body(transaction.tenantTransaction(organization)) },
      completion: completion)
  }

  /// Queues a write that takes several transactions; see `Store.writeInSteps`.
  public func writeInSteps<State: Sendable, Value: Sendable>(
    weight: Int, from state: State,
    _ body: @escaping @Sendable (any TenantTransaction, State) throws(SCIMError) -> WriteStep<State, Value>,
    interrupted: @escaping @Sendable (State, SCIMError) -> Value? = { _, _ in nil },
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void
  ) {
    let organization = organization
    store.writeInSteps(
      for: organization, weight: weight, from: state,
      { (transaction, state) throws(SCIMError) in try body(transaction.tenantTransaction(organization), state) },
      interrupted: interrupted, completion: completion)
  }

  /// As `writeInSteps`, for the command line; see `Store.writeInStepsAndWait`.
  public func writeInStepsAndWait<State: Sendable, Value: Sendable>(
    from state: State, pause: () -> Void,
    _ body: @escaping @Sendable (any TenantTransaction, State) throws(SCIMError) -> WriteStep<State, Value>
  ) throws(SCIMError) -> Value {
    let organization = organization
    return try store.writeInStepsAndWait(from: state, pause: pause) { (transaction, state) throws(SCIMError) in
      try body(transaction.tenantTransaction(organization), state)
    }
  }

  /// Writes and waits until the commit is durable; for the command line, never for a loop.
  public func writeAndWait<Value: Sendable>(
    _ body: @escaping @Sendable (any TenantTransaction) throws(SCIMError) -> Value
  ) throws(SCIMError) -> Value {
    let organization = organization
    return try store.writeAndWait { (transaction) throws(SCIMError) in
      try body(transaction.tenantTransaction(organization))
    }
  }
}

extension Store {
  public func tenant(_ organization: OrganizationID) -> Tenant { Tenant(organization, of: self) }
}
