import HTTPMessage
import SCIMCore

/// What all loops share: settings, the registry and the store. Immutable; each loop asks it through a `SCIMResponder`
/// of its own.
public final class Service: Sendable {
  let configuration: ServiceConfiguration
  let registry: SchemaRegistry
  let store: any Store
  /// The path of the configured base URL, under which requests are taken as well.
  let basePrefix: String?
  let rateLimiter: RateLimiter?
  let passwordHasher: PasswordHasher
  let keyUses = KeyUses()
  let ignoredNames = IgnoredNames()
  let definitionTurns = DefinitionTurns()

  public init(configuration: ServiceConfiguration, registry: SchemaRegistry, store: any Store) {
    self.configuration = configuration
    self.registry = registry
    self.store = store
    rateLimiter = configuration.requestsPerSecond.map { RateLimiter(requestsPerSecond: $0) }
    passwordHasher = PasswordHasher(threads: configuration.passwordThreads, hash: configuration.hashPassword)
    basePrefix = configuration.baseURL.flatMap { url in
      guard let scheme = url.firstRange(of: "://") else { return nil }
      let rest = url[scheme.upperBound...]
      return rest.firstIndex(of: "/").map { String(rest[$0...]) }
    }
  }

  /// A responder for one loop, with a reader of its own.
  public func makeResponder() throws(SCIMError) -> SCIMResponder {
    SCIMResponder(service: self, reader: try store.makeReader())
  }
}
