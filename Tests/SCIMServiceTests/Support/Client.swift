import Foundation
import SCIMCore
import Testing

/// One client with one key, over any wire.
struct Client: Sendable {
  let wire: any Wire
  /// Nil sends no Authorization field.
  let key: String?
  /// Keeps the service alive that the wire leads to.
  var harness: Harness?

  /// Sends `VERB /path`, the path below the base path and written plainly: it is percent-encoded here, but for what it
  /// encodes already.
  func send(
    _ request: String, _ body: JSON? = nil, headers: [(String, String)] = []
  ) throws -> Reply {
    try send(request, bytes: body?.encoded(), headers: headers)
  }

  /// Sends a body written as JSON text.
  func send(_ request: String, text: String, headers: [(String, String)] = []) throws -> Reply {
    try send(request, bytes: Array(text.utf8), headers: headers)
  }

  func send(_ request: String, bytes: [UInt8]?, headers: [(String, String)] = []) throws -> Reply {
    let parts = request.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.count > 1 ? String(parts[1]) : ""
    return try sendRaw(
      String(parts[0]), target: "/scim/v2" + RequestTarget.encode(path), bytes: bytes, headers: headers)
  }

  /// Sends to a target exactly as given.
  func sendRaw(
    _ method: String, target: String, bytes: [UInt8]? = nil, headers: [(String, String)] = []
  ) throws -> Reply {
    var fields: [(String, String)] = []
    func add(_ name: String, _ value: String) {
      if !headers.contains(where: { $0.0.lowercased() == name.lowercased() }) { fields.append((name, value)) }
    }
    add("Accept", "application/scim+json")
    if let key { add("Authorization", "Bearer \(key)") }
    if bytes != nil { add("Content-Type", "application/scim+json") }
    return Reply(
      request: "\(method) \(target)",
      answer: try wire.send(method: method, target: target, headers: fields + headers, body: bytes))
  }

  /// Creates a resource that is expected to be taken; gives it as answered.
  func create(
    _ endpoint: String, _ body: JSON, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Reply {
    let reply = try send("POST \(endpoint)", body)
    try #require(reply.status == 201, "\(reply)", sourceLocation: sourceLocation)
    return reply
  }

  /// A whole state to compare: every resource of the organisation as it is shown.
  func snapshot(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
    let reply = try send("GET /?count=1000")
    try #require(reply.status == 200, "\(reply)", sourceLocation: sourceLocation)
    return try #require(reply.json)
  }
}

/// An answer with its body read.
struct Reply: Sendable, CustomStringConvertible {
  let request: String
  let answer: ClientAnswer
  /// Nil where the body is empty or no JSON.
  let json: JSON?

  init(request: String, answer: ClientAnswer) {
    self.request = request
    self.answer = answer
    json = try? JSON(parsing: answer.body, limits: JSONLimits(depth: 100))
  }

  var status: Int { answer.status }
  var text: String { String(decoding: answer.body, as: UTF8.self) }
  var description: String { "\(request): \(status) \(text.prefix(600))" }

  subscript(_ name: String) -> JSON? { json?[name] }
  func header(_ name: String) -> String? { answer.headers[name.lowercased()] }

  var id: String { json?["id"]?.stringValue ?? "" }
  var version: String { json?["meta"]?["version"]?.stringValue ?? "" }
  var total: Int64? { json?["totalResults"]?.integerValue }
  var resources: [JSON] { json?["Resources"]?.arrayValue ?? [] }
  /// The ids of the resources on a page, in their order.
  var ids: [String] { resources.compactMap { $0["id"]?.stringValue } }
}

/// Expects a status and, where given, what the body matches (see `Matcher`).
func expect(
  _ reply: Reply, _ status: Int, _ body: JSON? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(reply.status == status, "\(reply)", sourceLocation: sourceLocation)
  if let body, reply.status == status {
    let why = Matcher.mismatch(body, reply.json)
    #expect(why == nil, "\(reply)", sourceLocation: sourceLocation)
  }
}

/// Expects a SCIM Error body (RFC 7644 section 3.12) whose status is text, with that scimType or none.
func expectError(
  _ reply: Reply, _ status: Int, _ scimType: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(reply.status == status, "\(reply)", sourceLocation: sourceLocation)
  #expect(
    reply["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"], "\(reply)", sourceLocation: sourceLocation)
  #expect(reply["status"] == .string(String(status)), "\(reply)", sourceLocation: sourceLocation)
  #expect(reply["scimType"]?.stringValue == scimType, "\(reply)", sourceLocation: sourceLocation)
  #expect(reply["detail"]?.stringValue?.isEmpty == false, "\(reply)", sourceLocation: sourceLocation)
  #expect(reply.header("Content-Type") == "application/scim+json", "\(reply)", sourceLocation: sourceLocation)
}

extension JSON {
  subscript(_ index: Int) -> JSON? {
    guard let items = arrayValue, items.indices.contains(index) else { return nil }
    return items[index]
  }
}
