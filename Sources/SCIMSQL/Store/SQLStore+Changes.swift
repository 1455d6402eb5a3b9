import SCIMCore
import Synchronization

extension SQLStore {
  /// Gives up all changes of definitions that are under way, which a stop has cut short, and removes what they and others
  /// have left behind, one transaction after the other behind whatever waits. Until then all is searched by the
  /// definitions in force.
  ///
  /// - Parameter completion: called with how many changes there were, or with what went wrong: then the next call goes on.
  public func undoChanges(completion: @escaping @Sendable (Result<Int, SCIMError>) -> Void) {
    undoChanges(completion) { (reader) throws(SCIMError) in try reader.changesUnderWay() }
  }

  /// As `undoChanges`, of changes that have had no transaction for the last ten calls: what made them has ended, or had no
  /// room on the disk. After a look on a worker whether there is anything to do: no commit where there is nothing.
  ///
  /// - Throws: where the store is closed, and nothing will be called.
  public func tidyChanges(completion: @escaping @Sendable (Result<Int, SCIMError>) -> Void) throws(SCIMError) {
    try workers.submit(for: nil) { [self] reader in
      do throws(SCIMError) {
        guard let reader = reader as? SQLReader else { return completion(.success(0)) }
        try reader.pin()
        defer { reader.unpin() }
        let left = idleChanges.look(at: try reader.changesUnderWay())
        let stale = try reader.organizationsWithStale()
        guard !left.isEmpty || !stale.isEmpty else { return completion(.success(0)) }
        undoChanges(completion) { _ in left }
      } catch {
        completion(.failure(error))
      }
    }
  }

  private func undoChanges(
    _ completion: @escaping @Sendable (Result<Int, SCIMError>) -> Void,
    _ left: @escaping @Sendable (SQLReader) throws(SCIMError) -> [ChangeUnderWay]
  ) {
    writeInSteps(
      for: nil, weight: 1, from: nil,
      { (transaction, known: Int?) throws(SCIMError) -> WriteStep<Int?, Int> in
        guard let transaction = transaction as? SQLTransaction else { return .done(0) }
        guard let known else {
          var count = 0
          for one in try left(transaction) {
            guard try transaction.pendingChange(of: one.organization)?.number == one.number else { continue }
            try transaction.giveUpChange(of: one.organization)
            count += 1
          }
          return .further(count)
        }
        guard let next = try transaction.organizationsWithStale().first else { return .done(known) }
        _ = try transaction.removeStale(in: next)
        return .further(known)
      }, completion: completion)
  }
}

/// A change of definitions that is under way, or was.
struct ChangeUnderWay: Sendable {
  var organization: OrganizationID
  var number: Int64
  /// How many transactions it has had.
  var slices: Int64
}

/// Remembers which changes get no further from one look to the next.
final class IdleChanges: Sendable {
  private static let patience = 10
  private let seen = Mutex<[Int64: (slices: Int64, looks: Int)]>([:])

  /// Those that were the same in the last looks.
  func look(at changes: [ChangeUnderWay]) -> [ChangeUnderWay] {
    seen.withLock { seen in
      var next: [Int64: (slices: Int64, looks: Int)] = [:]
      for change in changes {
        let before = seen[change.number]
        next[change.number] = (change.slices, before?.slices == change.slices ? (before?.looks ?? 0) + 1 : 0)
      }
      seen = next
      return changes.filter { (next[$0.number]?.looks ?? 0) >= Self.patience }
    }
  }
}

extension SQLReader {
  func changesUnderWay() throws(SCIMError) -> [ChangeUnderWay] {
    var found: [ChangeUnderWay] = []
    try statements.get(.definitionChanges).forEach {
      found.append(
        ChangeUnderWay(
          organization: OrganizationID(rawValue: $0.integer(0)), number: $0.integer(1), slices: $0.integer(2)))
    }
    return found
  }

  /// The organisations with parts of the index that are to be removed, but for those with a change under way.
  func organizationsWithStale() throws(SCIMError) -> [OrganizationID] {
    var found: [OrganizationID] = []
    try statements.get(.staleOrganizations).forEach { found.append(OrganizationID(rawValue: $0.integer(0))) }
    return found
  }
}
