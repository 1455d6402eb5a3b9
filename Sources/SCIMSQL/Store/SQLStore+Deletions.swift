import SCIMCore

extension SQLStore {
  /// Goes on with deletions that a stop has cut short, one transaction after the other behind whatever waits.
  ///
  /// - Parameter completion: called with how many there were once all are done, or with what went wrong: then the next
  ///   call goes on.
  public func resumeDeletions(completion: @escaping @Sendable (Result<Int, SCIMError>) -> Void) {
    writeInSteps(
      for: nil, weight: 1, from: 0,
      { (transaction, done) throws(SCIMError) -> WriteStep<Int, Int> in
        guard let transaction = transaction as? SQLTransaction, let next = try transaction.unfinishedDeletions().first
        else { return .done(done) }
        let isDone =
          if let resource = next.resource {
            try transaction.continueDeletion(of: resource, in: next.organization)
          } else {
            try transaction.deleteOrganization(next.organization)
          }
        return .further(isDone ? done + 1 : done)
      }, completion: completion)
  }
}
