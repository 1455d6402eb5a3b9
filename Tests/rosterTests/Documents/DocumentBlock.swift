import Foundation
import Testing

/// A fenced block of a page: what its first line says, and what is in it.
///
/// | first line | what the test does |
/// |---|---|
/// | `sh` | runs it; the exit code must be 0 |
/// | `sh fails` | runs it; the exit code must not be 0 |
/// | `sh server` | starts it and waits for the line with the base URL; it goes on until the next one, or the end |
/// | `sh stopped` | stops the server first, as the page has told the reader to; then as `sh` |
/// | `sh skip: REASON` | nothing; the reason says why it cannot run here |
/// | `text` | compares it with what the last block printed; on stderr where that one `fails` |
/// | `json answer` | compares it with the JSON that the last block printed; `"…"` stands for any value or further elements |
/// | `json FILE`, `sh FILE` and the like | writes the file |
/// | `http KEY` | sends each line to the server; behind `#` stands the status, or how many match |
struct DocumentBlock {
  var line: Int
  var kind: String
  var words: [String]
  var lines: [String] = []

  var text: String { lines.map { $0 + "\n" }.joined() }

  /// Why the block is not run; nil where it is.
  var skipReason: String? {
    words.first == "skip:" ? words.dropFirst().joined(separator: " ") : nil
  }

  /// The root of the project, found from where this file was compiled.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// README.md and every page below docs, by their paths.
  static let pages: [String] = {
    let docs = FileManager.default.enumerator(atPath: root.appendingPathComponent("docs").path)
    let names = (docs?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    return ["README.md"] + names.sorted()
  }()

  /// The blocks of a page, in order.
  static func all(of page: String) throws -> [DocumentBlock] {
    var blocks: [DocumentBlock] = []
    var open: DocumentBlock?
    let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
      if let block = open, isFence {
        blocks.append(block)
        open = nil
      } else if isFence {
        let words = line.drop { $0 == " " }.dropFirst(3).split(separator: " ").map(String.init)
        open = DocumentBlock(line: index + 1, kind: words.first ?? "", words: Array(words.dropFirst()))
      } else if open != nil {
        open?.lines.append(line)
      } else {
        // An indented block would not be run.
        let isIndented = line.hasPrefix("    ") || line.hasPrefix("\t")
        #expect(!isIndented, "\(page):\(index + 1): a block must stand between fences")
      }
    }
    #expect(open == nil, "\(page): a block has no end")
    return blocks
  }
}
