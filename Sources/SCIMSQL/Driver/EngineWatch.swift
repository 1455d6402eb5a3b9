import SCIMCore

/// Takes what the engine does from the budget of the request at hand, and ends it where the budget does.
///
/// For one connection, on its thread.
final class EngineWatch {
  var budget = WorkBudget.unlimited
  private var error: SCIMError?
  /// Where failures of the engine are noted; nil where nobody asks.
  private let failures: EngineFailure?

  init(failures: EngineFailure?) { self.failures = failures }

  /// How many instructions of the engine are run between two looks, and the steps that they are.
  private static let instructions = 2048
  private static let steps = 1024

  func attach(to connection: any SQLConnection) {
    connection.watch(every: Self.instructions) { [unowned self] in isOver() }
  }

  private func isOver() -> Bool {
    do throws(SCIMError) {
      try budget.take(Self.steps)
      return false
    } catch {
      self.error = error
      return true
    }
  }

  /// What the store says of an engine's error.
  func storeError(_ failure: SQLError) -> SCIMError {
    if let failures { return failures.note(failure) }
    guard failure.kind == .interrupted, let error else { return failure.storeError }
    return error
  }
}
