import HTTPMessage
import SCIMCompat
import SCIMCore

/// `POST /Bulk` (RFC 7644 section 3.7): many writes, each of which succeeds or fails alone; in one transaction, or where
/// they are much work in several, between which others write.
enum Bulk {
  static let requestSchema = "urn:ietf:params:scim:api:messages:2.0:BulkRequest"
  static let responseSchema = "urn:ietf:params:scim:api:messages:2.0:BulkResponse"

  static func operation(_ exchange: Exchange) throws(SCIMError) -> Operation {
    guard exchange.key.role != .reader else { throw SCIMError(.forbidden, "This key may only read.") }
    let request = try BulkRequest(exchange.body(), exchange: exchange)
    return .write { sink in
      Writes.hashing(request.passwords, exchange, sink) { hashes in
        queue(BulkRun(request: request, exchange: exchange, passwordHashes: hashes), exchange, isFirst: true, sink)
      }
    }
  }

  private static func queue(
    _ run: BulkRun, _ exchange: Exchange, isFirst: Bool, _ sink: @escaping Operation.Sink
  ) {
    Writes.queue(
      exchange, run.weight, from: run, isFirst: isFirst, sink,
      { (transaction, run) throws(SCIMError) in
        var next = run
        switch try next.advance(in: transaction) {
        case .done: return .done(answer(next, exchange))
        case .further: return .further(next)
        case .outdated: return .done(.handedOn { sink in readAnew(run, exchange, sink) })
        }
      },
      interrupted: { run, error in
        var run = run
        // What was committed stays, and its client has to hear of it.
        return run.end(with: exchange.told(error)) ? answer(run, exchange) : nil
      })
  }

  /// Has what is left read by the definitions that hold now, on a worker, since the writer has others to serve.
  private static func readAnew(_ run: BulkRun, _ exchange: Exchange, _ sink: @escaping Operation.Sink) {
    @Sendable func end(_ error: SCIMError) {
      var run = run
      let hasAnswers = run.end(with: exchange.told(error))
      sink(hasAnswers ? .success(response(run, exchange)) : .failure(error))
    }
    guard run.readings < DefinitionRun.plans else { return end(DefinitionRun.alwaysOutdated) }
    do throws(SCIMError) {
      try exchange.caller.workers.run(refused: end) { reader in
        do throws(SCIMError) {
          let registry = try reader.registry()
          _ = try reader.pendingChange()
          var next = run
          try next.read(by: registry)
          queue(next, exchange, isFirst: false, sink)
        } catch {
          end(error)
        }
      }
    } catch {
      end(error)
    }
  }

  private static func response(_ done: BulkRun, _ exchange: Exchange) -> Response {
    Response(status: 200, headers: [("Content-Type", exchange.media.rawValue)], body: done.results.encoded())
  }

  private static func answer(_ done: BulkRun, _ exchange: Exchange) -> Writes.Answer {
    .later({ (_) in response(done, exchange) }, otherwise: { response(done, exchange) })
  }
}

/// A BulkRequest read and checked outside the transaction: each operation is ready to run, or has its error.
///
/// Every new resource with a bulkId is given its id here, so that references can be filled in before anything is
/// stored, whether they point backward, forward, or in a circle.
struct BulkRequest: Sendable {
  /// What an operation does once it runs.
  enum Action: Sendable {
    case create(NormalizedResource, ResourceType, PreparedDocument)
    case replace(NormalizedResource, ResourceType, id: String)
    case patch([PatchOperation], ResourceType, id: String)
    case delete(ResourceType, id: String)
  }

  struct Item: Sendable {
    var method: String
    var bulkID: String?
    var version: String?
    /// The resource at the path of a PUT, PATCH or DELETE; nil where there is none such.
    var target: (type: ResourceType, id: String)?
    /// The positions of the operations whose new resources this one refers to.
    var dependencies: [Int] = []
    var action: Result<Action, SCIMError>
  }

  var items: [Item] = []
  var failOnErrors: Int
  var passwords: [String] = []
  private let references: References

  /// - Parameter before: the same request as it was read by other definitions: what it has created keeps its ids.
  init(_ body: JSON, exchange: Exchange, before: BulkRequest? = nil) throws(SCIMError) {
    guard case .object(let object) = body else {
      throw SCIMError(.invalidSyntax, "The body of a Bulk request must be a BulkRequest object.")
    }
    let schemas = object.member("schemas")?.arrayValue?.compactMap(\.stringValue) ?? []
    // The address says what the message is.
    guard exchange.profile.isLenient || schemas.contains(where: { ASCII.equalIgnoringCase($0, Bulk.requestSchema) })
    else { throw SCIMError(.invalidSyntax, "'schemas' must contain '\(Bulk.requestSchema)'.", attribute: "schemas") }
    guard let operations = object.member("Operations")?.arrayValue else {
      throw SCIMError(.invalidSyntax, "'Operations' must be an array of operations.")
    }
    let limit = exchange.configuration.bulkMaxOperations
    guard operations.count <= limit else {
      throw SCIMError(
        .payloadTooLarge, "The request has \(operations.count) operations; maxOperations is \(limit).")
    }
    switch object.member("failOnErrors") {
    case nil, .null?: failOnErrors = .max
    case .integer(let value)? where value > 0: failOnErrors = Int(clamping: value)
    case .string(let text)? where exchange.profile.isLenient && Int(text).map({ $0 > 0 }) ?? false:
      failOnErrors = Int(text) ?? .max
    default: throw SCIMError(.invalidValue, "'failOnErrors' must be a positive integer.")
    }
    references = before?.references ?? References(operations)
    for (position, operation) in operations.enumerated() {
      items.append(item(operation, at: position, exchange: exchange))
    }
    let (count, most) = (Set(passwords).count, exchange.configuration.bulkMaxPasswords)
    guard count <= most else {
      throw SCIMError(
        .payloadTooLarge,
        "The request sets \(count) different passwords; one Bulk request may set \(most). Send it in several requests.")
    }
  }

  private mutating func item(_ operation: JSON, at position: Int, exchange: Exchange) -> Item {
    let object = operation.objectValue ?? JSONObject()
    var item = Item(
      method: (object.member("method")?.stringValue ?? "").uppercased(),
      bulkID: object.member("bulkId")?.stringValue, version: object.member("version")?.stringValue,
      action: .failure(SCIMError(.invalidSyntax, "A Bulk operation must be an object.")))
    guard operation.objectValue != nil else { return item }
    do throws(SCIMError) {
      if references.isRepeated(at: position) {
        throw SCIMError(.invalidValue, "An operation before this one has the same bulkId.")
      }
      try Self.checkBulkID(object, profile: exchange.profile)
      var used: Set<Int> = []
      let path = try references.resolve(path: object.member("path")?.stringValue, used: &used)
      let data = try object.member("data").map { (data) throws(SCIMError) in
        try references.resolve(data, used: &used)
      }
      item.dependencies = used.sorted()
      let route = path.flatMap { Self.route(to: $0, exchange: exchange) }
      if case .resource(let type, let id)? = route { item.target = (type, id) }
      item.action = .success(
        try action(
          item.method, route: route, data: data, id: references.id(at: position), exchange: exchange))
    } catch {
      item.action = .failure(error)
    }
    return item
  }

  /// A bulkId is a text, and what tells the answers to POSTs apart. Only the strict profile insists on one for a POST,
  /// since the order of the answers tells as much.
  private static func checkBulkID(_ operation: JSONObject, profile: Profile) throws(SCIMError) {
    let bulkID = operation.member("bulkId") ?? .null
    guard bulkID == .null || bulkID.stringValue?.isEmpty == false else {
      throw SCIMError(.invalidSyntax, "The bulkId of an operation must be a string that is not empty.")
    }
    if bulkID == .null, !profile.isLenient, operation.member("method")?.stringValue?.uppercased() == "POST" {
      throw SCIMError(.invalidSyntax, "A POST in a Bulk request must have a bulkId.")
    }
  }

  private static func route(to path: String, exchange: Exchange) -> Route? {
    guard path.hasPrefix("/"), let address = Address(path: Address.basePath + path, prefix: nil) else { return nil }
    return address.route(in: exchange.registry, lenient: exchange.profile.isLenient)
  }

  private mutating func action(
    _ method: String, route: Route?, data: JSON?, id: String?, exchange: Exchange
  ) throws(SCIMError) -> Action {
    guard ["POST", "PUT", "PATCH", "DELETE"].contains(method) else {
      throw SCIMError(.invalidSyntax, "The method of a Bulk operation must be POST, PUT, PATCH or DELETE.")
    }
    guard let route else { throw SCIMError(.notFound, "The path of this operation is no endpoint.") }
    func required() throws(SCIMError) -> JSON {
      guard let data else { throw SCIMError(.invalidSyntax, "This operation must have 'data'.") }
      return data
    }
    switch (method, route) {
    case ("POST", .collection(let type)):
      try Authentication.checkWrite(exchange.key, to: type)
      let resource = try exchange.normalize(try required(), type: type, isNew: true)
      if let password = resource.password { passwords.append(password) }
      return .create(
        resource, type,
        PreparedDocument(resource.document, reservedID: id, type: type, settings: exchange.registry.settings))
    case ("PUT", .resource(let type, let target)):
      try Authentication.checkWrite(exchange.key, to: type)
      let resource = try exchange.normalize(try required(), type: type)
      if let password = resource.password { passwords.append(password) }
      return .replace(resource, type, id: target)
    case ("PATCH", .resource(let type, let target)):
      try Authentication.checkWrite(exchange.key, to: type)
      let parsed = try PatchRequest.parse(try required(), profile: exchange.profile)
      let operations = Compat.patch(parsed, type: type, profile: exchange.profile)
      try ResourceSize.check(operations, type: type)
      if let password = try exchange.judge(operations, type: type) {
        passwords.append(password)
      }
      return .patch(operations, type, id: target)
    case ("DELETE", .resource(let type, let target)):
      try Authentication.checkWrite(exchange.key, to: type)
      return .delete(type, id: target)
    case (_, .collection), (_, .resource):
      throw SCIMError(.methodNotAllowed, "The method is not allowed at the path of this operation.")
    default:
      throw SCIMError(.notFound, "The path of this operation is not that of a resource or a collection.")
    }
  }
}

/// The bulkIds of a request and the ids that their new resources will have.
private struct References: Sendable {
  private var positions: [String: Int] = [:]
  private var ids: [Int: String] = [:]
  private var repeated: Set<Int> = []
  private static let prefix = "bulkId:"

  init(_ operations: [JSON]) {
    for (position, operation) in operations.enumerated() {
      guard let object = operation.objectValue, let bulkID = object.member("bulkId")?.stringValue,
        object.member("method")?.stringValue?.uppercased() == "POST"
      else { continue }
      if positions[bulkID] == nil {
        positions[bulkID] = position
        ids[position] = ResourceID.make()
      } else {
        repeated.insert(position)
      }
    }
  }

  func isRepeated(at position: Int) -> Bool { repeated.contains(position) }

  func id(at position: Int) -> String? { ids[position] }

  /// The path with `bulkId:x` in a segment replaced by the new resource's id.
  func resolve(path: String?, used: inout Set<Int>) throws(SCIMError) -> String? {
    guard let path, let start = path.firstRange(of: "/" + Self.prefix) else { return path }
    let name = path[start.upperBound...]
    return path[..<start.lowerBound] + "/" + (try id(of: String(name), used: &used))
  }

  /// The data with every text `bulkId:x` replaced, inside quoted texts of paths too.
  func resolve(_ data: JSON, used: inout Set<Int>) throws(SCIMError) -> JSON {
    switch data {
    case .string(let text):
      if text.hasPrefix(Self.prefix) {
        return .string(try id(of: String(text.dropFirst(Self.prefix.count)), used: &used))
      }
      return .string(try resolve(quoted: text, used: &used))
    case .array(let elements):
      var resolved: [JSON] = []
      resolved.reserveCapacity(elements.count)
      for element in elements { resolved.append(try resolve(element, used: &used)) }
      return .array(resolved)
    case .object(let object):
      var members: [JSONObject.Member] = []
      members.reserveCapacity(object.members.count)
      for member in object.members {
        members.append(JSONObject.Member(key: member.key, value: try resolve(member.value, used: &used)))
      }
      return .object(JSONObject(members))
    default: return data
    }
  }

  private func resolve(quoted text: String, used: inout Set<Int>) throws(SCIMError) -> String {
    let opening = "\"" + Self.prefix
    guard text.contains(opening) else { return text }
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstRange(of: opening) {
      let behind = rest[start.upperBound...]
      guard let end = behind.firstIndex(of: "\"") else { break }
      result += rest[..<start.lowerBound] + "\"" + (try id(of: String(behind[..<end]), used: &used))
      rest = behind[end...]
    }
    return result + rest
  }

  private func id(of bulkID: String, used: inout Set<Int>) throws(SCIMError) -> String {
    guard let position = positions[bulkID], let id = ids[position] else {
      throw SCIMError(.invalidValue, "This operation refers to a bulkId that no POST of the request has.")
    }
    used.insert(position)
    return id
  }
}
