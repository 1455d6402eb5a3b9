import Foundation
import Testing

@testable import roster

@Suite struct ReportWriterTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// How many rows a report of so many has, and whether it says that some are missing.
  private func report(_ format: ReportFormat, rows: Int) throws -> (rows: Int, isFull: Bool) {
    let path = runner.directory.appendingPathComponent("report").path
    let writer = try ReportWriter(
      columns: ["name"], format: format, csv: CSV(isForSpreadsheets: false), output: ReportOutput(path: path),
      hasStyle: false)
    for number in 0..<rows { try writer.write([.text("row \(number)")]) }
    try writer.finish()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
    return (lines.count { $0.contains("row") }, writer.isFull)
  }

  @Test func aTableHas1000RowsAndSaysWhereThereAreMore() throws {
    #expect(try report(.table, rows: 1000) == (1000, false))
    #expect(try report(.table, rows: 1001) == (1000, true))
  }

  @Test(arguments: [ReportFormat.csv, .json])
  func allOthersHaveAnyNumber(_ format: ReportFormat) throws {
    #expect(try report(format, rows: 1001) == (1001, false))
  }
}
