import Foundation
import SCIMCore
import Testing

/// One case of the fixtures: a conversation whose answers are expected to match.
struct ExchangeCase: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var request: String
    var headers: JSONObject
    var body: JSON?
    var raw: String?
    var expect: JSONObject
    var save: JSONObject
    /// Whose reading the request gets: it is sent with a key of this profile.
    var profile = Profile.interop
  }

  var file: String
  var name: String
  /// What the client needs, and the sections of the standards that say so.
  var why: String
  var steps: [Step]
  /// False for a case that does not hold where groups may grant.
  var holdsWithGrants = true

  var testDescription: String { name }

  /// Every case of `Tests/Fixtures/exchanges`.
  static let all: [ExchangeCase] = load()

  private static func load() -> [ExchangeCase] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/exchanges")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    var cases: [ExchangeCase] = []
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
      guard let text = try? String(contentsOf: file, encoding: .utf8),
        let json = try? JSON(
          parsing: Data(mended(text).utf8), limits: JSONLimits(depth: 64, distinctIgnoringCase: false))
      else { continue }
      for entry in json.arrayValue ?? [] {
        let steps = (entry["steps"]?.arrayValue ?? []).map { step in
          Step(
            request: step["do"]?.stringValue ?? "", headers: step["headers"]?.objectValue ?? JSONObject(),
            body: step["body"], raw: step["raw"]?.stringValue,
            expect: step["expect"]?.objectValue ?? JSONObject(), save: step["save"]?.objectValue ?? JSONObject(),
            profile: step["profile"]?.stringValue.flatMap { Profile(rawValue: $0) } ?? .interop)
        }
        cases.append(
          ExchangeCase(
            file: file.lastPathComponent, name: entry["name"]?.stringValue ?? "",
            why: entry["why"]?.stringValue ?? "", steps: steps,
            holdsWithGrants: entry["grants"]?.boolValue ?? true))
      }
    }
    return cases
  }

  /// Half a surrogate pair in a fixture stands for its three bytes, which are no UTF-8. No Swift string can hold it, so
  /// that U+E000 stands in for it until the body is sent.
  private static func mended(_ text: String) -> String {
    text.replacing(/(^|[^\\])\\ud800/) { match in match.output.1 + "\\ue000" }
  }
}
