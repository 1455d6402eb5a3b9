import SCIMCore
import Synchronization

extension SQLStore {
  /// What became of changes of definitions that were cut short.
  public struct TidiedChanges: Sendable, Equatable {
    /// Those that could still fail: the definitions of before hold.
    public var undone = 0
    /// Those by force that were removing what is in the way, and are made now.
    public var finished = 0
  }

  /// Makes the rest of a change by force, of that organisation and with that number.
  public typealias ChangeResumption =
    @Sendable (OrganizationID, Int64, @escaping @Sendable (Result<Void, SCIMError>) -> Void) -> Void

  /// Ends all changes of definitions that are under way, which a stop has cut short, and removes what they and others have
  /// left behind, one transaction after the other behind whatever waits. Until then all is searched by the definitions in
  /// force. Those by force that cannot fail any more, and have removed something perhaps, are made; all others are given up.
  ///
  /// - Parameter completion: called with how many changes there were, or with what went wrong: then the next call goes on.
  public func endChanges(
    resuming resume: @escaping ChangeResumption,
    completion: @escaping @Sendable (Result<TidiedChanges, SCIMError>) -> Void
  ) {
    do throws(SCIMError) {
      try workers.submit(for: nil, refused: { completion(.failure($0)) }) { [self] reader in
        do throws(SCIMError) {
          guard let reader = reader as? SQLReader else { return completion(.success(TidiedChanges())) }
          try endChanges(reader.changesUnderWay(), by: reader, resuming: resume, completion)
        } catch {
          completion(.failure(error))
        }
      }
    } catch {
      completion(.failure(error))
    }
  }

  /// As `endChanges`, of changes that have had no transaction for the last ten calls: what made them has ended, or had no
  /// room on the disk. No commit where there is nothing to do.
  ///
  /// - Throws: where the store is closed, and nothing will be called.
  public func tidyChanges(
    resuming resume: @escaping ChangeResumption,
    completion: @escaping @Sendable (Result<TidiedChanges, SCIMError>) -> Void
  ) throws(SCIMError) {
    try workers.submit(for: nil) { [self] reader in
      do throws(SCIMError) {
        guard let reader = reader as? SQLReader else { return completion(.success(TidiedChanges())) }
        try reader.pin()
        defer { reader.unpin() }
        let left = idleChanges.look(at: try reader.changesUnderWay())
        let stale = try reader.organizationsWithStale()
        guard !left.isEmpty || !stale.isEmpty else { return completion(.success(TidiedChanges())) }
        try endChanges(left, by: reader, resuming: resume, completion)
      } catch {
        completion(.failure(error))
      }
    }
  }

  private func endChanges(
    _ changes: [ChangeUnderWay], by reader: SQLReader, resuming resume: @escaping ChangeResumption,
    _ completion: @escaping @Sendable (Result<TidiedChanges, SCIMError>) -> Void
  ) throws(SCIMError) {
    // Read here, where nobody waits.
    var resumed: [ChangeUnderWay] = []
    for one in changes where one.isCertain {
      guard let pending = try reader.pendingChange(of: one.organization), pending.number == one.number,
        pending.mustBeFinished
      else { continue }
      resumed.append(one)
    }
    let given = changes.filter { one in !resumed.contains { $0.number == one.number } }
    giveUp(given) { [self, resumed] result in
      guard case .success(let count) = result else { return completion(result.map { TidiedChanges(undone: $0) }) }
      resumeNext(resumed[...], TidiedChanges(undone: count), resume, completion)
    }
  }

  /// Makes the rest of the changes, one after the other. One that fails holds up none of the others.
  private func resumeNext(
    _ left: ArraySlice<ChangeUnderWay>, _ tidied: TidiedChanges, failure: SCIMError? = nil,
    _ resume: @escaping ChangeResumption,
    _ completion: @escaping @Sendable (Result<TidiedChanges, SCIMError>) -> Void
  ) {
    guard let next = left.first else {
      return completion(failure.map { .failure($0) } ?? .success(tidied))
    }
    resume(next.organization, next.number) { [self] result in
      var (tidied, failure) = (tidied, failure)
      switch result {
      case .success: tidied.finished += 1
      case .failure(let error): failure = failure ?? error
      }
      resumeNext(left.dropFirst(), tidied, failure: failure, resume, completion)
    }
  }

  private func giveUp(
    _ changes: [ChangeUnderWay], _ completion: @escaping @Sendable (Result<Int, SCIMError>) -> Void
  ) {
    writeInSteps(
      for: nil, weight: 1, from: nil,
      { (transaction, known: Int?) throws(SCIMError) -> WriteStep<Int?, Int> in
        guard let transaction = transaction as? SQLTransaction else { return .done(0) }
        guard let known else {
          var count = 0
          for one in changes {
            guard try transaction.numberOfChange(of: one.organization) == one.number else { continue }
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
  /// True where it can only succeed.
  var isCertain: Bool
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
          organization: OrganizationID(rawValue: $0.integer(0)), number: $0.integer(1), slices: $0.integer(2),
          isCertain: $0.integer(3) != 0))
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
