import Foundation
import Testing

/// Holds what the sources import against the table in `docs/architecture.md`.
@Suite struct ImportTests {
  /// The table's rows: target, then the modules that it may import.
  static func table() throws -> [String: Set<String>] {
    var table: [String: Set<String>] = [:]
    for line in try ProjectFiles.text("docs/architecture.md").split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3 else { continue }
      let target = cells[0].filter { $0 != "`" }
      table[target] = Set(cells[2].split(separator: "`").map(String.init).filter { !$0.contains(",") && $0 != " " })
    }
    return table
  }

  /// The modules that a Swift source imports, however the import is written.
  static func imports(of text: String) -> Set<String> {
    var modules: Set<String> = []
    for line in text.split(separator: "\n") {
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first,
        first.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(first)
      {
        words.removeFirst()
      }
      guard words.first == "import", words.count >= 2 else { continue }
      let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
      let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      modules.insert(String(name.prefix { $0 != "." }))
    }
    return modules
  }

  @Test func everyTargetImportsOnlyWhatTheTableAllows() throws {
    let table = try Self.table()
    var seen: Set<String> = []
    for path in ProjectFiles.list(["Sources"]) where path.hasSuffix(".swift") {
      let target = String(path.split(separator: "/")[1])
      let allowed = try #require(table[target], "docs/architecture.md has no row for \(target)")
      seen.insert(target)
      let forbidden = Self.imports(of: try ProjectFiles.text(path)).subtracting(allowed)
      #expect(forbidden.isEmpty, "\(path) imports \(forbidden.sorted().joined(separator: ", "))")
    }
    #expect(seen == Set(table.keys), "the table names targets that have no sources, or lacks some that have")
  }

  @Test(
    arguments: [
      ("import Foundation", ["Foundation"]), ("@testable import SCIMCore", ["SCIMCore"]),
      ("public import struct Foundation.Data", ["Foundation"]), ("@preconcurrency  import Dispatch", ["Dispatch"]),
      ("// import Nothing", []), ("let text = \"import Nothing\"", []),
      ("import A\nimport class B.C", ["A", "B"]),
    ] as [(String, Set<String>)])
  func importsAreRecognised(_ text: String, _ expected: Set<String>) {
    #expect(Self.imports(of: text) == expected)
  }
}
