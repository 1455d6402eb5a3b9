import SCIMSQL
import SCIMSQLite
import SQLTestSupport
import Synchronization

/// Makes the writer's engine fail at a chosen call: preparing, executing (BEGIN, SAVEPOINT, COMMIT and the like) and
/// stepping each count as one. All else is the real engine's.
final class FailingEngine: EngineObserver {
  /// What the call fails with.
  enum Failure: CaseIterable {
    case full, busy, io, interrupted, memory

    var error: SQLError {
      switch self {
      case .full: SQLError(kind: .full, code: 13, message: "database or disk is full")
      case .busy: SQLError(kind: .busy, code: 5, message: "database is locked")
      case .io: SQLError(kind: .io, code: 778, message: "disk I/O error")
      case .interrupted: SQLError(kind: .interrupted, code: 9, message: "interrupted")
      case .memory: SQLError(kind: .memory, code: 7, message: "out of memory")
      }
    }
  }

  private struct Plan {
    var callsLeft: Int
    var times: Int
    var failure: Failure
    /// True where the engine ends the whole transaction by itself, as it does for some failures.
    var endsTransaction: Bool
  }

  private let plan = Mutex<(next: Plan?, hasFailed: Bool)>((nil, false))

  func driver(over engine: SQLiteDriver) -> any SQLDriver { ObservedDriver(engine, observer: self) }

  /// The call with that number from now on, counted from 1, fails, and those behind it up to `times`.
  func fail(atCall call: Int, times: Int = 1, with failure: Failure, endsTransaction: Bool) {
    plan.withLock {
      $0 = (Plan(callsLeft: call, times: times, failure: failure, endsTransaction: endsTransaction), false)
    }
  }

  /// Lets the engine work; true where a call has failed.
  @discardableResult
  func stop() -> Bool {
    plan.withLock {
      $0.next = nil
      return $0.hasFailed
    }
  }

  func willExecute(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError) {
    try check(connection, role)
  }

  func willPrepare(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError) {
    try check(connection, role)
  }

  func willStep(
    _ statement: any SQLStatement, on connection: any SQLConnection, _ role: SQLConnectionRole
  ) throws(SQLError) {
    try check(connection, role)
  }

  private func check(_ connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError) {
    guard role == .writer else { return }
    let failing: Plan? = plan.withLock {
      guard var next = $0.next else { return nil }
      next.callsLeft -= 1
      $0.next = next
      guard next.callsLeft <= 0 else { return nil }
      next.times -= 1
      $0.next = next.times > 0 ? next : nil
      $0.hasFailed = true
      return next
    }
    guard let failing else { return }
    if failing.endsTransaction, connection.isInTransaction { try? connection.execute("ROLLBACK") }
    throw failing.failure.error
  }
}
