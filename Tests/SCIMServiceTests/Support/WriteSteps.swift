import SCIMCore
import SCIMSQL
import Synchronization

/// Counts the steps of work that each commit of a store took, and how often its writer had to read definitions.
final class WriteSteps: Sendable {
  private let commits = Mutex<[Int]>([])
  private let reads = Mutex(0)

  /// How often the writer itself has read definitions of an organisation.
  var loads: Int { reads.withLock { $0 } }

  var options: SQLStoreOptions {
    var options = SQLStoreOptions()
    options.didLoad = { [self] in reads.withLock { $0 += 1 } }
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
