import Foundation
import Synchronization

/// Runs something many times at once.
enum Parallel {
  /// The results of `body` for `0..<count`, by index, from as many threads as given.
  static func map<Value: Sendable>(
    _ count: Int, threads: Int = 16, _ body: @escaping @Sendable (Int) throws -> Value
  ) throws -> [Value] {
    let next = Atomic<Int>(0)
    let results = Mutex<[Int: Result<Value, any Error>]>([:])
    let group = DispatchGroup()
    for _ in 0..<threads {
      group.enter()
      let thread = Thread {
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < count else { break }
          let result = Result { try body(index) }
          results.withLock { $0[index] = result }
        }
        group.leave()
      }
      thread.start()
    }
    group.wait()
    return try results.withLock { results in try (0..<count).compactMap { try results[$0]?.get() } }
  }
}
