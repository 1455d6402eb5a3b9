import Foundation
import HTTPMessage
import SCIMCompat
import SCIMCore

/// One authenticated request on its way to an answer: everything an operation needs, in values that may cross threads.
///
/// A class, since closures hold it on the way: they count one reference and copy nothing.
final class Exchange: Sendable {
  let service: ServiceContext
  let caller: Caller
  let request: Request
  let route: Route
  let media: MediaType
  /// The schemas and types of the organisation, its own included.
  let registry: SchemaRegistry
  let renderer: ResourceRenderer
  let query: QueryString
  /// Nil where nobody wants to know how long it takes.
  let started: Stopwatch?
  /// How often the request was read, each time by other definitions.
  let readings: Int

  init(
    service: ServiceContext, caller: Caller, request: Request, route: Route, media: MediaType,
    registry: SchemaRegistry, renderer: ResourceRenderer, query: QueryString, started: Stopwatch?, readings: Int = 1
  ) {
    self.readings = readings
    self.service = service
    self.caller = caller
    self.request = request
    self.route = route
    self.media = media
    self.registry = registry
    self.renderer = renderer
    self.query = query
    self.started = started
  }

  var configuration: ServiceConfiguration { service.configuration }
  var key: APIKey { caller.key }
  var organization: Organization { caller.organization }
  var profile: Profile { key.profile }
  var baseURL: String { renderer.baseURL }

  var writer: ResourceWriter {
    ResourceWriter(
      registry: registry, organization: organization, profile: profile, baseURL: baseURL,
      hashPassword: configuration.hashPassword)
  }

  /// Brings the body of a POST or PUT to its stored form, and names in the log what was passed over.
  ///
  /// - Parameter isNew: true for a POST, which gets what each resource of the type has.
  func normalize(_ body: JSON, type: ResourceType, isNew: Bool = false) throws(SCIMError) -> NormalizedResource {
    var resource = try writer.normalize(body, type: type)
    if isNew { resource.document = ResourceDocument.completed(resource.document, from: nil, type: type) }
    note(ignored: resource.unknownNames, type)
    return resource
  }

  /// Refuses what can be told to be wrong with the operations of a PATCH before there is a resource, and names in the log
  /// what is passed over. Gives the password that they set.
  func judge(_ operations: [PatchOperation], type: ResourceType) throws(SCIMError) -> String? {
    let judgement = try Patcher.judge(operations, type: type, profile: profile)
    note(ignored: judgement.unknownNames, type)
    return judgement.password
  }

  private func note(ignored names: [String], _ type: ResourceType) {
    guard !names.isEmpty else { return }
    service.ignoredNames.note(names, of: type, from: organization) { message in
      configuration.log(
        FaultRecord(.ignored, id: request.id, method: request.method, route: route.label, message: message))
    }
  }

  /// The same request, read by other definitions of its organisation.
  ///
  /// - Throws: `notFound` where they have nothing at its address.
  func read(by registry: SchemaRegistry) throws(SCIMError) -> Exchange {
    guard let address = Address(path: request.path, prefix: service.basePrefix),
      let route = address.route(in: registry, lenient: profile.isLenient)
    else { throw SCIMError(.notFound, "There is no such endpoint.") }
    return Exchange(
      service: service, caller: caller, request: request, route: route, media: media,
      registry: registry, renderer: renderer, query: query, started: started, readings: readings + 1)
  }

  /// The projection that `attributes` and `excludedAttributes` of the query string ask for.
  func projection(of type: ResourceType) throws(SCIMError) -> Projection {
    guard !query.isEmpty else { return Projection.none }
    return try Projection(
      attributes: Self.names(query.all("attributes"), "attributes"),
      excluded: Self.names(query.all("excludedAttributes"), "excludedAttributes"), type: type, profile: profile,
      alias: Compat.name)
  }

  /// True where the query string asks for part of the resource.
  var asksForProjection: Bool {
    (query.all("attributes") + query.all("excludedAttributes")).contains { $0.contains { $0 != "," && $0 != " " } }
  }

  /// So many names may stand in `attributes` or `excludedAttributes`.
  static let maximumNames = 1000

  /// The names in comma-separated lists, without blanks.
  ///
  /// - Throws: `invalidValue` where there are too many.
  static func names(_ lists: [String], _ parameter: String) throws(SCIMError) -> [String] {
    let names = lists.flatMap { $0.split(separator: ",") }.map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
    return try checked(names, parameter)
  }

  static func checked(_ names: [String], _ parameter: String) throws(SCIMError) -> [String] {
    guard names.count <= maximumNames else {
      throw SCIMError(.invalidValue, "'\(parameter)' names more than \(maximumNames) attributes.")
    }
    return names
  }

  /// The request's body as JSON.
  ///
  /// - Throws: `unsupportedMediaType`, or `invalidSyntax` with the place of the fault.
  func body() throws(SCIMError) -> JSON {
    guard MediaType.isReadable(request.headers["content-type"]) else {
      throw SCIMError(
        .unsupportedMediaType, "The body must be application/scim+json or application/json.")
    }
    do {
      return try JSON(parsing: request.body)
    } catch {
      throw SCIMError(
        .invalidSyntax, "The body is not valid JSON: \(error.message(in: Data(request.body))).")
    }
  }

  /// A single-resource answer with its ETag and its address, as in the examples of RFC 7644 sections 3.3 to 3.5.
  func answer(
    _ stored: StoredResource, type: ResourceType, status: Int, projection: Projection, reader: any TenantReader
  ) throws(SCIMError) -> Response {
    var body: [UInt8] = []
    try append(stored, type: type, projection: projection, reader: reader, to: &body)
    let headers: [(name: String, value: String)] = [
      ("Content-Type", media.rawValue), ("ETag", stored.entityTag),
      ("Location", renderer.location(type: type, id: stored.id)),
    ]
    return Response(status: status, headers: headers, body: body)
  }

  /// Appends the JSON of a resource, with what is counted for it.
  func append(
    _ stored: StoredResource, type: ResourceType, projection: Projection, reader: any TenantReader,
    to body: inout [UInt8]
  ) throws(SCIMError) {
    try reader.budget.take(renderer.steps(for: stored, projection: projection, type: type))
    let outline = renderer.outline(of: stored, type: type)
    var filled: [FilledReference] = []
    if !type.references.isEmpty {
      filled = try renderer.filled(
        in: stored, type: type, registry: registry, projection: projection, outline: outline
      ) { (id, types) throws(SCIMError) in try reader.referenced(id: id, types: types) }
    }
    let used =
      renderer.showsCount(of: type, projection: projection, outline: outline)
      ? try reader.assignmentsUsed(of: stored.handle) : nil
    try renderer.append(
      stored, type: type, registry: registry, projection: projection, assignmentsUsed: used, outline: outline,
      filled: filled, to: &body)
  }

  func response(to error: SCIMError) -> Response {
    guard error.kind == .internalError else {
      // What has just been refused is not among what the address knows.
      let allowed = error.kind == .methodNotAllowed ? methods.filter { $0 != request.method } : []
      return ErrorMessage.response(to: error, media: media, allow: allowed)
    }
    logFault(error)
    return ErrorMessage.response(to: error, media: media, requestID: request.id)
  }

  /// What a client may hear of an error that is a part of its answer: of a fault of the server itself, which the log is told
  /// of, no more than the request's id.
  func told(_ error: SCIMError) -> SCIMError {
    guard error.kind == .internalError else { return error }
    logFault(error)
    return SCIMError(.internalError, ErrorMessage.detail(of: error, requestID: request.id))
  }

  private func logFault(_ error: SCIMError) {
    configuration.log(
      FaultRecord(id: request.id, method: request.method, route: route.label, message: error.detail))
  }
}
