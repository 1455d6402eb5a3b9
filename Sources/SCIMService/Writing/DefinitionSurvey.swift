import SCIMCore

/// What is known of the stored resources before a change of definitions, so that the change itself does not look at all
/// of them.
public struct DefinitionSurvey: Sendable {
  /// Of the definitions that the resources were looked at by; by others it is worth nothing.
  var revision: Int64
  /// What was written from then on is not in it.
  var since: Timestamp
  /// For each type the ids of the resources that have to be written anew.
  var affected: [String: [String]] = [:]
}

extension DefinitionWriter {
  /// Stores a change for the command line: looks at the resources first, and lets a server on the same file write between
  /// its transactions.
  ///
  /// - Parameters:
  ///   - isUnbounded: rewrites what has to be rewritten at once, however long that takes.
  ///   - make: makes the change of the definitions that hold.
  public func applyAndWait(
    to store: some Store, force: Bool = false, isUnbounded: Bool = false, pause: () -> Void,
    _ make: @escaping @Sendable (any StoreReader) throws(SCIMError) -> Change
  ) throws(SCIMError) {
    let since = try store.writeAndWait { (transaction) throws(SCIMError) in transaction.now }
    let reader = try store.makeReader()
    defer { reader.release() }
    let survey = try survey(make(reader), force: force, since: since, in: reader)
    reader.release()
    _ = try store.writeInStepsAndWait(from: (), pause: pause) { (transaction, _) throws(SCIMError) in
      if isUnbounded { transaction.budget = .unlimited }
      return try step(make(transaction), force: force, survey: survey, in: transaction)
    }
  }
}
