import HTTPMessage
import SCIMCompat
import SCIMCore

/// Answers the requests of one loop: authenticates, routes, and runs the operation.
///
/// Where an operation runs is decided by its cost alone. It is begun here with the budget of a loop; where it turns out
/// to need more, the same is done on a worker, from the beginning. What is written goes to the writer in the end.
public final class SCIMResponder: Responder {
  /// An answer no longer than this is given however much the organisation's clients have left unread.
  private static let alwaysGiven = 4 << 10

  private let service: Service
  private var context: ServiceContext { service.context }
  private let reader: any StoreReader
  private var configurationDocuments = ServiceProviderConfigCache()
  private var digests: DigestCache
  private var answers = AnswerCache()
  private let filters = FilterMemory(alias: Compat.name)
  /// The renderer for the Host of the last request, which is mostly that of the next.
  private var renderer: (authority: String, renderer: ResourceRenderer)?
  private let unlimited = WorkBudget.unlimited
  /// What the last request took from the budget of the loop; for tests.
  var budgetSpent: Int { reader.budget.spent }

  init(service: Service, reader: any StoreReader) {
    self.service = service
    self.reader = reader
    digests = DigestCache(service.context.configuration.digest)
  }

  public func idle() {
    reader.release()
    recordUses(service.keyUses.rest(at: .now))
  }

  public func bodyLimit(for head: Request) -> Int {
    let configuration = context.configuration
    guard configuration.bulkMaxPayloadSize != configuration.maxBodySize, isBulk(head) else {
      return configuration.maxBodySize
    }
    return configuration.bulkMaxPayloadSize
  }

  private func isBulk(_ head: Request) -> Bool {
    guard let address = Address(path: head.path, prefix: context.basePrefix),
      case .bulk? = address.route(in: context.registry, lenient: true)
    else { return false }
    return true
  }

  /// A body that is long, compressed or held back is not read from somebody whose key is not valid, or whose organisation
  /// has no request left.
  public func verdict(on head: Request) -> Verdict {
    let media = MediaType.accepted(by: head.headers)
    let note = newNote()
    reader.budget = unlimited
    do throws(SCIMError) {
      guard Address(path: head.path, prefix: context.basePrefix) != nil else {
        throw Address.refusal(of: head.path, prefix: context.basePrefix)
      }
      let caller = try caller(of: head, note: note)
      try context.rateLimiter?.check(caller.organization.id, at: .now)
      if context.configuration.isHeldBack(caller.organization.id) { throw SCIMError.tooManyUnread }
      return .read(account: caller.organization.id.rawValue)
    } catch {
      note?.error = error
      return .refuse(record(unrouted(error, request: head, media: media), of: head, note))
    }
  }

  /// The key and organisation that a request comes with.
  ///
  /// - Throws: `unauthorized`, in the same words whether the key is unknown, revoked or expired; the note has more.
  private func caller(
    of request: Request, note: RequestNote?
  ) throws(SCIMError) -> (key: APIKey, organization: Organization) {
    let caller = try Authentication.authenticate(request, digests: &digests, reader: reader) { reason, known in
      note?.keyRefusal = reason
      note?.key = known?.key.id
      note?.organization = known?.organization.name
    }
    if let note {
      note.key = caller.key.id
      note.organization = caller.organization.name
    }
    return caller
  }

  public func response(to fault: Fault, head: Request) -> Response {
    let media = MediaType.accepted(by: head.headers)
    var detail = fault.reason
    if fault.status == 413, isBulk(head) {
      detail = "The body is longer than maxPayloadSize (\(context.configuration.bulkMaxPayloadSize) bytes)."
    }
    var headers = [(name: "Content-Type", value: media.rawValue)]
    if fault.status == 429 || fault.status == 503 { headers.append(("Retry-After", "1")) }
    let response = Response(
      status: fault.status, headers: headers,
      body: ErrorMessage.body(status: fault.status, scimType: nil, detail: detail))
    return record(response, of: head, newNote())
  }

  public func respond(to request: Request, later: () -> Ticket) -> Response? {
    let media = MediaType.accepted(by: request.headers)
    let note = newNote()
    var exchange: Exchange?
    // Keys and definitions are few, and remembered.
    reader.budget = unlimited
    do throws(SCIMError) {
      guard let address = Address(path: request.path, prefix: context.basePrefix) else {
        // RFC 9110 section 9.3.7: what the server as a whole knows.
        if request.method == "OPTIONS", request.path == "*" {
          return record(Response(status: 204), of: request, note)
        }
        throw Address.refusal(of: request.path, prefix: context.basePrefix)
      }
      if address.isServiceProviderConfig(lenient: true), request.method == "GET" || request.method == "HEAD" {
        note?.route = "/ServiceProviderConfig"
        return record(try serviceProviderConfig(request, media: media), of: request, note)
      }
      let caller = try caller(of: request, note: note)
      try context.rateLimiter?.take(caller.organization.id, at: .now)
      recordUse(of: caller.key)
      let renderer = renderer(for: request)
      let question = AnswerCache.Question(request, key: caller.key, baseURL: renderer.baseURL, media: media)
      let snapshot = question == nil ? 0 : try reader.snapshotNumber()
      if let question, let known = answers.find(question, snapshot: snapshot),
        !isTooLong(known.response, for: caller.organization)
      {
        if var told = known.record, let record = context.configuration.record {
          told.id = request.id
          told.client = client(of: request)
          told.microseconds = note?.started.microseconds ?? 0
          record(told)
        }
        return known.response
      }
      let tenant = reader.tenant(caller.organization.id)
      let registry = try tenant.registry()
      guard let route = address.route(in: registry, lenient: caller.key.profile.isLenient) else {
        throw SCIMError(.notFound, "There is no such endpoint.")
      }
      let prepared = Exchange(
        service: context, caller: Caller(key: caller.key, organization: caller.organization, of: service),
        request: request, route: route, media: media, registry: registry, renderer: renderer,
        query: try QueryString(request.query), started: note?.started)
      exchange = prepared
      reader.budget = .loop
      switch try Operation.of(prepared, reader: tenant, filters: filters) {
      case .answer(let made):
        var response = made
        response.account = caller.organization.id.rawValue
        // It waits for its turn among the workers' requests of its organisation.
        if isTooLong(response, for: caller.organization) {
          throw SCIMError(.tooCostly, "the client has many unread answers")
        }
        let told = recordOutcome(response, nil, of: prepared)
        if let question, route.isRepeatable {
          answers.add(response, record: told, to: question, snapshot: snapshot)
        }
        return response
      case .write(let job):
        // Its answer could be long, and once it is done it must be told.
        if context.configuration.isHeldBack(caller.organization.id) { throw SCIMError.tooManyUnread }
        job(sink(for: prepared, ticket: later(), isWriter: true))
        // What was read for it would keep the log from beginning anew while the write waits.
        reader.release()
        return nil
      }
    } catch {
      guard let exchange else {
        note?.error = error
        return record(unrouted(error, request: request, media: media), of: request, note)
      }
      if error.kind == .tooCostly {
        offload(exchange, ticket: later())
        return nil
      }
      let response = exchange.response(to: error)
      _ = recordOutcome(response, error, of: exchange)
      return response
    }
  }

  /// Whether an answer is too long for an organisation whose clients leave much unread.
  private func isTooLong(_ response: Response, for organization: Organization) -> Bool {
    response.body.count > Self.alwaysGiven && context.configuration.isHeldBack(organization.id)
  }

  private func renderer(for request: Request) -> ResourceRenderer {
    if let renderer, renderer.authority == request.authority { return renderer.renderer }
    let made = ResourceRenderer(baseURL: BaseURL.of(request, configuration: context.configuration))
    if BaseURL.followsHost(context.configuration) { renderer = (request.authority, made) }
    return made
  }

  /// Has the store note that a key was used.
  private func recordUse(of key: APIKey) {
    recordUses(service.keyUses.note(key, at: .now))
  }

  private func recordUses(_ uses: [(key: APIKey, at: Timestamp)]) {
    guard let first = uses.first else { return }
    let log = context.configuration.log
    // Of no organisation where it is of several; each takes a row.
    let organization = uses.allSatisfy { $0.key.organization == first.key.organization } ? first.key.organization : nil
    service.store.write(
      for: organization, weight: uses.count,
      { (transaction) throws(SCIMError) in
        for use in uses { try transaction.touchKey(id: use.key.id, in: use.key.organization, at: use.at) }
      },
      completion: { result in
        if case .failure(let error) = result {
          log("the use of \(uses.count) keys, the first \(first.key.id), was not recorded: \(error.detail)")
        }
      })
  }

  /// The answer to what failed before there was a route.
  private func unrouted(_ error: SCIMError, request: Request, media: MediaType) -> Response {
    guard error.kind == .internalError else {
      let hasBearer = request.headers["authorization"].map { Authentication.secret(in: $0) != nil } ?? false
      return ErrorMessage.response(to: error, media: media, hasBearer: hasBearer)
    }
    context.configuration.log(FaultRecord(id: request.id, method: request.method, message: error.detail))
    return ErrorMessage.response(to: error, media: media, requestID: request.id)
  }

  private func offload(_ exchange: Exchange, ticket: Ticket) {
    exchange.caller.workers.run(
      isAbandoned: { ticket.isAbandoned }, to: sink(for: exchange, ticket: ticket),
      ofWrite: sink(for: exchange, ticket: ticket, isWriter: true)
    ) { (reader) throws(SCIMError) in
      try Operation.of(exchange, reader: reader, filters: FilterMemory(alias: Compat.name))
    }
  }

  /// Where the outcome of a deferred operation goes: to the ticket, as an answer.
  ///
  /// - Parameter isWriter: true where the writer's thread brings it, which all writes wait for.
  private func sink(
    for exchange: Exchange, ticket: Ticket, isWriter: Bool = false
  ) -> @Sendable (Result<Response, SCIMError>) -> Void {
    { result in
      var response: Response
      var refusal: SCIMError?
      switch result {
      case .success(let made): response = made
      case .failure(let error):
        response = exchange.response(to: error)
        refusal = error
      }
      response.account = exchange.organization.id.rawValue
      exchange.configuration.record?(exchange.record(of: response, error: refusal))
      guard isWriter, ticket.compresses(response) else { return ticket.send(response) }
      let answer = response
      do throws(SCIMError) {
        try exchange.caller.workers.run(
          isAbandoned: { ticket.isAbandoned }, refused: { _ in ticket.send(answer, compressing: false) },
          { _ in ticket.send(answer) })
      } catch {
        ticket.send(answer, compressing: false)
      }
    }
  }

  /// Nil where requests are not recorded: then nothing is noted, and the clock is not read.
  private func newNote() -> RequestNote? {
    context.configuration.record == nil ? nil : RequestNote()
  }

  /// Records the answer to a request that did not come as far as an exchange.
  private func record(_ response: Response, of request: Request, _ note: RequestNote?) -> Response {
    if let note { context.configuration.record?(note.record(of: response, to: request, client: client(of: request))) }
    return response
  }

  private func recordOutcome(_ response: Response, _ error: SCIMError?, of exchange: Exchange) -> RequestRecord? {
    guard let record = context.configuration.record else { return nil }
    let told = exchange.record(of: response, error: error)
    record(told)
    return told
  }

  private func client(of request: Request) -> String {
    ClientName.of(request, trustsProxy: context.configuration.trustsProxy)
  }

  /// What is shown to whom: to the organisation of a valid key its types and what it announces, else what is built in.
  ///
  /// - Throws: what keeps the store from saying whose the key is; one that is not valid is as none.
  private func audience(
    of request: Request
  ) throws(SCIMError) -> (registry: SchemaRegistry, announced: Set<Organization.Announcement>) {
    let anybody = (context.registry, Organization.Announcement.standard)
    guard request.headers["authorization"] != nil else { return anybody }
    do throws(SCIMError) {
      let organization = try Authentication.authenticate(request, digests: &digests, reader: reader).organization
      return (try reader.tenant(organization.id).registry(), organization.announced)
    } catch {
      guard error.kind == .unauthorized else { throw error }
      return anybody
    }
  }

  /// The one document that needs no key.
  private func serviceProviderConfig(_ request: Request, media: MediaType) throws(SCIMError) -> Response {
    try Discovery.refuseFilter(QueryString(request.query))
    let (registry, announced) = try audience(of: request)
    let answer = configurationDocuments.document(
      baseURL: renderer(for: request).baseURL, registry: registry, announced: announced, context.configuration)
    return try answer.response(to: request, media: media)
  }
}
