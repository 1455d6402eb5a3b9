import Foundation
import Testing

@testable import roster

/// In turn: a process writes one report.
@Suite(.serialized) struct ReportOutputTests {
  let runner: CommandRunner
  var path: String { runner.directory.appendingPathComponent("report.csv").path }

  init() throws { runner = try CommandRunner() }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: runner.directory.path).sorted()
  }

  @Test func aFileThatIsNotCompleteHasNoName() throws {
    do {
      let output = try ReportOutput(path: path)
      try output.append { $0.append(contentsOf: [UInt8](repeating: 0x61, count: 200_000)) }
      // However the process ended now, there would be nothing to remove.
      #expect(try names() == [])
    }
    #expect(try names() == [])
  }

  @Test(arguments: [true, false])
  func aCompleteFileTakesThePlaceOfAnOlderOne(_ hasUnnamedFiles: Bool) throws {
    _ = try runner.file("report.csv", "old")
    let output = try ReportOutput(path: path, hasUnnamedFiles: hasUnnamedFiles)
    try output.append { $0.append(contentsOf: "new".utf8) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try output.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try names() == ["report.csv"])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func withoutSuchFilesASignalRemovesThePartOfOne() throws {
    let output = try ReportOutput(path: path, hasUnnamedFiles: false)
    try output.append { $0.append(contentsOf: "x".utf8) }
    #expect(try names().count == 1 && names()[0].contains(".partial-"))
    // What the handler of the signals calls.
    PartialFile.remove()
    #expect(try names() == [])
  }
}
