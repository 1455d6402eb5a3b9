import Foundation
import SCIMCore
import Testing

@testable import roster

/// Does what the pages say, block by block, and compares what comes out with what they show.
@Suite struct DocumentTests {
  @Test(arguments: DocumentBlock.pages)
  func thePageIsTrue(_ page: String) async throws {
    let blocks = try DocumentBlock.all(of: page)
    let shell = try DocumentShell(isInstalled: page != "README.md")
    var last: DocumentShell.Outcome?
    var hasFailed = false
    for block in blocks {
      let place = "\(page):\(block.line)"
      if block.words.first == "skip:" {
        #expect((block.skipReason ?? "").count > 10, "\(place): why is it not run?")
        continue
      }
      switch (block.kind, block.words) {
      case ("sh", ["server"]): try shell.serve(block)
      case ("sh", []), ("sh", ["fails"]), ("sh", ["stopped"]):
        if block.words == ["stopped"] { shell.stop() }
        let outcome = try shell.run(block)
        hasFailed = block.words == ["fails"]
        #expect((outcome.code != 0) == hasFailed, "\(place): exit code \(outcome.code)\n\(outcome.error)")
        last = outcome
      case ("text", []):
        let shown = hasFailed ? last?.error : last?.output
        #expect(shown?.replacing("\r\n", with: "\n") == block.text, "\(place)")
      case ("json", ["answer"]):
        let pattern = AnswerPattern(pattern: try JSON(parsing: Data(block.text.utf8)))
        let answer = try? JSON(parsing: Data((last?.output ?? "").utf8))
        let difference = pattern.difference(from: answer)
        #expect(difference == nil, "\(place): \(difference ?? "")\n\(last?.output ?? "") \(last?.error ?? "")")
      case ("http", let words) where words.count == 1:
        for line in block.lines { try await check(line, shell, key: words[0], place: place) }
      case ("mermaid", []): #expect(block.lines.first?.hasPrefix("flowchart") == true, "\(place)")
      case ("json", let words), ("caddy", let words), ("nginx", let words), ("ini", let words):
        try #require(words.count == 1, "\(place): the block has no file name")
        try Data(block.text.utf8).write(to: shell.directory.appendingPathComponent(words[0]))
      default: Issue.record("\(place): a block of an unknown kind")
      }
    }
    shell.stop()
  }

  /// Lines such as `GET /Users # 2` and `PATCH /Users/ann change.json # 400`: behind the mark stands how many match, or
  /// the status.
  private func check(_ line: String, _ shell: DocumentShell, key: String, place: String) async throws {
    let parts = line.components(separatedBy: " # ")
    let expected = try #require(Int64(parts[parts.count - 1]))
    var request = parts[0]
    let method = String(request.prefix { $0 != " " })
    request.removeFirst(method.count + 1)
    var body: JSON?
    if let blank = request.lastIndex(of: " "), request.hasSuffix(".json") {
      let file = shell.directory.appendingPathComponent(String(request[request.index(after: blank)...]))
      body = try JSON(parsing: Data(contentsOf: file))
      request = String(request[..<blank])
    }
    let encoded = try #require(request.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.union(["?"])))
    let reply = try await shell.send(method, encoded, body, key: key)
    if let total = reply.body?["totalResults"]?.integerValue {
      #expect(reply.status == 200 && total == expected, "\(place): \(line)")
    } else {
      #expect(reply.status == Int(expected), "\(place): \(line)")
    }
  }

  /// What the pages leave to the reader stays little, so that none of them becomes a page that nobody runs.
  @Test func fewBlocksAreNotRun() throws {
    let skipped = try DocumentBlock.pages.flatMap { try DocumentBlock.all(of: $0) }.filter { $0.skipReason != nil }
    #expect(skipped.count <= 12)
  }
}
