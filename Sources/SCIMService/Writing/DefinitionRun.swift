import SCIMCore

/// One change of an organisation's definitions, from its beginning to its end:
///
/// 1. `plan`, outside the writer, reads all definitions and finds out what the change means.
/// 2. `begin`, in a transaction, notes it, where the definitions are still those that it was planned from: from then on
///    what is written is indexed for both definitions. What concerns no stored resource is made at once.
/// 3. `survey`, outside the writer, looks at what is stored: what does not fit, and what is to be indexed.
/// 4. `step`, in as many transactions as it takes, indexes that, removes what is in the way and is to go by force, and in
///    the last one changes the definitions.
/// 5. `tidy`, in as many, removes what the old ones have left in the index. After a failure it removes what was
///    written for the new ones, unless the change can no longer be undone: then it stays, for `serve` to finish.
public struct DefinitionRun: Sendable {
  let writer: DefinitionWriter
  /// Makes the change of the definitions that hold.
  let make: @Sendable (any TenantReader) throws(SCIMError) -> DefinitionChange
  /// With the plan: what else is held against the definitions.
  var check: @Sendable (any TenantReader) throws(SCIMError) -> Void = { _ in }
  /// In the last transactions before the definitions change; false where another one has to follow, only in a change that
  /// concerns no stored resource by itself: a failure between two of them would not bring back what the first did.
  var prepare: @Sendable (any TenantTransaction) throws(SCIMError) -> Bool = { _ in true }
  /// With the definitions, in the same transaction.
  var finish: @Sendable (any TenantTransaction) throws(SCIMError) -> Void = { _ in }

  private var carrier: ResourceCarrier { ResourceCarrier() }

  public init(
    writer: DefinitionWriter, _ make: @escaping @Sendable (any TenantReader) throws(SCIMError) -> DefinitionChange
  ) {
    self.writer = writer
    self.make = make
  }

  /// What the first transaction came to.
  public enum Beginning: Sendable {
    /// The definitions are changed.
    case made(SchemaRegistry)
    /// The change has that number in the store.
    case begun(Int64)
    /// The definitions are no more those of the plan: nothing is changed, and it has to be planned anew.
    case outdated
  }

  /// So often a change is planned where another process changes the definitions each time before it begins.
  public static let plans = 5
  /// What is told to whoever wanted it then.
  static let alwaysOutdated = SCIMError(
    .unavailable, "The organisation's definitions were changed by others meanwhile. Try again.")

  /// What is to be done, and how far that has come.
  public struct Work: Sendable {
    let number: Int64
    /// The resources to be indexed, by type.
    let resources: [(type: String, handles: [Int64])]
    /// The places of the type and of its resource that come next.
    var next = (type: 0, resource: 0)
    /// The misfit that was looked at last.
    var misfit: Int64 = 0
    var misfits: [String: ResourceCarrier.ResourceCount] = [:]
  }

  // MARK: The beginning

  /// What the change means. It reads all of the organisation's definitions.
  ///
  /// - Throws: `invalidValue` with what the loader finds wrong.
  public func plan(in reader: any TenantReader) throws(SCIMError) -> PendingChange {
    try reader.snapshot { () throws(SCIMError) in
      try check(reader)
      return try writer.plan(make(reader), in: reader)
    }
  }

  /// - Parameter isAlone: takes all that one transaction may, since none may follow.
  /// - Throws: `conflict` for a type in use.
  public func begin(
    _ plan: PendingChange, isAlone: Bool = false, in transaction: any TenantTransaction
  ) throws(SCIMError) -> WriteStep<Void, Beginning> {
    guard try transaction.isPresent(plan.before) else { return .done(.outdated) }
    // One that another request or process has begun, or that was cut short, gives way.
    try transaction.giveUpChange()
    guard try transaction.removeStale() else { return .further(()) }
    for name in plan.unreadable { try carrier.checkEmpty(name, in: transaction) }
    if !plan.change.isForced { for type in plan.leaving { try carrier.checkUnused(type, in: transaction) } }
    guard plan.isNothing else {
      if !isAlone, try !transaction.makeNames(plan) { return .further(()) }
      return .done(.begun(try transaction.beginChange(plan)))
    }
    guard try prepare(transaction) else { return .further(()) }
    return .done(.made(try store(plan, in: transaction)))
  }

  /// Looks at some of what is stored, in the order of creation. Whatever is written since the beginning is indexed for
  /// both definitions, so that nothing is missed, whatever is committed between two calls.
  ///
  /// - Returns: `done` once all was looked at.
  /// - Throws: `invalidValue` with the number and the first ids of the stored resources that would not fit; `uniqueness`
  ///   with those that share what is to be unique; `conflict` for an extension in use.
  public func survey(_ survey: Survey, in reader: any TenantReader) throws(SCIMError) -> WriteStep<Survey, Work> {
    let pending = try change(survey.number, in: reader)
    let parts = pending.parts.values.sorted { $0.new.name < $1.new.name }
    var survey = survey
    if survey.isNew, parts.contains(where: { !$0.checksDocuments }) { try checkShared(parts, in: reader) }
    survey.isNew = false
    guard survey.resources.count < parts.count else {
      return .done(Work(number: survey.number, resources: survey.resources))
    }
    let part = parts[survey.resources.count]
    if try carrier.survey(part, isForced: pending.change.isForced, &survey.part, in: reader) {
      survey.resources.append((part.new.name, survey.part.handles))
      survey.part = ResourceCarrier.Survey()
    }
    return .further(survey)
  }

  /// How far the look at what is stored has come.
  public struct Survey: Sendable {
    let number: Int64
    var isNew = true
    var resources: [(type: String, handles: [Int64])] = []
    /// Of the type that comes next.
    var part = ResourceCarrier.Survey()

    /// - Parameter number: of the change.
    public init(_ number: Int64) {
      self.number = number
    }
  }

  /// How many doubles a refusal lists.
  private static let shown = 20

  private func checkShared(_ parts: [IndexChange], in reader: any TenantReader) throws(SCIMError) {
    for path in Set(parts.flatMap(\.uniquePaths)).sorted() {
      var lines: [String] = []
      for part in parts where part.uniquePaths.contains(path) {
        let sharing = try reader.resourcesSharing(path, of: part.old, limit: Self.shown + 1)
        lines += sharing.map { "\(part.new.name) " + $0.joined(separator: ", ") }
      }
      guard lines.isEmpty else {
        let more = lines.count > Self.shown ? "; and more" : ""
        throw SCIMError(
          .uniqueness,
          "'\(path)' cannot be unique, since these resources share a value: "
            + lines.prefix(Self.shown).joined(separator: "; ") + more + ".")
      }
    }
  }

  // MARK: The slices

  /// One transaction of the change.
  ///
  /// - Parameter isAlone: takes all that one transaction may, since none may follow.
  /// - Throws: `unavailable` where another change has taken the place of this one; what the survey would.
  public func step(
    _ work: Work, isAlone: Bool = false, in transaction: any TenantTransaction
  ) throws(SCIMError) -> WriteStep<Work, SchemaRegistry> {
    let pending = try change(work.number, in: transaction)
    try transaction.moveChange()
    let limit = isAlone ? Int.max : ResourceCarrier.stepsPerTransaction
    var work = work
    guard try index(&work, pending, limit: limit, in: transaction) else { return .further(work) }
    if !pending.isCertain {
      guard try lookAtMisfits(&work, pending, limit: limit, in: transaction) else { return .further(work) }
      if !pending.change.isForced { for type in pending.leaving { try carrier.checkUnused(type, in: transaction) } }
      for name in pending.unreadable { try carrier.checkEmpty(name, in: transaction) }
      // What goes now would be gone if it failed later.
      if pending.change.isForced { try transaction.makeChangeCertain() }
    }
    if pending.change.isForced {
      for type in pending.leaving where try !carrier.remove(type, in: transaction) { return .further(work) }
      for part in pending.parts.values where try !carrier.removeValues(from: part.old, to: part.new, in: transaction) {
        return .further(work)
      }
    }
    guard try prepare(transaction) else { return .further(work) }
    try transaction.switchIndex()
    return .done(try store(pending, in: transaction))
  }

  /// True where all are indexed.
  private func index(
    _ work: inout Work, _ pending: PendingChange, limit: Int, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    while work.next.type < work.resources.count {
      let (type, handles) = work.resources[work.next.type]
      guard work.next.resource < handles.count, let part = pending.parts[type] else {
        work.next = (work.next.type + 1, 0)
        continue
      }
      guard transaction.budget.spent < limit else { return false }
      // What does not fit is looked at again in the end: it may have become another by then.
      _ = try carrier.index(handles[work.next.resource], part, in: transaction)
      work.next.resource += 1
    }
    return true
  }

  /// True where nothing is left that does not fit.
  ///
  /// - Throws: `invalidValue` with what does not.
  private func lookAtMisfits(
    _ work: inout Work, _ pending: PendingChange, limit: Int, in transaction: any TenantTransaction
  ) throws(SCIMError) -> Bool {
    while true {
      let handles = try transaction.misfits(after: work.misfit, limit: 100)
      guard !handles.isEmpty else {
        for (type, misfits) in work.misfits.sorted(by: { $0.key < $1.key }) { try misfits.check(type: type) }
        // Some may have come meanwhile before those.
        let isDone = try transaction.misfits(after: 0, limit: 1).isEmpty
        guard work.misfit > 0, !isDone else { return true }
        work.misfit = 0
        continue
      }
      for handle in handles {
        guard transaction.budget.spent < limit else { return false }
        for part in pending.parts.values {
          guard let misfit = try carrier.index(handle, part, in: transaction) else { continue }
          work.misfits[part.new.name, default: ResourceCarrier.ResourceCount()].add(misfit.id, misfit.reason)
        }
        work.misfit = handle
      }
    }
  }

  private func store(
    _ pending: PendingChange, in transaction: any TenantTransaction
  ) throws(SCIMError) -> SchemaRegistry {
    for definition in pending.change.remove {
      try transaction.removeDefinition(kind: definition.kind, name: definition.name)
    }
    for definition in pending.change.put {
      try transaction.putDefinition(
        kind: definition.kind, name: definition.name, document: definition.document)
    }
    try finish(transaction)
    return try transaction.registry(after: pending)
  }

  private func change(_ number: Int64, in reader: any TenantReader) throws(SCIMError) -> PendingChange {
    guard let pending = try reader.pendingChange(), pending.number == number else {
      throw SCIMError(
        .unavailable,
        "Another change of the organisation's definitions has taken the place of this one, which was undone. Try again."
      )
    }
    return pending
  }

  // MARK: The end

  /// Removes what is of no use any more, as much as one of several transactions may.
  ///
  /// - Parameter number: of the change that has failed, which is given up where it can be; nil for one that was made.
  public func tidy(
    givingUp number: Int64?, in transaction: any TenantTransaction
  ) throws(SCIMError) -> WriteStep<Void, Ending> {
    if let number, try transaction.numberOfChange() == number {
      if try transaction.pendingChange()?.mustBeFinished == true { return .done(.unfinished) }
      try transaction.giveUpChange()
    }
    return try transaction.removeStale() ? .done(.ended) : .further(())
  }

  /// What became of a change.
  public enum Ending: Sendable {
    /// It is made, or undone.
    case ended
    /// It has begun to remove what is in the way, and is finished later (`resume`).
    case unfinished
  }

  /// What is told of a change that is finished later.
  ///
  /// - Parameter error: by which it was stopped.
  static func unfinished(after error: SCIMError) -> SCIMError {
    SCIMError(
      .unavailable,
      "\(error.detail) The change cannot be undone any more, since it has begun to remove what is in the way. A server finishes"
        + " it within some ten minutes, or at once where the same is asked for again.")
  }
}
