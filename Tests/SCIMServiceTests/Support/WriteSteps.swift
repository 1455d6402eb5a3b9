import SCIMCore
import SCIMSQL
import Synchronization

/// Counts the steps of work that each commit of a store took.
final class WriteSteps: Sendable {
  private let commits = Mutex<[Int]>([])

  var options: SQLStoreOptions {
    var options = SQLStoreOptions()
    options.didWrite = { [self] steps in commits.withLock { $0.append(steps) } }
    return options
  }

  /// The steps of each commit since the last call.
  func take() -> [Int] {
    commits.withLock { commits in
      defer { commits = [] }
      return commits
    }
  }
}
