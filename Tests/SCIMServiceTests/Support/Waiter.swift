import Dispatch
import SCIMCore
import Synchronization

/// Waits for an outcome that another thread gives.
final class Waiter<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, SCIMError>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  func finish(_ outcome: Result<Value, SCIMError>) {
    self.outcome.withLock { $0 = outcome }
    done.signal()
  }

  func value() throws(SCIMError) -> Value {
    done.wait()
    guard let outcome = outcome.withLock({ $0 }) else { throw SCIMError(.internalError, "no outcome") }
    return try outcome.get()
  }
}
