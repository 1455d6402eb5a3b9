import Dispatch
import HTTPServer
import SCIMCore
import SCIMSQL
import SCIMSQLite
import SCIMService
import Secrets

/// `roster serve`: answers SCIM requests until it is told to stop.
enum ServeCommand {
  static let command = Command(
    name: "serve", summary: "answer SCIM requests over HTTP",
    details: "SIGTERM or SIGINT (Ctrl-C) stops it: requests under way are finished, new ones are refused. A second one"
      + " ends it at once. The database is made if there is none.",
    options: ServeConfiguration.options, run: run)

  @Sendable private static func run(_ invocation: Invocation) throws {
    let configuration = try ServeConfiguration(invocation)
    // Before the store and the server start threads, which inherit what is blocked.
    var signals = StopSignals()
    let registry = try Database.registry(invocation)
    var options = SQLStoreOptions(writesPerCommit: configuration.writesPerCommit)
    options.queryTimeout = configuration.queryTimeout
    let store = try Database.open(configuration.database, registry: registry, options: options)
    defer { store.close() }
    let hasDemoKey = try checkDemoKeys(configuration, store)

    let service = Service(
      configuration: try serviceConfiguration(configuration, store), registry: registry, store: store)
    let server = Server(configuration.server) { _ in try service.makeResponder() }
    try server.start()
    Console.output.write(
      greeting(configuration, port: server.port, hasDemoKey: hasDemoKey, isTerminal: Console.output.isTerminal))
    prepare(store, registry: registry)
    signals.wait()
    Console.error.writeLine("roster: stopping")
    server.stop()
  }

  /// What is to be done once, and keeps no request waiting: the tables by which text is compared, and a look at what
  /// this version's schemas mean for the organisations' own.
  private static func prepare(_ store: SQLStore, registry: SchemaRegistry) {
    DispatchQueue.global(qos: .utility).async { Folding.prepare() }
    let log = RequestLog(format: .logfmt)
    try? store.workers.submit(for: nil) { reader in
      do throws(SCIMError) {
        for organization in try reader.organizations() {
          let definitions = try reader.definitions(of: organization.id)
          let base = try? GroupGrants.added(to: registry, where: organization.grants)
          for note in DefinitionNote.all(definitions, base: base ?? registry) {
            log.write(
              level: note.isFault ? "error" : "warning", event: "definitions",
              [("org", organization.name), ("message", note.text)])
          }
        }
      } catch {
        log.write(level: "error", event: "definitions", [("message", error.detail)])
      }
    }
  }

  /// True where a demo key opens this server.
  private static func checkDemoKeys(_ configuration: ServeConfiguration, _ store: SQLStore) throws -> Bool {
    let reader = try store.makeReader()
    defer { reader.release() }
    let workshop = try reader.key(digest: SecretDigest.sha256(DemoKeys.workshop))
    let isValid = workshop?.key.isValid(at: .now) == true
    guard !ServeConfiguration.isLoopback(configuration.server.host) else { return isValid }
    guard !configuration.allowsDemoKeys else { return isValid }
    for secret in DemoKeys.all {
      if let found = try reader.key(digest: SecretDigest.sha256(secret)), found.key.isValid(at: .now) {
        throw CommandFailure(
          message: """
            organisation \(found.organization.name) has a demo key that everybody knows, and others can reach \
            \(configuration.server.host).
            Revoke it (roster key revoke \(found.organization.name) \(found.key.id)), listen on 127.0.0.1, or say \
            --allow-demo-key.
            """)
      }
    }
    return false
  }

  private static func serviceConfiguration(
    _ configuration: ServeConfiguration, _ store: SQLStore
  ) throws -> ServiceConfiguration {
    // Kept in the database, so that a cursor given out before a restart is good after it.
    let candidate = RandomBytes.make(count: 32)
    let secret = try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.installationSecret(named: "cursor", candidate: candidate)
    }
    let authenticator = MessageAuthenticator(key: secret)
    let log = RequestLog(format: configuration.logFormat ?? .logfmt)
    // A demo key that is seeded while the server runs stays shut as well.
    let refused: Set<String> =
      configuration.allowsDemoKeys || ServeConfiguration.isLoopback(configuration.server.host)
      ? [] : Set(DemoKeys.all)
    let nothing = RandomBytes.make(count: 32)
    let workers = store.workers
    var service = ServiceConfiguration(
      digest: { refused.contains($0) ? nothing : SecretDigest.sha256($0) },
      hashPassword: Passwords.hash,
      authenticate: { authenticator.tag(for: $0) },
      offload: { (organization, job) throws(SCIMError) in try workers.submit(for: organization, job) },
      log: { log.write(level: "error", event: "fault", [("message", $0)]) })
    service.baseURL = configuration.baseURL
    service.trustsProxy = configuration.trustsProxy
    service.defaultPageSize = configuration.pageSize
    service.maxPageSize = configuration.maxPageSize
    service.passwordThreads = Passwords.threads
    service.requestsPerSecond = configuration.rateLimit
    if configuration.logFormat != nil { service.record = { log.request($0) } }
    return service
  }

  /// What is printed once requests are answered: the base URL alone for scripts, how to begin for people.
  static func greeting(
    _ configuration: ServeConfiguration, port: Int, hasDemoKey: Bool, isTerminal: Bool
  ) -> String {
    let host = configuration.server.host
    let address = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let local = "http://\(address):\(port)/scim/v2"
    var text = "SCIM base URL: \(configuration.baseURL ?? local)\n"
    if hasDemoKey {
      let header = "-H 'Authorization: Bearer \(DemoKeys.workshop)'"
      text += """
        Key:           \(DemoKeys.workshop) (organisation gridco.example, for trying things out)

        Try, in another terminal:
          curl \(header) '\(local)/Users'
          curl \(header) '\(local)/Roles'
          curl \(header) -G '\(local)/Users' --data-urlencode 'filter=userName eq "trinity@gridco.example"'

        """
    }
    if isTerminal { text += "\nStop with Ctrl-C.\n" }
    return text
  }
}
