import HTTPMessage
import SCIMCore

/// POST, PUT and DELETE on `/Schemas` and `/ResourceTypes`: an organisation's own definitions, for admin keys.
///
/// To everybody else, and for what is built in, discovery is read-only as in RFC 7644 section 4: 405.
enum DefinitionWrites {
  static func operation(_ exchange: Exchange) throws(SCIMError) -> Operation {
    let request = try request(exchange)
    let (turns, organization) = (exchange.service.definitionTurns, exchange.organization.id)
    return .write { sink in
      let last: Operation.Sink = { result in
        turns.leave(organization)
        sink(result)
      }
      do throws(SCIMError) {
        try turns.enter(organization) { plan(request, last) }
      } catch {
        sink(.failure(error))
      }
    }
  }

  /// A change as a request asks for it, read by the definitions of its exchange.
  private struct ChangeRequest: Sendable {
    let exchange: Exchange
    let run: DefinitionRun
    /// The answer, made of the registry after the change.
    let answer: @Sendable (SchemaRegistry) -> Response
  }

  private static func request(_ exchange: Exchange) throws(SCIMError) -> ChangeRequest {
    let writer = DefinitionWriter(base: exchange.service.registry)
    let force = exchange.query["force"].map { ASCII.equalIgnoringCase($0, "true") } ?? false
    switch (exchange.route, exchange.request.method) {
    case (.schemas, "POST") where exchange.request.body.isEmpty,
      (.resourceTypes, "POST") where exchange.request.body.isEmpty:
      // Nothing to define either.
      throw Self.notAllowed
    case (.schemas, "POST"):
      let schema = try schema(exchange, id: nil)
      return put(exchange, schema, isNew: true, writer: writer)
    case (.schema(let id), "PUT"):
      return put(exchange, try schema(exchange, id: try ownSchema(id, exchange).id), isNew: false, writer: writer)
    case (.schema(let id), "DELETE"):
      let urn = try ownSchema(id, exchange).id
      try checkUnused(urn, exchange)
      return remove(
        exchange, Definition(kind: .schema, name: urn, document: JSONObject()), force: force, writer: writer)
    case (.resourceTypes, "POST"):
      return put(exchange, try type(exchange, name: nil), isNew: true, writer: writer)
    case (.resourceType(let name), "PUT"):
      guard let known = exchange.registry.type(named: name) else { throw Self.noType }
      if let type = exchange.registry.builtInType(named: name, of: exchange.builtIn) {
        return try add(to: type, exchange, force: force, writer: writer)
      }
      return put(exchange, try type(exchange, name: known.name), isNew: false, force: force, writer: writer)
    case (.resourceType(let name), "DELETE"):
      let isUnreadable = exchange.registry.unreadable.contains { $0.kind == .type && $0.name == name }
      guard isUnreadable || exchange.registry.type(named: name) != nil else { throw Self.noType }
      let definition = Definition(kind: .type, name: name, document: JSONObject())
      if exchange.registry.builtInType(named: name, of: exchange.builtIn) != nil {
        guard !Retirement.permanentTypes.contains(name) else { throw Self.notAllowed }
        return retire(exchange, definition, force: force, writer: writer)
      }
      return remove(exchange, definition, force: force, writer: writer)
    default: throw Self.notAllowed
    }
  }

  // MARK: What is sent

  /// The document of the body, of that kind.
  private static func document(_ exchange: Exchange, urn: String) throws(SCIMError) -> JSONObject {
    guard case .object(var document) = try exchange.body() else {
      throw SCIMError(.invalidSyntax, "The body must be a JSON object.")
    }
    guard document["schemas"] == nil || document["schemas"] == [.string(urn)] else {
      throw SCIMError(.invalidValue, "'schemas' must be [\"\(urn)\"].", attribute: "schemas")
    }
    document["meta"] = nil
    return document
  }

  private static func schema(_ exchange: Exchange, id known: String?) throws(SCIMError) -> Definition {
    var document = try document(exchange, urn: SchemaURN.schema)
    // It would define nothing: the answer is that of a server whose discovery is read-only.
    if known == nil, document["attributes"]?.arrayValue?.isEmpty ?? true { throw notAllowed }
    let id = try name("id", known: known, in: &document)
    if known == nil, exchange.registry.schema(id: id) != nil {
      throw SCIMError(.uniqueness, "A schema with this URN already exists.")
    }
    return Definition(kind: .schema, name: id, document: document)
  }

  private static func type(_ exchange: Exchange, name known: String?) throws(SCIMError) -> Definition {
    var document = try document(exchange, urn: SchemaURN.resourceType)
    let name = try name("name", known: known, in: &document)
    if known == nil, exchange.registry.types.contains(where: { ASCII.equalIgnoringCase($0.name, name) }) {
      throw SCIMError(.uniqueness, "A resource type with this name already exists.")
    }
    return Definition(kind: .type, name: name, document: document)
      .addingCountedExtension(of: exchange.service.registry)
  }

  /// The member that names the definition; where that is known it may be left out, and cannot change.
  private static func name(
    _ member: String, known: String?, in document: inout JSONObject
  ) throws(SCIMError) -> String {
    if let known, document[member] == nil { document[member] = .string(known) }
    guard let name = document[member]?.stringValue, !name.isEmpty else {
      throw SCIMError(.invalidValue, "'\(member)' must be a string that is not empty.")
    }
    guard known == nil || name == known else {
      throw SCIMError(.invalidValue, "'\(member)' must be that of the address; it cannot be changed.")
    }
    return name
  }

  private static func ownSchema(_ id: String, _ exchange: Exchange) throws(SCIMError) -> SchemaDefinition {
    guard let schema = exchange.registry.schema(id: id) else {
      throw SCIMError(.notFound, "There is no schema with this URN.")
    }
    return schema
  }

  private static func checkUnused(_ urn: String, _ exchange: Exchange) throws(SCIMError) {
    let users = exchange.registry.types.filter { type in
      type.schema.id == urn || type.extensions.contains { $0.schema.id == urn }
    }
    guard users.isEmpty else {
      let names = users.map(\.name).joined(separator: ", ")
      throw SCIMError(.conflict, "The schema is in use by the resource types \(names).")
    }
  }

  // MARK: What becomes of it

  private static func put(
    _ exchange: Exchange, _ definition: Definition, isNew: Bool, force: Bool = false, writer: DefinitionWriter
  ) -> ChangeRequest {
    change(
      exchange, force: force, writer: writer, precondition: isNew ? nil : definition,
      { (_) throws(SCIMError) in .init(put: [definition]) },
      answer: { answer(exchange, definition, registry: $0, status: isNew ? 201 : 200) })
  }

  private static func remove(
    _ exchange: Exchange, _ definition: Definition, force: Bool, writer: DefinitionWriter
  ) -> ChangeRequest {
    change(
      exchange, force: force, writer: writer, precondition: definition,
      { (_) throws(SCIMError) in .init(remove: [definition]) }, answer: { _ in Response(status: 204) })
  }

  /// A change of a definition brings along whatever there is of its type.
  private static let allOfAType = 1000

  /// What is to be done for a change.
  ///
  /// - Parameters:
  ///   - precondition: the definition whose present state is held against `If-Match`.
  ///   - make: makes the change of the definitions that hold.
  private static func change(
    _ exchange: Exchange, force: Bool, writer: DefinitionWriter, precondition: Definition?,
    _ make: @escaping @Sendable (any TenantReader) throws(SCIMError) -> DefinitionWriter.Change,
    answer: @escaping @Sendable (SchemaRegistry) -> Response
  ) -> ChangeRequest {
    let run = DefinitionRun(writer: writer) { (reader) throws(SCIMError) in
      if let precondition { try checkPrecondition(exchange, precondition, in: reader) }
      var change = try make(reader)
      change.isForced = force
      return change
    }
    return ChangeRequest(exchange: exchange, run: run, answer: answer)
  }

  /// Plans a change on a worker, with its answer, since the writer has others to serve; then begins it. Where the
  /// definitions have changed since it was read, as by a command on the same file, it is read and planned anew.
  ///
  /// - Parameter plans: how often that may still be done.
  private static func plan(
    _ request: ChangeRequest, plans: Int = DefinitionRun.plans, _ sink: @escaping Operation.Sink
  ) {
    let caller = request.exchange.caller
    caller.workers.run(to: sink, ofWrite: sink) { (reader) throws(SCIMError) in
      let registry = try reader.registry()
      let isRead = registry.revision == request.exchange.registry.revision
      let request = isRead ? request : try self.request(request.exchange.read(by: registry))
      let plan = try request.run.plan(in: reader)
      let answer = request.answer(plan.after)
      return .write { _ in
        caller.tenant.writeInSteps(
          weight: allOfAType, from: (),
          { (transaction, _) throws(SCIMError) in try request.run.begin(plan, in: transaction) },
          completion: { result in
            switch result {
            case .success(.made): sink(.success(answer))
            case .success(.begun(let number)): goOn(request, number, answer, sink)
            case .success(.outdated) where plans > 1: self.plan(request, plans: plans - 1, sink)
            case .success(.outdated): sink(.failure(DefinitionRun.alwaysOutdated))
            case .failure(let error): sink(.failure(error))
            }
          })
      }
    }
  }

  /// Goes on with a change that has begun.
  private static func goOn(
    _ request: ChangeRequest, _ number: Int64, _ answer: Response, _ sink: @escaping Operation.Sink
  ) {
    let (exchange, run) = (request.exchange, request.run)
    let tenant = exchange.caller.tenant
    // What stays where this fails goes with the next change, or at the next start.
    @Sendable func tidy(givingUp number: Int64?, _ result: Result<Response, SCIMError>) {
      tenant.writeInSteps(
        weight: allOfAType, from: (),
        { (transaction, _) throws(SCIMError) in try run.tidy(givingUp: number, in: transaction) },
        completion: { ended in
          guard case .failure(let error) = result, case .success(.unfinished) = ended else { return sink(result) }
          sink(.failure(DefinitionRun.unfinished(after: exchange.told(error))))
        })
    }
    @Sendable func index(_ work: DefinitionRun.Work) {
      tenant.writeInSteps(
        weight: allOfAType, from: work,
        { (transaction, work) throws(SCIMError) in try run.step(work, in: transaction) },
        completion: { result in
          switch result {
          case .success: tidy(givingUp: nil, .success(answer))
          case .failure(let error): tidy(givingUp: number, .failure(error))
          }
        })
    }
    @Sendable func look(_ survey: DefinitionRun.Survey) {
      exchange.caller.workers.run(
        to: { tidy(givingUp: number, $0) }, ofWrite: sink
      ) { (reader) throws(SCIMError) in
        switch try run.survey(survey, in: reader) {
        case .done(let work): .write { _ in index(work) }
        case .further(let next): .write { _ in look(next) }
        }
      }
    }
    look(DefinitionRun.Survey(number))
  }

  /// DELETE of a built-in type: it goes for this organisation alone.
  private static func retire(
    _ exchange: Exchange, _ definition: Definition, force: Bool, writer: DefinitionWriter
  ) -> ChangeRequest {
    change(
      exchange, force: force, writer: writer, precondition: definition,
      { (reader) throws(SCIMError) in try writer.change(retiring: definition.name, in: reader) },
      answer: { _ in Response(status: 204) })
  }

  /// PUT of a built-in type: it stays as it is, but for extensions behind its own.
  private static func add(
    to type: ResourceType, _ exchange: Exchange, force: Bool, writer: DefinitionWriter
  ) throws(SCIMError) -> ChangeRequest {
    var document = try document(exchange, urn: SchemaURN.resourceType)
    let extensions = document["schemaExtensions"]?.arrayValue ?? []
    let builtIn = type.document["schemaExtensions"]?.arrayValue ?? []
    document["schemaExtensions"] = nil
    for member in document.members where member.key != "schemas" && member.key != "id" {
      guard type.document[member.key] == member.value else {
        throw SCIMError(
          .invalidValue, "\(type.name) is built in: '\(member.key)' cannot be changed, only extensions added.")
      }
    }
    guard builtIn.allSatisfy(extensions.contains) else {
      throw SCIMError(.invalidValue, "\(type.name) is built in: its own 'schemaExtensions' cannot be changed.")
    }
    let added = extensions.filter { !builtIn.contains($0) }
    let additions = Definition(
      kind: .additions, name: type.name, document: JSONObject([.init(key: "schemaExtensions", value: .array(added))]))
    return change(
      exchange, force: force, writer: writer, precondition: additions,
      { (reader) throws(SCIMError) in
        let isKnown = try reader.definitions().contains {
          $0.kind == .additions && $0.name == type.name
        }
        guard added.isEmpty else { return .init(put: [additions]) }
        return isKnown ? .init(remove: [additions]) : .init()
      }, answer: { answer(exchange, additions, registry: $0, status: 200) })
  }

  /// Holds `If-Match` and `If-None-Match` against the definition as it is served now.
  private static func checkPrecondition(
    _ exchange: Exchange, _ definition: Definition, in reader: any TenantReader
  ) throws(SCIMError) {
    let precondition = Precondition(headers: exchange.request.headers)
    guard !precondition.isEmpty else { return }
    let registry = try reader.registry()
    guard let document = document(of: definition, registry: registry, exchange) else { return }
    try precondition.check(DiscoveryAnswer(document).entityTag)
  }

  /// The document as clients discover it.
  private static func document(
    of definition: Definition, registry: SchemaRegistry, _ exchange: Exchange
  ) -> JSON? {
    let base = exchange.baseURL
    return switch definition.kind {
    case .schema: registry.schema(id: definition.name).map { DiscoveryDocument.schema($0, baseURL: base) }
    case .type, .additions, .retired:
      registry.type(named: definition.name).map { DiscoveryDocument.resourceType($0, baseURL: base) }
    }
  }

  private static func answer(
    _ exchange: Exchange, _ definition: Definition, registry: SchemaRegistry, status: Int
  ) -> Response {
    let document = document(of: definition, registry: registry, exchange)
    let answer = document.map { DiscoveryAnswer($0) }
    var headers: [(name: String, value: String)] = [("Content-Type", exchange.media.rawValue)]
    if let answer { headers.append(("ETag", answer.entityTag)) }
    if status == 201, let location = document?["meta"]?["location"]?.stringValue {
      headers.append(("Location", location))
    }
    return Response(status: status, headers: headers, body: answer?.body ?? [])
  }

  private static let noType = SCIMError(.notFound, "There is no resource type with this name.")
  private static let notAllowed = SCIMError(
    .methodNotAllowed, "Built-in definitions cannot be changed, and a schema must have attributes.")
}

extension Exchange {
  /// The methods that the address knows for this key.
  var methods: [String] {
    guard key.role == .admin else { return route.methods }
    let builtIn = builtIn
    let added: [String] =
      switch route {
      case .schemas, .resourceTypes: ["POST"]
      case .schema(let id) where BuiltInSchemas.discovery(id: id) != nil: []
      case .schema(let id):
        // Also where the organisation's own stands in place of a built-in one.
        builtIn.schema(id: id).map { $0 === registry.schema(id: id) } ?? false ? [] : ["PUT", "DELETE"]
      case .resourceType(let name):
        registry.builtInType(named: name, of: builtIn) != nil && Retirement.permanentTypes.contains(name)
          ? ["PUT"] : ["PUT", "DELETE"]
      default: []
      }
    return added.isEmpty ? route.methods : route.methods + added
  }

  /// What is built in for the organisation.
  fileprivate var builtIn: SchemaRegistry {
    do throws(SchemaError) {
      return try service.registry.builtIn(for: registry.settings)
    } catch {
      // The registry at hand was made of it.
      return service.registry
    }
  }
}
