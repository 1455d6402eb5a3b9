import Foundation
import SCIMCore
import Testing

@testable import roster

/// Does what documents say, and holds the answers against them.
@Suite struct DocumentTests {
  /// A block of the document: its kind, the word behind it, and its lines.
  private struct Block {
    var kind: String
    var name: String
    var lines: [String] = []
  }

  private static func blocks(_ document: String) throws -> [Block] {
    let path = SeedCommandTests.shipped("../docs/\(document)")
    var blocks: [Block] = []
    var open: Block?
    for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          let words = line.dropFirst(3).split(separator: " ").map(String.init)
          open = Block(kind: words.first ?? "", name: words.dropFirst().first ?? "")
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  @Test(arguments: [
    ("governance.md", ["json": 2, "sh": 4, "text": 3, "http": 1]),
    ("entitlements.md", ["mermaid": 1, "json": 7, "sh": 8, "text": 4, "http": 2]),
  ])
  func theDocumentIsTrue(_ document: String, _ expected: [String: Int]) async throws {
    let runner = try CommandRunner()
    var output = ""
    var counts: [String: Int] = [:]
    for block in try Self.blocks(document) {
      counts[block.kind, default: 0] += 1
      switch block.kind {
      case "json": _ = try runner.file(block.name, block.lines.joined(separator: "\n"))
      case "sh":
        output = ""
        for line in block.lines {
          let outcome = try runner.run(arguments: line.split(separator: " ").dropFirst().map(String.init))
          #expect(outcome.code == 0, "\(line)")
          output += outcome.output.replacing("\r\n", with: "\n")
        }
      case "text": #expect(output == block.lines.map { $0 + "\n" }.joined())
      case "http":
        let key = block.name.isEmpty ? "audit-demo-key" : block.name
        try await check(block.lines, RunningServer(runner), key: key, files: runner.directory)
      case "mermaid": #expect(block.lines.first?.hasPrefix("flowchart") == true)
      default: Issue.record("a block of an unknown kind: \(block.kind)")
      }
    }
    #expect(counts == expected)
  }

  /// Lines such as `GET /Users # 2` and `PATCH /Users/ann change.json # 400`: behind the mark stands how many match, or
  /// the status.
  private func check(_ lines: [String], _ server: RunningServer, key: String, files: URL) async throws {
    for line in lines {
      let parts = line.components(separatedBy: " # ")
      let expected = try #require(Int64(parts[parts.count - 1]))
      var request = parts[0]
      let method = String(request.prefix { $0 != " " })
      request.removeFirst(method.count + 1)
      var body: JSON?
      if let blank = request.lastIndex(of: " "), request.hasSuffix(".json") {
        let file = files.appendingPathComponent(String(request[request.index(after: blank)...]))
        body = try JSON(parsing: Data(contentsOf: file))
        request = String(request[..<blank])
      }
      let encoded = try #require(request.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.union(["?"])))
      let reply = try await server.send(method, encoded, body, key: key)
      if let total = reply.body?["totalResults"]?.integerValue {
        #expect(reply.status == 200 && total == expected, "\(line)")
      } else {
        #expect(reply.status == Int(expected), "\(line)")
      }
    }
    #expect(server.stop() == 0)
  }
}
