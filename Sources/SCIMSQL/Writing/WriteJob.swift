import SCIMCore

/// A queued write with its answer. Everything but the queueing happens on the writer's thread.
protocol AnyWriteJob: AnyObject, Sendable {
  var organization: OrganizationID? { get }
  /// How much of a shared commit it takes, at least 1.
  var weight: Int { get }
  /// Runs the body and keeps its value; what it throws undoes it.
  func run(in transaction: SQLTransaction) throws(SCIMError)
  /// Calls the completion: with the kept value, or with the error that undid it.
  func finish(_ error: SCIMError?)
}

final class WriteJob<Value: Sendable>: AnyWriteJob, @unchecked Sendable {
  let organization: OrganizationID?
  let weight: Int
  private let body: @Sendable (any StoreTransaction) throws(SCIMError) -> Value
  private let completion: @Sendable (Result<Value, SCIMError>) -> Void
  // Unchecked: written by `run` and read by `finish`, both of which the writer's thread alone calls, in that order.
  private var value: Value?

  init(
    organization: OrganizationID?, weight: Int,
    body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Value,
    completion: @escaping @Sendable (Result<Value, SCIMError>) -> Void
  ) {
    self.organization = organization
    self.weight = max(weight, 1)
    self.body = body
    self.completion = completion
  }

  func run(in transaction: SQLTransaction) throws(SCIMError) {
    value = try body(transaction)
  }

  func finish(_ error: SCIMError?) {
    if let error {
      completion(.failure(error))
    } else if let value {
      completion(.success(value))
    } else {
      completion(.failure(SCIMError(.internalError, "a write was not executed")))
    }
  }
}
