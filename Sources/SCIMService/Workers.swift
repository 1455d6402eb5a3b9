import HTTPMessage
import SCIMCore

/// Runs what may take long of one organisation on worker threads.
struct Workers: Sendable {
  private let organization: OrganizationID
  private let offload: Service.Offload

  init(of organization: OrganizationID, offload: @escaping Service.Offload) {
    self.organization = organization
    self.offload = offload
  }

  /// Runs a job with a reader of the worker's own, unless it has been abandoned before its turn. Where the workers do not
  /// come to it in time, `refused` is told.
  ///
  /// - Throws: where the workers do not take it: then nothing will run.
  func run(
    isAbandoned: @escaping @Sendable () -> Bool = { false }, refused: @escaping @Sendable (SCIMError) -> Void,
    _ job: @escaping @Sendable (any TenantReader) -> Void
  ) throws(SCIMError) {
    let organization = organization
    try offload(organization, isAbandoned, refused) { reader in job(reader.tenant(organization)) }
  }

  /// Runs an operation whose outcome goes to a sink, that of a write to another one, which the writer's thread calls; where
  /// it is refused, the sink is told.
  func run(
    isAbandoned: @escaping @Sendable () -> Bool = { false }, to sink: @escaping Operation.Sink,
    ofWrite: @escaping Operation.Sink,
    _ operation: @escaping @Sendable (any TenantReader) throws(SCIMError) -> Operation
  ) {
    do throws(SCIMError) {
      try run(isAbandoned: isAbandoned, refused: { sink(.failure($0)) }) { reader in
        do throws(SCIMError) {
          switch try operation(reader) {
          case .answer(let response): sink(.success(response))
          case .write(let job): job(ofWrite)
          }
        } catch {
          sink(.failure(error))
        }
      }
    } catch {
      sink(.failure(error))
    }
  }
}
