import SCIMCore

extension DefinitionRun {
  /// Makes the change for the command line; lets a server on the same file write between its transactions.
  public func applyAndWait(to tenant: Tenant, pause: () -> Void) throws(SCIMError) {
    let reader = try tenant.makeReader()
    guard let number = try begin(in: tenant, reader, pause: pause) else { return }
    var failure: SCIMError?
    do throws(SCIMError) {
      let work = try survey(number, by: reader)
      _ = try tenant.writeInStepsAndWait(from: work, pause: pause) { (transaction, work) throws(SCIMError) in
        try step(work, in: transaction)
      }
    } catch {
      failure = error
    }
    let abandoned = failure == nil ? nil : number
    // What stays where this fails goes with the next change, or at the next start of a server.
    let ending = try? tenant.writeInStepsAndWait(from: (), pause: pause) { (transaction, _) throws(SCIMError) in
      try tidy(givingUp: abandoned, in: transaction)
    }
    guard let failure else { return }
    throw ending == .unfinished ? Self.unfinished(after: failure) : failure
  }

  /// The number of the change; nil where it is made at once.
  private func begin(
    in tenant: Tenant, _ reader: any TenantReader, pause: () -> Void
  ) throws(SCIMError) -> Int64? {
    for _ in 0..<Self.plans {
      let plan = try plan(in: reader)
      let beginning = try tenant.writeInStepsAndWait(from: (), pause: pause) { (transaction, _) throws(SCIMError) in
        try begin(plan, in: transaction)
      }
      switch beginning {
      case .made: return nil
      case .begun(let number): return number
      case .outdated: continue
      }
    }
    throw Self.alwaysOutdated
  }

  private func survey(_ number: Int64, by reader: any TenantReader) throws(SCIMError) -> Work {
    var next = Survey(number)
    while true {
      // A long look at one state would keep the log from beginning anew.
      defer { reader.release() }
      switch try survey(next, in: reader) {
      case .done(let work): return work
      case .further(let further): next = further
      }
    }
  }

  /// The look at what is stored, by one that alone writes.
  func survey(_ number: Int64, in transaction: any TenantTransaction) throws(SCIMError) -> Work {
    var next = Survey(number)
    while true {
      switch try survey(next, in: transaction) {
      case .done(let work): return work
      case .further(let further): next = further
      }
    }
  }
}

extension DefinitionWriter {
  /// Stores a change for the command line (`DefinitionRun.applyAndWait`).
  ///
  /// - Parameter make: makes the change of the definitions that hold.
  public func applyAndWait(
    to tenant: Tenant, force: Bool = false, pause: () -> Void,
    _ make: @escaping @Sendable (any TenantReader) throws(SCIMError) -> Change
  ) throws(SCIMError) {
    let run = DefinitionRun(writer: self) { (reader) throws(SCIMError) in
      var change = try make(reader)
      change.isForced = force
      return change
    }
    try run.applyAndWait(to: tenant, pause: pause)
  }
}
