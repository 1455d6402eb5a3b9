import HTTPMessage
import SCIMCore
import Synchronization

/// Shows whole exchanges to somebody who looks at what a client and the server tell each other: head and body of each
/// request and of its answer, JSON over several lines.
///
/// For development on one machine alone: names and addresses of people are shown. Keys and passwords are not: of an
/// `Authorization` field the scheme, and of a member whose name speaks of a secret no value. What is no JSON is told by its
/// length, since nothing in it could be told apart.
final class ExchangeTrace: Sendable {
  /// A body is shown up to here, so that one answer does not fill the terminal.
  static let maximumBody = 64 << 10

  private let write: @Sendable (String) -> Void
  private let count = Atomic(0)

  /// - Parameter write: takes the lines of one message, without the break behind the last one, from any thread.
  init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Shows a request; gives the number by which its answer is told.
  func request(_ request: Request) -> Int {
    let number = count.add(1, ordering: .relaxed).newValue
    let fields = request.headers.fields.map { (name: $0.name, value: $0.value) }
    let target = request.path + (request.query.map { "?" + Self.shown(query: $0) } ?? "")
    write(text("[\(number)] \(request.method) \(target)", fields, request.body))
    return number
  }

  func response(_ response: Response, to number: Int) {
    write(text("[\(number)] \(response.status)", response.headers, response.body))
  }

  private func text(_ line: String, _ fields: [(name: String, value: String)], _ body: [UInt8]) -> String {
    var text = "\n" + line + "\n"
    text += fields.map { "\($0.name): \(Self.shown($0))" }.joined(separator: "\n")
    if !body.isEmpty { text += "\n\n" + Self.shown(body: body) }
    return DisplayWidth.escaped(text)
  }

  private static let mask = "***"

  private static func shown(_ field: (name: String, value: String)) -> String {
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      let scheme = field.value.prefix { $0 != " " }
      return scheme.count < field.value.count ? "\(scheme) \(mask)" : mask
    case "cookie", "set-cookie": return mask
    default: return field.value
    }
  }

  private static func shown(query: String) -> String { isSecret(query) ? mask : query }

  private static func shown(body: [UInt8]) -> String {
    guard let json = try? JSON(parsing: body) else { return "(\(body.count) bytes that are not JSON)" }
    let text = masked(json).pretty()
    guard text.utf8.count > maximumBody else { return text }
    return String(decoding: text.utf8.prefix(maximumBody), as: UTF8.self)
      + "\n(\(text.utf8.count - maximumBody) more bytes)"
  }

  /// The value without secrets, those of a PATCH operation whose path names one included.
  static func masked(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map(masked))
    case .object(let object):
      let hidesValue = object["path"]?.stringValue.map(isSecret) ?? false
      return .object(
        JSONObject(
          object.members.map { member in
            let isHidden = isSecret(member.key) || (hidesValue && ASCII.equalIgnoringCase(member.key, "value"))
            return JSONObject.Member(
              key: member.key, value: isHidden && !isMeta(member.value) ? .string(mask) : masked(member.value))
          }))
    default: return json
    }
  }

  /// Discovery describes what is called so; there is nothing to hide in that.
  private static func isMeta(_ value: JSON) -> Bool {
    switch value {
    case .bool, .null: true
    default: value["supported"] != nil
    }
  }

  /// True for names, paths and queries that speak of a secret.
  private static func isSecret(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["password", "secret", "token", "passphrase", "credential", "apikey"].contains { text.contains($0) }
  }
}
