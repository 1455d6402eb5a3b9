import SCIMCore

/// The first failure of the engine in a savepoint: whatever the body made of it, nothing of the savepoint may be
/// committed, since nobody knows how much of the failed statement was done.
///
/// For one thread, that of the connection.
final class EngineFailure {
  private(set) var first: SCIMError?
  /// True where the disk was full since the last `reset`.
  private(set) var ranOutOfRoom = false

  /// Remembers a failure, unless there was one before, and gives it as the store's error.
  @discardableResult
  func note(_ error: SQLError) -> SCIMError {
    if error.kind == .full { ranOutOfRoom = true }
    return note(error.writeError)
  }

  @discardableResult
  func note(_ error: SCIMError) -> SCIMError {
    if first == nil { first = error }
    return error
  }

  /// To be called when a savepoint begins.
  func clear() { first = nil }

  /// To be called when a transaction begins.
  func reset() {
    first = nil
    ranOutOfRoom = false
  }
}
