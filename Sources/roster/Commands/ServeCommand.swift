import Dispatch
import Foundation
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
    details:
      "SIGTERM, SIGINT (Ctrl-C) or SIGHUP stops it: requests under way are finished, new ones are refused. A second one"
      + " ends it at once. The database is created if there is none.",
    options: ServeConfiguration.options, run: run)

  @Sendable private static func run(_ invocation: Invocation) throws {
    let configuration = try ServeConfiguration(invocation)
    ProcessMemory.tune()
    // Before the store and the server start threads, which inherit what is blocked.
    var signals = StopSignals()
    let registry = try Database.registry(invocation)
    var options = SQLStoreOptions(writesPerCommit: configuration.writesPerCommit)
    options.queryTimeout = configuration.queryTimeout
    let log = RequestLog(format: configuration.logFormat ?? .logfmt)
    // Last of all: what is refused at the end is told as well.
    defer { log.finish(within: 1) }
    options.log = { log.store($0) }
    let store = try Database.open(configuration.database, registry: registry, options: options)
    defer { store.close(discarding: true) }
    let start = try Start(of: store, configuration)
    if let warning = start.warning { log.writeLine("roster: " + DisplayWidth.printable(warning)) }
    let unsent = configuration.server.unsent
    store.workers.holdBack { organization in unsent.isFull(for: organization?.rawValue) }
    unsent.onRelief { [workers = store.workers] in workers.wake() }
    let service = Service(
      configuration: try serviceConfiguration(configuration, store, log), registry: registry, store: store
    ) { [workers = store.workers] (organization, isAbandoned, refused, job) throws(SCIMError) in
      try workers.submit(for: organization, isAbandoned: isAbandoned, refused: refused, job)
    }
    let onFailure: @Sendable (any Error) -> Void = { error in
      log.write(level: "error", event: "fault", [("message", "a loop has ended: \(error)")])
      // As if somebody had asked for it: the other loops finish what they have.
      kill(getpid(), SIGTERM)
    }
    let trace = configuration.isTraced ? ExchangeTrace { log.writeLine($0) } : nil
    let server = Server(configuration.server, onFailure: onFailure) { _ in
      let responder = try service.makeResponder()
      return trace.map { TracingResponder(responder, trace: $0) } ?? responder
    }
    try server.start()
    Console.output.write(
      greeting(configuration, port: server.port, start: start, isTerminal: Console.output.isTerminal))
    prepare(store, registry: registry, log)
    signals.wait()
    log.writeLine("roster: stopping")
    endInTime(configuration, log)
    // Whoever still waits has waited for as long as the server drains. What is refused now is answered.
    server.stop { store.close(discarding: true) }
    if let failure = server.failure { throw CommandFailure(message: "the server cannot continue: \(failure)") }
  }

  /// Ends the process where something still runs a while after the time for requests under way: what has been
  /// acknowledged is on disk.
  private static func endInTime(_ configuration: ServeConfiguration, _ log: RequestLog) {
    let end = DispatchTime.now() + .milliseconds(configuration.server.drainDeadline + 2000)
    Thread.detachNewThread {
      while DispatchTime.now() < end { usleep(50_000) }
      log.write(level: "warning", event: "stop", [("message", "stopped before all requests were finished")])
      log.finish(within: 1)
      _exit(1)
    }
  }

  /// What is to be done once, and keeps no request waiting: the tables by which text is compared, and a look at what
  /// this version's schemas mean for the organisations' own.
  private static func prepare(_ store: SQLStore, registry: SchemaRegistry, _ log: RequestLog) {
    DispatchQueue.global(qos: .utility).async { Folding.prepare() }
    store.resumeDeletions { done, failure in
      noteDeletions(done, failure, told: nil, log)
      retryDeletions(store, told: failure?.detail, log)
    }
    let resume: SQLStore.ChangeResumption = { organization, number, completion in
      DefinitionRun.resume(number, of: store.tenant(organization), base: registry, completion: completion)
    }
    store.endChanges(resuming: resume) { result in
      noteChanges(result, told: nil, log)
      tidyChanges(store, resume, told: result.failure?.detail, log)
    }
    try? store.workers.submit(for: nil) { reader in
      do throws(SCIMError) {
        for organization in try reader.organizations() {
          let definitions = try reader.tenant(organization.id).definitions()
          let base = try? registry.builtIn(for: organization.schemaSettings)
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

  /// Ends each minute what failed changes of definitions, of requests and of commands, have left behind; until the store is
  /// closed.
  ///
  /// - Parameter told: the failure that the log was told of last.
  private static func tidyChanges(
    _ store: SQLStore, _ resume: @escaping SQLStore.ChangeResumption, told: String?, _ log: RequestLog
  ) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 60) {
      try? store.tidyChanges(resuming: resume) { result in
        noteChanges(result, told: told, log)
        tidyChanges(store, resume, told: result.failure?.detail, log)
      }
    }
  }

  private static func noteChanges(
    _ result: Result<SQLStore.TidiedChanges, SCIMError>, told: String?, _ log: RequestLog
  ) {
    if case .success(let tidied) = result, tidied.undone > 0 {
      log.write(
        level: "warning", event: "definitions",
        [("message", "\(tidied.undone) changes of definitions that were cut short are undone; make them again")])
    }
    if case .success(let tidied) = result, tidied.finished > 0 {
      log.write(
        level: "info", event: "definitions",
        [("message", "\(tidied.finished) interrupted forced removals are finished")])
    }
    if let failure = result.failure, failure.detail != told {
      log.write(level: "error", event: "definitions", [("message", failure.detail)])
    }
  }

  /// Goes on each minute with deletions that failed on their way, of requests and of commands; until the store is closed.
  ///
  /// - Parameter told: the failure that the log was told of last.
  private static func retryDeletions(_ store: SQLStore, told: String?, _ log: RequestLog) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 60) {
      try? store.retryDeletions { done, failure in
        noteDeletions(done, failure, told: told, log)
        retryDeletions(store, told: failure?.detail, log)
      }
    }
  }

  private static func noteDeletions(_ done: Int, _ failure: SCIMError?, told: String?, _ log: RequestLog) {
    if done > 0 {
      log.write(level: "info", event: "deletions", [("message", "\(done) interrupted deletions are finished")])
    }
    if let failure, failure.detail != told {
      log.write(level: "error", event: "deletions", [("message", failure.detail)])
    }
  }

  /// What the database holds when the server starts, as far as the greeting speaks of it.
  struct Start {
    var hasOrganizations = true
    /// True where the workshop's key is accepted.
    var hasDemoKey = false
    /// What to tell the operator; nil where there is nothing.
    var warning: String?

    init(hasOrganizations: Bool = true, hasDemoKey: Bool = false) {
      self.hasOrganizations = hasOrganizations
      self.hasDemoKey = hasDemoKey
    }

    init(of store: SQLStore, _ configuration: ServeConfiguration) throws {
      let reader = try store.makeReader()
      defer { reader.release() }
      hasOrganizations = try !reader.organizations().isEmpty
      let demo = try DemoKeys.all.compactMap { secret in
        try reader.key(digest: SecretDigest.sha256(secret)).map { (secret: secret, owner: $0) }
      }.filter { $0.owner.key.isValid(at: .now) }
      if let exposure = configuration.exposure, !configuration.allowsDemoKeys {
        guard !demo.isEmpty else { return }
        let names = demo.map(\.owner.organization.name).joined(separator: ", ")
        warning = """
          the demo keys of \(names) get 401, because others can reach this server (\(exposure)). \
          Create a key with 'roster key create', or pass --allow-demo-key to accept them.
          """
      } else {
        hasDemoKey = demo.contains { $0.secret == DemoKeys.workshop }
      }
    }
  }

  private static func serviceConfiguration(
    _ configuration: ServeConfiguration, _ store: SQLStore, _ log: RequestLog
  ) throws -> ServiceConfiguration {
    // Kept in the database, so that a cursor given out before a restart is good after it.
    let candidate = RandomBytes.make(count: 32)
    let secret = try store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.installationSecret(named: "cursor", candidate: candidate)
    }
    let authenticator = MessageAuthenticator(key: secret)
    // A demo key that is seeded while the server runs stays shut as well.
    let refused: Set<String> =
      configuration.allowsDemoKeys || configuration.exposure == nil ? [] : Set(DemoKeys.all)
    let nothing = RandomBytes.make(count: 32)
    var service = ServiceConfiguration(
      digest: { refused.contains($0) ? nothing : SecretDigest.sha256($0) },
      hashPassword: Passwords.hash,
      authenticate: { authenticator.tag(for: $0) },
      log: { log.fault($0) })
    let unsent = configuration.server.unsent
    service.isHeldBack = { unsent.isFull(for: $0.rawValue) }
    service.baseURL = configuration.baseURL
    service.documentationURI = configuration.documentationURI
    service.trustsProxy = configuration.trustsProxy
    service.defaultPageSize = configuration.pageSize
    service.maxPageSize = configuration.maxPageSize
    service.passwordThreads = Passwords.threads
    service.requestsPerSecond = configuration.rateLimit
    if configuration.logFormat != nil { service.record = { log.request($0) } }
    return service
  }

  /// What is printed once requests are answered: the base URL on a line of its own for scripts, then how to begin.
  static func greeting(
    _ configuration: ServeConfiguration, port: Int, start: Start, isTerminal: Bool
  ) -> String {
    let host = configuration.server.host
    let address = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let local = "http://\(address):\(port)/scim/v2"
    var text = "SCIM base URL: \(configuration.baseURL ?? local)\n"
    if configuration.baseURL != nil { text += "Listening on:  \(local)\n" }
    if !start.hasOrganizations {
      let database = "--db '\(DisplayWidth.printable(configuration.database))'"
      text += """

        The database has no organisation yet. Create one and a key for it, in another terminal:
          roster org create my-company.example \(database)
          roster key create my-company.example --role admin --label test \(database)

        """
    }
    if start.hasDemoKey {
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

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
