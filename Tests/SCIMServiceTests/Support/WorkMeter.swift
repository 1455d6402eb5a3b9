import CSQLite
import SCIMSQL
import SQLTestSupport
import Synchronization

@testable import SCIMSQLite

/// Counts the work that the engine does, in instructions of its virtual machine: the same on every run and every
/// machine, and it grows with each row that a statement looks at, found or not.
final class WorkMeter: EngineObserver {
  private let instructions = Atomic<Int>(0)
  private let full = Atomic<Bool>(false)

  /// True where no commit finds room on the disk.
  var isDiskFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }

  private let commitsToFailure = Atomic<Int>(0)

  /// Has one of the writer's commits fail, the one of that number from now on, as if others held the database.
  func failCommit(_ number: Int) { commitsToFailure.store(number, ordering: .relaxed) }

  func driver(over engine: SQLiteDriver) -> any SQLDriver { ObservedDriver(engine, observer: self) }

  /// The work that is done meanwhile, by all connections.
  func work(_ body: () throws -> Void) rethrows -> Int {
    let before = instructions.load(ordering: .relaxed)
    try body()
    return instructions.load(ordering: .relaxed) - before
  }

  func willExecute(_ sql: String, on connection: any SQLConnection, _ role: SQLConnectionRole) throws(SQLError) {
    if isDiskFull, sql == "COMMIT", role == .writer {
      throw SQLError(kind: .full, code: 13, message: "database or disk is full")
    }
    if sql == "COMMIT", role == .writer, commitsToFailure.load(ordering: .relaxed) > 0,
      commitsToFailure.subtract(1, ordering: .relaxed).newValue == 0
    {
      throw SQLError(kind: .busy, code: 5, message: "database is locked")
    }
  }

  func didStep(_ statement: any SQLStatement) {
    guard let statement = statement as? SQLiteStatement else { return }
    instructions.add(Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1)), ordering: .relaxed)
  }
}
