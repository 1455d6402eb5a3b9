import Foundation
import SCIMCore

/// What mutations start from: the filters, paths and bodies of the exchanges in `Tests/Fixtures/exchanges`.
struct FuzzCorpus {
  private(set) var filters: [[UInt8]] = []
  private(set) var paths: [[UInt8]] = []
  private(set) var patches: [JSON] = []
  private(set) var resources: [JSON] = []
  /// Every value that stands somewhere in a body, to be put elsewhere.
  private(set) var values: [JSON] = []
  private(set) var texts: [[UInt8]] = []

  /// Reads the fixtures of a folder.
  init(folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
    for name in names {
      let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        .replacing(/(^|[^\\])\\ud800/) { $0.output.1 + "\\ue000" }
      let cases = try JSON(parsing: Array(text.utf8), limits: JSONLimits(depth: 64, distinctIgnoringCase: false))
      for step in (cases.arrayValue ?? []).flatMap({ $0["steps"]?.arrayValue ?? [] }) { add(step) }
    }
    for filter in RandomSyntax.examples { filters.append(Array(filter.utf8)) }
    guard !filters.isEmpty, !paths.isEmpty, !patches.isEmpty, !resources.isEmpty, !values.isEmpty else {
      throw SCIMError(.internalError, "\(folder) holds no exchanges")
    }
  }

  private mutating func add(_ step: JSON) {
    if let request = step["do"]?.stringValue, let start = request.range(of: "filter=")?.upperBound {
      let filter = request[start...].prefix { $0 != "&" }
      filters.append(Array((filter.removingPercentEncoding ?? String(filter)).utf8))
    }
    if let raw = step["raw"]?.stringValue { texts.append(Array(raw.utf8)) }
    guard let body = step["body"] else { return }
    texts.append(body.encoded())
    collect(body)
    for operation in body["Operations"]?.arrayValue ?? [] {
      if let path = operation["path"]?.stringValue { paths.append(Array(path.utf8)) }
      if let data = operation["data"] { resources.append(data) }
    }
    if let filter = body["filter"]?.stringValue { filters.append(Array(filter.utf8)) }
    if body["Operations"] != nil { patches.append(body) } else { resources.append(body) }
  }

  private mutating func collect(_ value: JSON) {
    values.append(value)
    switch value {
    case .array(let elements): for element in elements { collect(element) }
    case .object(let object): for member in object.members { collect(member.value) }
    default: break
    }
  }
}
