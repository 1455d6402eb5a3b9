import Foundation
import HTTPServer
import SCIMCore
import SCIMSQL
import SCIMService
import Testing

@testable import roster

/// The numbers in the tables of limits are those of the program where nothing is set.
@Suite struct LimitNumberTests {
  /// The cell of a limit by what its row begins with.
  private static let limits: [(page: String, what: String, limit: String)] = {
    let server = ServerConfiguration()
    let store = SQLStoreOptions()
    func kibibytes(_ bytes: Int) -> String { bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB" }
    func seconds(_ milliseconds: Int) -> String { "\(milliseconds / 1000) s" }
    func grouped(_ number: Int) -> String {
      number < 1000 ? "\(number)" : "\(grouped(number / 1000))," + String("\(1000 + number % 1000)".dropFirst())
    }
    return [
      ("operations", "connections, in all", "\(server.maxConnections)"),
      ("operations", "connections of one address", "\(server.maxConnectionsPerClient)"),
      ("operations", "request line and head", kibibytes(server.maxHeadBytes)),
      ("operations", "header fields, trailer fields", "\(server.maxFields) each"),
      ("operations", "trailer fields together", kibibytes(server.maxHeadBytes)),
      ("operations", "bodies of more than 4 KiB", kibibytes(server.maxBodyBytes) + ","),
      ("operations", "time for a head, a body", "\(seconds(server.headDeadline)), \(seconds(server.bodyDeadline))"),
      ("operations", "time to take an answer", seconds(server.writeDeadline)),
      ("operations", "time between requests", "\(seconds(server.idleDeadline)); \(seconds(server.headDeadline))"),
      ("operations", "time for an answer to a client", seconds(server.halfClosedDeadline)),
      ("operations", "answers not taken yet", kibibytes(server.unsent.limit)),
      ("operations", "long reads of one organisation", "\(store.waitingReads)"),
      (
        "operations", "writes of one organisation",
        "\(grouped(store.waitingWrites)), and \(grouped(store.waitingWeight))"
      ),
      ("operations", "the database's log", "\((store.longestLogPages * 4096) >> 30) GiB"),
      ("operations", "log lines that wait", kibibytes(LogWriter.defaultLimit)),
      ("operations", "values of one resource", grouped(ResourceSize.maximumValues)),
      ("operations", "values that the operations of one PATCH", grouped(2 * ResourceSize.maximumValues)),
      ("operations", "a document", kibibytes(ResourceWriter.maximumDocumentSize)),
      ("operations", "work of one write", "\(grouped(WorkBudget.writeLimit)) steps"),
      ("api", "a body, and the document", kibibytes(ResourceWriter.maximumDocumentSize)),
      ("api", "levels of JSON", "\(JSONLimits.standard.depth)"),
      (
        "api", "a filter ",
        "\(kibibytes(FilterLimits.bytes)), \(FilterLimits.terms) conditions, \(FilterLimits.depth) open brackets"
      ),
      ("api", "operations of a PATCH", "\(PatchRequest.maximumOperations)"),
      ("api", "values of one resource", grouped(ResourceSize.maximumValues)),
      ("api", "[work of one write]", "\(grouped(WorkBudget.writeLimit)) steps"),
      (
        "api", "schemas and types",
        "\(DefinitionLimits.schemas) and \(DefinitionLimits.types), \(kibibytes(DefinitionLimits.bytes)) of JSON together"
      ),
      ("api", "attributes of a type", "\(DefinitionLimits.attributes)"),
    ]
  }()

  @Test func thePagesHaveTheNumbersOfTheProgram() throws {
    for (page, what, limit) in Self.limits {
      let text = try String(
        contentsOf: DocumentBlock.root.appendingPathComponent("docs/\(page).md"), encoding: .utf8)
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("| \(what)") }
      let cells = rows.first?.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
      #expect(rows.count == 1, "\(page): \(what)")
      #expect(cells.count > 1 && (cells[1] == limit || cells[1].hasPrefix(limit)), "\(page): \(what) is \(limit)")
    }
  }
}
