import HTTPMessage
import SCIMCore

/// What all loops share: settings, the registry and the store. Immutable; each loop asks it through a `SCIMResponder`
/// of its own.
public final class Service: Sendable {
  /// What a request may hold.
  let context: ServiceContext
  let store: any Store
  let offload: Offload
  let keyUses = KeyUses()

  /// Runs something of an organisation that may take long on a worker thread with a reader of its own, unless it has been
  /// abandoned before its turn; throws where the workers do not take it, and nothing will run. Where they do not come to
  /// it in time, `refused` is told.
  public typealias Offload =
    @Sendable (
      _ organization: OrganizationID, _ isAbandoned: @escaping @Sendable () -> Bool,
      _ refused: @escaping @Sendable (SCIMError) -> Void,
      _ job: @escaping @Sendable (any StoreReader) -> Void
    ) throws(SCIMError) -> Void

  public init(
    configuration: ServiceConfiguration, registry: SchemaRegistry, store: any Store, offload: @escaping Offload
  ) {
    context = ServiceContext(configuration: configuration, registry: registry)
    self.store = store
    self.offload = offload
  }

  /// A responder for one loop, with a reader of its own.
  public func makeResponder() throws(SCIMError) -> SCIMResponder {
    SCIMResponder(service: self, reader: try store.makeReader())
  }
}

/// What all requests share, whatever their organisation: nothing of it reaches the store.
final class ServiceContext: Sendable {
  let configuration: ServiceConfiguration
  /// What every organisation has.
  let registry: SchemaRegistry
  /// The path of the configured base URL, under which requests are taken as well.
  let basePrefix: String?
  let rateLimiter: RateLimiter?
  let passwordHasher: PasswordHasher
  let ignoredNames = IgnoredNames()
  let definitionTurns = DefinitionTurns()

  init(configuration: ServiceConfiguration, registry: SchemaRegistry) {
    self.configuration = configuration
    self.registry = registry
    rateLimiter = configuration.requestsPerSecond.map { RateLimiter(requestsPerSecond: $0) }
    passwordHasher = PasswordHasher(threads: configuration.passwordThreads, hash: configuration.hashPassword)
    basePrefix = configuration.baseURL.flatMap { url in
      guard let scheme = url.firstRange(of: "://") else { return nil }
      let rest = url[scheme.upperBound...]
      return rest.firstIndex(of: "/").map { String(rest[$0...]) }
    }
  }
}
