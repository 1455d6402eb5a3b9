import SCIMCore
import SCIMSQL
import Synchronization

/// `roster check`: looks for damage in a database, and writes what follows from its documents anew.
enum CheckCommand {
  static let command = Command(
    name: "check", summary: "check the integrity of a database",
    details:
      "Runs SQLite's own check of the file, compares each document with its index keys, links and counts, and looks at"
      + " ids and circles of contains."
      + " Each problem is a line. Exit code 0 if there is none, 1 if there is one. With --repair the index is rebuilt"
      + " from the documents if there is a problem, and the database is checked again.",
    options: [
      .database, .schemas,
      .flag("repair", "Rebuild the index if there is a problem. Stop the server before; keep a backup."), .json,
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws {
    let repairs = invocation.flag("repair")
    let (findings, repaired) = try Database.with(invocation, isBulk: repairs) { store, _ -> ([String], Int?) in
      let found = try self.findings(in: store)
      guard repairs, !found.isEmpty else { return (found, nil) }
      let count = try repair(store)
      return (try self.findings(in: store), count)
    }
    var json = JSONObject()
    json["sound"] = .bool(findings.isEmpty)
    json["problems"] = .array(findings.map { JSON.string($0) })
    if let repaired { json["repaired"] = .integer(Int64(repaired)) }
    let text = repaired.map { "The index of \($0) resources was rebuilt.\n" } ?? ""
    invocation.print(
      json: .object(json),
      orText: text + (findings.isEmpty ? "No problems found.\n" : findings.map { $0 + "\n" }.joined()))
    if !findings.isEmpty {
      throw CommandFailure(message: findings.count == 1 ? "1 problem found" : "\(findings.count) problems found")
    }
  }

  /// A bar that the store's writer draws.
  private final class RepairBar: Sendable {
    let bar: Mutex<ProgressBar>
    init(total: Int) { bar = Mutex(ProgressBar("Repairing", total: total)) }
  }

  private static func repair(_ store: SQLStore) throws -> Int {
    let bar = RepairBar(total: try total(in: store))
    defer { bar.bar.withLock { $0.finish() } }
    return try store.repair { done in bar.bar.withLock { $0.update(done) } }
  }

  /// What is wrong, a line each.
  private static func findings(in store: SQLStore) throws -> [String] {
    var bar = ProgressBar("Checking", total: try total(in: store))
    defer { bar.finish() }
    let problems = try store.makeCheck().run { bar.update($0) }
    let reader = try store.makeReader()
    defer { reader.release() }
    let names = Dictionary(
      try reader.organizations().map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return problems.map { problem in
      let place = [problem.organization.flatMap { names[$0] }, problem.type, problem.id].compactMap { $0 }
      return "\(problem.kind.rawValue): " + (place.isEmpty ? "" : place.joined(separator: " ") + ": ") + problem.text
    }
  }

  /// How many resources there are, for the bar.
  private static func total(in store: SQLStore) throws -> Int {
    let reader = try store.makeReader()
    defer { reader.release() }
    var total = 0
    for organization in try reader.organizations() {
      // Definitions that do not fit are a finding of the check.
      for type in (try? reader.tenant(organization.id).registry())?.types ?? [] {
        total += try reader.tenant(organization.id).total(of: type)
      }
    }
    return total
  }
}
