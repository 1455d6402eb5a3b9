import SCIMCore

extension DefinitionRun {
  /// Makes the rest of a change by force that a stop has cut short when it could not fail any more: resources or values are
  /// gone already, or all are.
  ///
  /// - Parameters:
  ///   - number: of the change.
  ///   - base: what every organisation has.
  ///   - completion: called once the definitions are changed, or with what went wrong: then it can be tried again.
  public static func resume(
    _ number: Int64, of tenant: Tenant, base: SchemaRegistry,
    completion: @escaping @Sendable (Result<Void, SCIMError>) -> Void
  ) {
    let run = DefinitionRun(writer: DefinitionWriter(base: base)) { (_) throws(SCIMError) in
      throw SCIMError(.internalError, "a change that is resumed is not made anew")
    }
    tenant.writeInSteps(
      weight: 1000, from: Work(number: number, resources: []),
      { (transaction, work) throws(SCIMError) in try run.step(work, in: transaction) },
      completion: { result in
        if case .failure(let error) = result { return completion(.failure(error)) }
        // What stays where this fails goes with the next look.
        tenant.writeInSteps(
          weight: 1000, from: (),
          { (transaction, _) throws(SCIMError) in try run.tidy(givingUp: nil, in: transaction) },
          completion: { _ in completion(.success(())) })
      })
  }
}
