import Glibc
import SCIMCore
import SCIMSQL
import SCIMService

/// Writes one line for each event: when, how grave, what, and fields.
///
/// Lines hold shapes of addresses, ids of resources, organisations and the public ids of keys; never secrets, queries,
/// bodies, or the names of people.
struct RequestLog: Sendable {
  enum Format: String, Sendable, CaseIterable {
    case logfmt, json
  }

  /// What a field holds: JSON tells numbers from texts.
  enum Value: Sendable, Equatable {
    case text(String)
    case number(Int64)
  }

  typealias Field = (name: String, value: Value)

  let format: Format
  private let writer: LogWriter

  init(format: Format, descriptor: Int32 = STDERR_FILENO) {
    self.format = format
    writer = LogWriter(descriptor: descriptor) { count in
      Self.line(format, Self.head(level: "warning", event: "log-dropped") + [("count", .number(Int64(count)))])
    }
  }

  func request(_ record: RequestRecord) {
    write(level: record.status >= 500 ? "error" : "info", event: "request", Self.fields(of: record))
  }

  func fault(_ record: FaultRecord) {
    var fields: [Field] = []
    func add(_ name: String, _ text: String?) { if let text, !text.isEmpty { fields.append((name, .text(text))) } }
    add("id", record.id)
    add("method", record.method.map(Self.method))
    add("route", record.route)
    add("message", record.message)
    write(level: record.kind == .fault ? "error" : "warning", event: record.kind.rawValue, fields)
  }

  /// Trouble with the database, or its end.
  func store(_ note: StoreNote) {
    write(level: note.isOver ? "info" : "error", event: "store", [("message", note.message)])
  }

  func write(level: String, event: String, _ fields: [(String, String)]) {
    write(level: level, event: event, fields.map { (name: $0.0, value: .text($0.1)) })
  }

  private func write(level: String, event: String, _ fields: [Field]) {
    writer.writeLine(Self.line(format, Self.head(level: level, event: event) + fields))
  }

  /// Has a line written as it is.
  func writeLine(_ line: String) { writer.writeLine(line) }

  /// Waits until everything is written, no longer than so many seconds.
  func finish(within seconds: Double) { writer.finish(within: seconds) }

  /// What is told of a request, in this order; fields of which nothing is known are left out.
  static func fields(of record: RequestRecord) -> [Field] {
    var fields: [Field] = []
    fields.reserveCapacity(16)
    func add(_ name: String, _ text: String?) { if let text, !text.isEmpty { fields.append((name, .text(text))) } }
    func add(_ name: String, _ number: Int64) { fields.append((name, .number(number))) }
    add("id", record.id)
    add("method", method(record.method))
    add("route", record.route)
    add("status", Int64(record.status))
    add("scimType", record.scimType)
    add("attribute", record.attribute)
    add("resource", record.resource)
    add("org", record.organization)
    add("key", record.key)
    add("auth", record.keyRefusal?.rawValue)
    add("client", record.client)
    add("in", Int64(record.bytesIn))
    add("out", Int64(record.bytesOut))
    add("us", record.microseconds)
    return fields
  }

  private static func head(level: String, event: String) -> [Field] {
    [("time", .text(Timestamp.now.text)), ("level", .text(level)), ("event", .text(event))]
  }

  static func line(_ format: Format, _ fields: [Field]) -> String {
    switch format {
    case .json:
      let object = JSONObject(
        fields.map { field in
          switch field.value {
          case .text(let text): JSONObject.Member(key: field.name, value: .string(text))
          case .number(let number): JSONObject.Member(key: field.name, value: .integer(number))
          }
        })
      return DisplayWidth.escaped(String(decoding: JSON.object(object).encoded(), as: UTF8.self))
    case .logfmt:
      return fields.map { field in
        switch field.value {
        case .text(let text): "\(field.name)=\(quoted(text))"
        case .number(let number): "\(field.name)=\(number)"
        }
      }.joined(separator: " ")
    }
  }

  /// The value as it is where it is one plain word, else as a JSON string, so that a line stays a line.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"=\\".utf8.contains($0) }
    return isPlain ? value : DisplayWidth.escaped(String(decoding: JSON.string(value).encoded(), as: UTF8.self))
  }

  /// A client can put any token there; nothing where the request could not be read.
  private static func method(_ method: String) -> String {
    if method.isEmpty { return "-" }
    return method.utf8.count <= 16 && method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) ? method : "other"
  }
}
