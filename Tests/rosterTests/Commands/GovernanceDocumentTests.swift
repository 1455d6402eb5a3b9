import Foundation
import SCIMCore
import Testing

@testable import roster

/// Does what docs/governance.md says, and holds the answers against it.
@Suite struct GovernanceDocumentTests {
  /// A block of the document: its kind, the word behind it, and its lines.
  private struct Block {
    var kind: String
    var name: String
    var lines: [String] = []
  }

  private static func blocks() throws -> [Block] {
    let path = SeedCommandTests.shipped("../docs/governance.md")
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

  @Test func theDocumentIsTrue() async throws {
    let runner = try CommandRunner()
    var output = ""
    var counts: [String: Int] = [:]
    for block in try Self.blocks() {
      counts[block.kind, default: 0] += 1
      switch block.kind {
      case "json": _ = try runner.file(block.name, block.lines.joined(separator: "\n"))
      case "sh":
        output = ""
        for line in block.lines {
          let process = runner.process(line.split(separator: " ").dropFirst().map(String.init))
          let pipe = Pipe()
          process.standardOutput = pipe
          try process.run()
          let data = pipe.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          #expect(process.terminationStatus == 0, "\(line)")
          output += String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
        }
      case "text": #expect(output == block.lines.map { $0 + "\n" }.joined())
      case "http": try await check(block.lines, RunningServer(runner))
      default: Issue.record("a block of an unknown kind: \(block.kind)")
      }
    }
    #expect(counts == ["json": 1, "sh": 3, "text": 2, "http": 1])
  }

  private func check(_ lines: [String], _ server: RunningServer) async throws {
    for line in lines {
      let parts = line.components(separatedBy: " # ")
      let path = parts[0].dropFirst("GET ".count)
      let encoded = try #require(path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.union(["?"])))
      let reply = try await server.get(encoded, key: "audit-demo-key")
      #expect(reply.status == 200, "\(line)")
      #expect(reply.body?["totalResults"]?.integerValue == parts.last.flatMap { Int64($0) }, "\(line)")
    }
    #expect(server.stop() == 0)
  }
}
