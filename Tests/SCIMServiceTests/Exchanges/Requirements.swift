import Foundation
import SCIMCore

/// What an RFC asks of a service provider, and which exchange or test shows that Roster does it.
struct Requirement: Sendable {
  enum Standing: Sendable {
    /// Roster does it.
    case held
    /// Roster departs from it; the departure is named.
    case departs([String])
    /// It is for others to do; the text says whom.
    case elsewhere(String)
  }

  var section: String
  /// The RFC's word, such as `MUST NOT`; `text` where the RFC says it without such a word.
  var level: String
  var text: String
  var standing: Standing
  /// Names of exchanges, and tests as `Suite.function`.
  var shown: [String]

  var place: String { "§\(section): \(text)" }
}

/// An RFC with what it asks, as `Tests/Fixtures/requirements` has it.
struct Standard: Sendable {
  var name: String
  var title: String
  var requirements: [Requirement]

  static let all: [Standard] = ["rfc7643", "rfc7644", "rfc9865"].compactMap(load)

  private static func load(_ file: String) -> Standard? {
    guard let json = RequirementFile.json(file) else { return nil }
    return Standard(
      name: json["name"]?.stringValue ?? "", title: json["title"]?.stringValue ?? "",
      requirements: (json["requirements"]?.arrayValue ?? []).map { row in
        let standing: Requirement.Standing =
          if let why = row["elsewhere"]?.stringValue {
            .elsewhere(why)
          } else if row["departs"] != nil {
            .departs(RequirementFile.texts(row["departs"]))
          } else {
            .held
          }
        return Requirement(
          section: row["section"]?.stringValue ?? "", level: row["level"]?.stringValue ?? "",
          text: row["text"]?.stringValue ?? "", standing: standing, shown: RequirementFile.texts(row["shown"]))
      })
  }
}

/// A place where Roster departs from the text of a standard, or chooses where the text leaves a choice.
struct Departure: Sendable {
  var id: String
  var text: String
  var roster: String
  var why: String
  /// True where the text allows it.
  var isChoice: Bool
  var shown: [String]

  static let all: [Departure] = (RequirementFile.json("departures")?.arrayValue ?? []).map { row in
    Departure(
      id: row["id"]?.stringValue ?? "", text: row["text"]?.stringValue ?? "",
      roster: row["roster"]?.stringValue ?? "",
      why: row["why"]?.stringValue ?? "", isChoice: row["choice"]?.boolValue ?? false,
      shown: RequirementFile.texts(row["shown"]))
  }
}

/// What `interop` and `entra` read beyond the RFCs.
struct Leniency: Sendable {
  var sent: String
  var read: String
  /// False where `strict` reads it as well.
  var strictRefuses: Bool
  /// What `strict` does, where that is more than to refuse or to read it alike.
  var note: String?
  var shown: [String]

  static let all: [Leniency] = (RequirementFile.json("leniencies")?.arrayValue ?? []).map { row in
    Leniency(
      sent: row["sent"]?.stringValue ?? "", read: row["read"]?.stringValue ?? "",
      strictRefuses: row["strict"]?.stringValue == "refused", note: row["note"]?.stringValue,
      shown: RequirementFile.texts(row["shown"]))
  }
}

/// The files of `Tests/Fixtures/requirements`.
enum RequirementFile {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func json(_ name: String) -> JSON? {
    (try? Data(contentsOf: root.appending(path: "Tests/Fixtures/requirements/\(name).json"))).flatMap {
      try? JSON(parsing: $0, limits: JSONLimits(depth: 8))
    }
  }

  static func texts(_ value: JSON?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

  /// The tests of the package, as `Suite.function`.
  static let tests: Set<String> = {
    var names: Set<String> = []
    let declaration = /^(?:@Suite(?:\([^)]*\))? |final |@MainActor )*(?:struct|class|extension|actor) (\w+)/
    let folder = root.appending(path: "Tests")
    for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" {
      guard let text = try? String(contentsOf: file, encoding: .utf8), text.contains("@Test") else { continue }
      var suite = ""
      var isTest = false
      for line in text.split(separator: "\n") {
        if let type = line.firstMatch(of: declaration) { suite = String(type.output.1) }
        if line.contains("@Test") { isTest = true }
        if isTest, let function = line.firstMatch(of: /\bfunc `?([^`(]+)`?\(/) {
          names.insert("\(suite).\(function.output.1)")
          isTest = false
        }
      }
    }
    return names
  }()

  /// True for what is written as the name of a test, not of an exchange.
  static func isTest(_ name: String) -> Bool { name.wholeMatch(of: /\w+Tests\..+/) != nil }
}
