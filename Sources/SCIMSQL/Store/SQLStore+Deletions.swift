import SCIMCore
import Synchronization

extension SQLStore {
  /// Goes on with deletions that a stop or a failure has cut short, one transaction after the other behind whatever
  /// waits. One that fails holds up none of the others.
  ///
  /// - Parameter completion: called once each is done or has failed, with how many are done, and the first failure: what
  ///   is left then the next call goes on with.
  public func resumeDeletions(completion: @escaping @Sendable (_ done: Int, _ failure: SCIMError?) -> Void) {
    goOn(Resumption(), completion)
  }

  /// As `resumeDeletions`, after a look on a worker whether there are any: no commit where there are none.
  ///
  /// - Throws: where the store is closed, and nothing will be called.
  public func retryDeletions(
    completion: @escaping @Sendable (_ done: Int, _ failure: SCIMError?) -> Void
  ) throws(SCIMError) {
    try workers.submit(for: nil) { [self] reader in
      do throws(SCIMError) {
        guard let reader = reader as? SQLReader, try !reader.unfinishedDeletions().isEmpty else {
          return completion(0, nil)
        }
        resumeDeletions(completion: completion)
      } catch {
        completion(0, error)
      }
    }
  }

  private struct Resumption: Sendable {
    var done = 0
    var failed: Set<UnfinishedDeletion> = []
    var failure: SCIMError?
  }

  private func goOn(
    _ resumption: Resumption, _ completion: @escaping @Sendable (_ done: Int, _ failure: SCIMError?) -> Void
  ) {
    let tried = Mutex<UnfinishedDeletion?>(nil)
    write(for: nil, weight: 1) { (transaction) throws(SCIMError) -> Bool? in
      guard let transaction = transaction as? SQLTransaction,
        let next = try transaction.unfinishedDeletions().first(where: { !resumption.failed.contains($0) })
      else { return nil }
      tried.withLock { $0 = next }
      if let resource = next.resource {
        return try transaction.continueDeletion(of: resource, in: next.organization)
      }
      return try transaction.deleteOrganization(next.organization)
    } completion: { result in
      var resumption = resumption
      switch result {
      case .success(let isDone?): if isDone { resumption.done += 1 }
      case .success(nil): return completion(resumption.done, resumption.failure)
      case .failure(let error):
        resumption.failure = resumption.failure ?? error
        // Where none was come to, the store is closing, or cannot be read.
        guard let one = tried.withLock({ $0 }) else { return completion(resumption.done, resumption.failure) }
        resumption.failed.insert(one)
      }
      self.goOn(resumption, completion)
    }
  }
}

/// A deletion that was begun and is not finished.
struct UnfinishedDeletion: Hashable, Sendable {
  let organization: OrganizationID
  /// The number of the resource; nil where the whole organisation goes.
  let resource: Int64?
}

extension SQLReader {
  /// What was begun and is not finished.
  func unfinishedDeletions() throws(SCIMError) -> [UnfinishedDeletion] {
    var found: [UnfinishedDeletion] = []
    try statements.get(.deletions).forEach { row in
      found.append(
        UnfinishedDeletion(
          organization: OrganizationID(rawValue: row.integer(0)),
          resource: row.integer(1) == 0 ? nil : row.integer(1)))
    }
    return found
  }
}
