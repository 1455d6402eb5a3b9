import Foundation
import SCIMCore

@testable import roster

/// Runs `roster report` as the program does, and gives what is compared of each row.
enum ModelAudit {
  static func rows(of report: Model.Report, database: String, organization: String) throws -> [String] {
    let file = database + ".report"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let arguments = [
      "report", report.rawValue, "--db", database, "--org", organization, "--format", "json", "--output", file,
    ]
    let code = Program.run(arguments, environment: [:])
    guard code == 0 else { return ["exit code \(code)"] }
    let bytes = Array(try Data(contentsOf: URL(filePath: file)))
    let rows = try JSON(parsing: bytes).arrayValue ?? []
    return rows.map { line(of: $0, report) }.sorted()
  }

  private static func line(of row: JSON, _ report: Model.Report) -> String {
    func text(_ name: String) -> String {
      let text = row[name]?.stringValue ?? ""
      return text.isEmpty ? "-" : text
    }
    func join(_ names: String...) -> String { names.map(text).joined(separator: " ") }
    switch report {
    case .access:
      return row["linked"] == true
        ? join("userId", "kind", "type", "value", "how", "via") : join("userId", "kind", "type", "value") + " unmatched"
    case .unused: return join("kind", "type", "value")
    case .orphans:
      let holders = row["holders"]?.integerValue ?? -1
      return [text("kind"), Model.fold(text("type")), Model.fold(text("value")), "\(holders)", text("candidate")]
        .joined(separator: " ")
    }
  }
}
