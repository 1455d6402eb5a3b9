import HTTPMessage
import SCIMCore

/// Answers the requests of one loop: authenticates, routes, and runs the operation.
///
/// Where an operation runs is decided by its cost alone. It is begun here with the budget of a loop; where it turns out
/// to need more, the same is done on a worker, from the beginning. What is written goes to the writer in the end.
public final class SCIMResponder: Responder {
  private let service: Service
  private let reader: any StoreReader
  /// Rendered ServiceProviderConfig documents; few, since a deployment has few names.
  private var configurationDocuments: [ConfigurationView: DiscoveryAnswer] = [:]
  private var digests: DigestCache
  private var answers = AnswerCache()
  private let filters = FilterMemory()
  /// The renderer for the Host of the last request, which is mostly that of the next.
  private var renderer: (authority: String, renderer: ResourceRenderer)?
  private let unlimited = WorkBudget.unlimited
  /// What the last request took from the budget of the loop; for tests.
  var budgetSpent: Int { reader.budget.spent }
  /// When this loop last had the use of a key recorded, by the key's id.
  private var usesRecorded: [String: Timestamp] = [:]

  init(service: Service, reader: any StoreReader) {
    self.service = service
    self.reader = reader
    digests = DigestCache(service.configuration.digest)
  }

  public func idle() {
    reader.release()
  }

  public func bodyLimit(for head: Request) -> Int {
    let configuration = service.configuration
    guard configuration.bulkMaxPayloadSize != configuration.maxBodySize, isBulk(head) else {
      return configuration.maxBodySize
    }
    return configuration.bulkMaxPayloadSize
  }

  private func isBulk(_ head: Request) -> Bool {
    guard let address = Address(path: head.path, prefix: service.basePrefix),
      case .bulk? = address.route(in: service.registry, lenient: true)
    else { return false }
    return true
  }

  /// A body that is long, compressed or held back is not read from somebody whose key is not valid, or whose organisation
  /// has no request left.
  public func refusal(of head: Request) -> Response? {
    let started = startedNow()
    let media = MediaType.accepted(by: head.headers)
    reader.budget = unlimited
    do throws(SCIMError) {
      guard Address(path: head.path, prefix: service.basePrefix) != nil else {
        throw Address.refusal(of: head.path, prefix: service.basePrefix)
      }
      let caller = try Authentication.authenticate(head, digests: &digests, reader: reader)
      try service.rateLimiter?.check(caller.organization.id, at: .now)
      return nil
    } catch {
      return record(unrouted(error, request: head, media: media), of: head, exchange: nil, started: started)
    }
  }

  public func response(to fault: Fault, head: Request?) -> Response {
    let media = head.map { MediaType.accepted(by: $0.headers) } ?? .scim
    var detail = fault.reason
    if fault.status == 413, let head, isBulk(head) {
      detail = "The body is longer than maxPayloadSize (\(service.configuration.bulkMaxPayloadSize) bytes)."
    }
    return Response(
      status: fault.status, headers: [("Content-Type", media.rawValue)],
      body: ErrorMessage.body(status: fault.status, scimType: nil, detail: detail))
  }

  public func respond(to request: Request, later: () -> Ticket) -> Response? {
    let started = startedNow()
    let media = MediaType.accepted(by: request.headers)
    var exchange: Exchange?
    // Keys and definitions are few, and remembered.
    reader.budget = unlimited
    do throws(SCIMError) {
      guard let address = Address(path: request.path, prefix: service.basePrefix) else {
        // RFC 9110 section 9.3.7: what the server as a whole knows.
        if request.method == "OPTIONS", request.path == "*" {
          return record(Response(status: 204), of: request, exchange: nil, started: started)
        }
        throw Address.refusal(of: request.path, prefix: service.basePrefix)
      }
      if address.isServiceProviderConfig(lenient: true), request.method == "GET" || request.method == "HEAD" {
        return record(try serviceProviderConfig(request, media: media), of: request, exchange: nil, started: started)
      }
      let caller = try Authentication.authenticate(
        request, digests: &digests, reader: reader)
      try service.rateLimiter?.take(caller.organization.id, at: .now)
      recordUse(of: caller.key)
      let renderer = renderer(for: request)
      let question = AnswerCache.Question(request, key: caller.key, baseURL: renderer.baseURL, media: media)
      let snapshot = question == nil ? 0 : try reader.snapshotNumber()
      if let question, let known = answers.find(question, snapshot: snapshot) {
        if var told = known.record, let record = service.configuration.record {
          told.microseconds = started?.microseconds ?? 0
          record(told)
        }
        return known.response
      }
      let registry = try reader.registry(of: caller.organization.id)
      guard let route = address.route(in: registry, lenient: caller.key.profile.isLenient) else {
        throw SCIMError(.notFound, "There is nothing at this address.")
      }
      let prepared = Exchange(
        service: service, request: request, route: route, media: media, key: caller.key,
        organization: caller.organization, registry: registry, renderer: renderer,
        query: try QueryString(request.query), started: started)
      exchange = prepared
      reader.budget = .loop
      switch try Operation.of(prepared, reader: reader, filters: filters) {
      case .answer(let made):
        let response = record(made, of: request, exchange: prepared, started: started)
        if let question, route.isRepeatable {
          let told = service.configuration.record == nil ? nil : prepared.record(of: response)
          answers.add(response, record: told, to: question, snapshot: snapshot)
        }
        return response
      case .write(let job):
        job(sink(for: prepared, ticket: later()))
        return nil
      }
    } catch {
      if error.kind == .tooCostly, let exchange {
        offload(exchange, ticket: later())
        return nil
      }
      let response =
        exchange?.response(to: error) ?? unrouted(error, request: request, media: media)
      return record(response, of: request, exchange: exchange, started: started)
    }
  }

  private func renderer(for request: Request) -> ResourceRenderer {
    if let renderer, renderer.authority == request.authority { return renderer.renderer }
    let made = ResourceRenderer(baseURL: BaseURL.of(request, configuration: service.configuration))
    if BaseURL.followsHost(service.configuration) { renderer = (request.authority, made) }
    return made
  }

  /// Has the store note that a key was used, at most once a minute: last use is for people, not worth a write each time.
  private func recordUse(of key: APIKey) {
    let now = Timestamp.now
    let minute: Int64 = 60_000
    if let last = key.lastUsed, now.milliseconds - last.milliseconds < minute { return }
    if let recorded = usesRecorded[key.id], now.milliseconds - recorded.milliseconds < minute { return }
    usesRecorded[key.id] = now
    let log = service.configuration.log
    service.store.write(
      for: key.organization, weight: 1,
      { (transaction) throws(SCIMError) in try transaction.touchKey(id: key.id, in: key.organization, at: now) },
      completion: { result in
        if case .failure(let error) = result { log("the use of key \(key.id) was not recorded: \(error.detail)") }
      })
  }

  /// The answer to what failed before there was a route.
  private func unrouted(_ error: SCIMError, request: Request, media: MediaType) -> Response {
    guard error.kind == .internalError else { return ErrorMessage.response(to: error, media: media) }
    let id = ResourceID.make()
    service.configuration.log("request \(id) \(request.method): \(error.detail)")
    return ErrorMessage.response(to: error, media: media, requestID: id)
  }

  private func offload(_ exchange: Exchange, ticket: Ticket) {
    service.configuration.offload(
      for: exchange.organization.id, isAbandoned: { ticket.isAbandoned }, to: sink(for: exchange, ticket: ticket)
    ) { (reader) throws(SCIMError) in
      try Operation.of(exchange, reader: reader, filters: FilterMemory())
    }
  }

  /// Where the outcome of a deferred operation goes: to the ticket, as an answer.
  private func sink(for exchange: Exchange, ticket: Ticket) -> @Sendable (Result<Response, SCIMError>) -> Void {
    { result in
      let response: Response
      switch result {
      case .success(let made): response = made
      case .failure(let error): response = exchange.response(to: error)
      }
      exchange.configuration.record?(exchange.record(of: response))
      ticket.send(response)
    }
  }

  /// The clock is read only where requests are recorded.
  private func startedNow() -> Stopwatch? {
    service.configuration.record == nil ? nil : Stopwatch()
  }

  private func record(
    _ response: Response, of request: Request, exchange: Exchange?, started: Stopwatch?
  ) -> Response {
    if let record = service.configuration.record {
      record(
        exchange?.record(of: response)
          ?? RequestRecord(
            method: request.method, route: "-", status: response.status,
            microseconds: started?.microseconds ?? 0, organization: nil, key: nil))
    }
    return response
  }

  /// What a ServiceProviderConfig document depends on.
  private struct ConfigurationView: Hashable {
    var baseURL: String
    var announcesCatalog: Bool
    /// The role and entitlement types that it lists; nil for the built-in ones.
    var types: ServiceProviderConfig?
  }

  /// What a ServiceProviderConfig is to tell of roles and entitlements: without a key what the server can do; with one
  /// the types of its organisation, or nothing where that has neither roles nor entitlements.
  ///
  /// - Throws: what keeps the store from saying which; a key that is not valid is as none.
  private func announcement(
    to request: Request
  ) throws(SCIMError) -> (announcesCatalog: Bool, registry: SchemaRegistry) {
    guard request.headers["authorization"] != nil else { return (true, service.registry) }
    do throws(SCIMError) {
      let caller = try Authentication.authenticate(
        request, digests: &digests, reader: reader)
      let registry = try reader.registry(of: caller.organization.id)
      guard caller.key.profile.isLenient else { return (false, registry) }
      return (try reader.usesCatalog(in: caller.organization.id), registry)
    } catch {
      guard error.kind == .unauthorized else { throw error }
      return (true, service.registry)
    }
  }

  /// The one document that needs no key.
  private func serviceProviderConfig(_ request: Request, media: MediaType) throws(SCIMError) -> Response {
    try Discovery.refuseFilter(QueryString(request.query))
    let (announcesCatalog, registry) = try announcement(to: request)
    let view = ConfigurationView(
      baseURL: renderer(for: request).baseURL, announcesCatalog: announcesCatalog,
      types: registry.revision == 0 ? nil : ServiceProviderConfig(registry: registry))
    let answer: DiscoveryAnswer
    if let made = configurationDocuments[view] {
      answer = made
    } else {
      answer = DiscoveryAnswer(
        Discovery.serviceProviderConfig(
          service: service, registry: registry, baseURL: view.baseURL, announcesCatalog: announcesCatalog))
      // A client can send any Host: the cache must not grow with what it invents.
      if configurationDocuments.count >= 16 { configurationDocuments.removeAll() }
      configurationDocuments[view] = answer
    }
    return try answer.response(to: request, media: media)
  }
}

extension Exchange {
  func record(of response: Response) -> RequestRecord {
    RequestRecord(
      method: request.method, route: route.label, status: response.status,
      microseconds: started?.microseconds ?? 0, organization: organization.name, key: key.id)
  }
}
