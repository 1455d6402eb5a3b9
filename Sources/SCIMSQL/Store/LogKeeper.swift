import Glibc
import SCIMCore

/// Sees to it that the log begins anew before it is too long. On the writer's thread.
///
/// The log begins anew with the next write once all of it is copied and nobody reads a state that lies in it. The
/// checkpointer copies beside the writer; what is left over is copied here, between two transactions, and only when that
/// is little. Nothing here waits for a reader until the log is as long as it may ever become.
final class LogKeeper {
  private let checkpointer: Checkpointer
  private let state: LogState
  private let options: SQLStoreOptions
  private let faults: FaultLog
  /// From this length on the log is to begin anew: less than the option where the disk has little room.
  private var goal: Int
  /// The length that the log's file keeps when it begins anew.
  private var kept: Int
  private var nextLook = 0
  private var nextTry = 0
  private var hasRefused = false

  init(checkpointer: Checkpointer, state: LogState, options: SQLStoreOptions) {
    self.checkpointer = checkpointer
    self.state = state
    self.options = options
    goal = max(options.maximumLogPages, 1)
    kept = 0
    faults = FaultLog("checkpoint", options.log)
  }

  /// How many pages are copied between two transactions at most, but for a log that is far too long.
  private static let fewPages = 2000
  /// How much the log grows between two tries.
  private static let pagesBetweenTries = 128
  /// How much it grows between two looks at the disk.
  private static let pagesBetweenLooks = 64
  /// The shortest log that is worth a restart.
  private static let fewestPages = 128

  /// Told after each commit.
  func grew(to pages: Int) {
    if pages < nextLook - Self.pagesBetweenLooks { nextLook = 0 }
    checkpointer.logGrew(to: pages, isLong: pages >= goal)
  }

  /// To be called between two transactions, when nobody waits for an answer.
  func tend(_ connection: any SQLConnection) {
    let pages = connection.logPages
    if pages >= nextLook { look(connection, pages: pages) }
    guard pages >= goal else {
      nextTry = 0
      return
    }
    guard pages >= nextTry, checkpointer.left(of: pages) <= Self.fewPages else { return }
    nextTry = restart(connection) ? 0 : pages + Self.pagesBetweenTries
  }

  /// Waits a little where the log is as long as it may become.
  ///
  /// - Returns: what writes are refused with where it stays so.
  func waitForRoom(_ connection: any SQLConnection) -> SCIMError? {
    guard connection.logPages >= max(options.longestLogPages, goal) else {
      if state.isFull { hasRoomAgain() } else { faults.end() }
      return nil
    }
    state.isFull = true
    let end = Deadline(milliseconds: hasRefused ? 0 : options.logPatience, clock: Deadline.monotonic)
    repeat {
      checkpointer.waitForCopy()
      if restart(connection) {
        hasRoomAgain()
        return nil
      }
      if !end.isOver { usleep(2000) }
    } while !end.isOver
    hasRefused = true
    faults.begin("the log has its full length, and something reads an old state of the database; writes are refused")
    return SCIMError(.unavailable, "The database cannot be changed at the moment. Try again later.")
  }

  /// True while writes are refused for the length of the log.
  var isFull: Bool { state.isFull }

  /// Tries again while nothing is written: else readers would have to be quick until the next write.
  func retry(_ connection: any SQLConnection) {
    if restart(connection) { hasRoomAgain() }
  }

  private func hasRoomAgain() {
    state.isFull = false
    hasRefused = false
    faults.end()
  }

  /// Gives room back to a full disk: copies the log and empties its file. False where that is not possible.
  func makeRoom(_ connection: any SQLConnection) -> Bool {
    // While it copies, the engine refuses another copy at once.
    checkpointer.waitForCopy()
    do throws(SQLError) {
      try connection.checkpoint(.truncate)
      return true
    } catch {
      if error.kind != .busy { faults.begin(error.message) }
      return false
    }
  }

  /// True where the next write begins the log anew.
  private func restart(_ connection: any SQLConnection) -> Bool {
    do throws(SQLError) {
      try connection.checkpoint(.restart)
      return true
    } catch {
      // Something reads or copies, but not for long.
      if error.kind != .busy { faults.begin(error.message) }
      return false
    }
  }

  /// On a disk with little room the log begins anew sooner, and its file is cut: what it takes the database cannot have.
  private func look(_ connection: any SQLConnection, pages: Int) {
    nextLook = pages + Self.pagesBetweenLooks
    guard let free = connection.freePages else { return }
    let most = max(options.maximumLogPages, 1)
    goal = min(most, max((free + pages) / 4, min(most, Self.fewestPages)))
    let wanted = max(goal, Self.fewestPages)
    guard kept == 0 || wanted < kept / 2 || (wanted > kept && (wanted == most || wanted > kept * 2)) else { return }
    do throws(SQLError) {
      try connection.keepLog(pages: wanted)
      kept = wanted
    } catch {
      faults.begin(error.message)
    }
  }
}
