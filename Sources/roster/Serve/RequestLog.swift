import SCIMCore
import SCIMService

/// Writes one line for each event: when, how grave, what, and fields.
///
/// Lines hold shapes of addresses, organisations and the public ids of keys; never secrets, queries, bodies, or the
/// names and addresses of people.
struct RequestLog: Sendable {
  enum Format: String, Sendable, CaseIterable {
    case logfmt, json
  }

  let format: Format
  let console: Console

  init(format: Format, console: Console = .error) {
    self.format = format
    self.console = console
  }

  func request(_ record: RequestRecord) {
    var fields: [(String, String)] = [
      ("method", Self.method(record.method)), ("route", record.route), ("status", String(record.status)),
    ]
    if let organization = record.organization { fields.append(("org", organization)) }
    if let key = record.key { fields.append(("key", key)) }
    fields.append(("us", String(record.microseconds)))
    write(level: record.status >= 500 ? "error" : "info", event: "request", fields)
  }

  func write(level: String, event: String, _ fields: [(String, String)]) {
    console.writeLine(Self.line(format, [("time", Timestamp.now.text), ("level", level), ("event", event)] + fields))
  }

  static func line(_ format: Format, _ fields: [(String, String)]) -> String {
    switch format {
    case .json:
      let object = JSONObject(fields.map { JSONObject.Member(key: $0.0, value: .string($0.1)) })
      return DisplayWidth.escaped(String(decoding: JSON.object(object).encoded(), as: UTF8.self))
    case .logfmt: return fields.map { "\($0.0)=\(quoted($0.1))" }.joined(separator: " ")
    }
  }

  /// The value as it is where it is one plain word, else as a JSON string, so that a line stays a line.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"=\\".utf8.contains($0) }
    return isPlain ? value : DisplayWidth.escaped(String(decoding: JSON.string(value).encoded(), as: UTF8.self))
  }

  /// A client can put any token there.
  private static func method(_ method: String) -> String {
    method.utf8.count <= 16 && method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) ? method : "other"
  }
}
