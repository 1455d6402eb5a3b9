import Foundation
import Testing

/// Every row of a table of limits names the tests that try the limit and what is beyond it.
@Suite struct LimitTableTests {
  /// Where such tables must stand: the page, and the heading above the table.
  static let places = [
    ("docs/operations.md", "Limits"), ("docs/operations.md", "What one write may cost"), ("docs/api.md", "Limits"),
  ]

  /// A row of a table whose last column is called `test`.
  struct Row: Equatable {
    var heading: String
    var what: String
    var tests: [String]
  }

  static func rows(of page: String) -> [Row] {
    var rows: [Row] = []
    var heading = ""
    var isTable = false
    var isWanted = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") { heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|") else {
        isTable = false
        continue
      }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if !isTable {
        isTable = true
        isWanted = cells.last == "test"
      } else if isWanted, let last = cells.last, !last.hasPrefix("---") {
        // Between back quotes stands every second part.
        let parts = last.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        let tests = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
        rows.append(Row(heading: heading, what: cells[0], tests: tests))
      }
    }
    return rows
  }

  /// The tests of a source, each as `Suite.function`.
  static func tests(of source: String) -> Set<String> {
    var tests: Set<String> = []
    var suite = ""
    var isTest = false
    for line in source.split(separator: "\n") {
      let words = line.split(whereSeparator: { " (:{".contains($0) })
      if line.first?.isWhitespace == false,
        let place = words.firstIndex(where: { ["struct", "class", "extension", "enum"].contains($0) }),
        place + 1 < words.count
      {
        suite = String(words[place + 1])
      }
      if words.first?.hasPrefix("@Test") == true { isTest = true }
      if isTest, let place = words.firstIndex(of: "func"), place + 1 < words.count {
        tests.insert("\(suite).\(words[place + 1])")
        isTest = false
      }
    }
    return tests
  }

  @Test func everyRowNamesTestsThatExist() throws {
    var known: Set<String> = []
    for path in ProjectFiles.list(["Tests"]) where path.hasSuffix(".swift") {
      known.formUnion(Self.tests(of: try ProjectFiles.text(path)))
    }
    #expect(known.contains("LimitTableTests.everyRowNamesTestsThatExist"))
    var headings: Set<String> = []
    for path in ProjectFiles.list(["docs"]) where path.hasSuffix(".md") {
      for row in Self.rows(of: try ProjectFiles.text(path)) {
        headings.insert("\(path): \(row.heading)")
        #expect(!row.tests.isEmpty, "\(path): no test is named for \(row.what)")
        for test in row.tests {
          #expect(known.contains(test), "\(path): \(row.what) names \(test), which does not exist")
        }
      }
    }
    for (path, heading) in Self.places {
      #expect(headings.contains("\(path): \(heading)"), "\(path) has no table of limits under \(heading)")
    }
  }

  @Test func rowsAreRead() {
    let page = """
      ## One
      | what | limit | test |
      |---|---|---|
      | a | 1 | `A.one`, `A.two` |
      | b | 2 | by hand |

      | what | test of it |
      |---|---|
      | c | `C.one` |
      """
    #expect(
      Self.rows(of: page) == [
        Row(heading: "One", what: "a", tests: ["A.one", "A.two"]), Row(heading: "One", what: "b", tests: []),
      ])
  }

  @Test func testsAreRead() {
    let source = """
      @Suite("Words", .serialized)
      struct FirstTests {
        @Test("What holds", arguments: [1, 2])
        func one(_ number: Int) {}
        @Test func two() {}
        func three() {}
      }
      @Suite struct SecondTests { }
      extension SecondTests {
        @Test(
          arguments: [1])
        func four() {}
      }
      """
    #expect(Self.tests(of: source) == ["FirstTests.one", "FirstTests.two", "SecondTests.four"])
  }
}
