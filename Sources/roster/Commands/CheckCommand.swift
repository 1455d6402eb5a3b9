import SCIMCore
import SCIMSQL

/// `roster check`: looks for damage in a database.
enum CheckCommand {
  static let command = Command(
    name: "check", summary: "check the integrity of a database",
    details: "Runs SQLite's own check of the file, and compares each document with its index keys, links and counts."
      + " Each problem is a line. Exit code 0 if there is none, 1 if there is one.",
    options: [.database, .schemas, .json], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws {
    let problems = try Database.with(invocation) { store, _ in
      let reader = try store.makeReader()
      var total = 0
      var names: [OrganizationID: String] = [:]
      for organization in try reader.organizations() {
        names[organization.id] = organization.name
        // Definitions that do not fit are a finding of the check.
        for type in (try? reader.registry(of: organization.id))?.types ?? [] {
          total += try reader.total(of: type, in: organization.id)
        }
      }
      reader.release()
      var bar = ProgressBar("Checking", total: total)
      defer { bar.finish() }
      return try store.makeCheck().run { bar.update($0) }.map { problem in
        (organization: problem.organization.flatMap { names[$0] }, problem: problem)
      }
    }
    let findings = problems.map { organization, problem in
      let place = [organization, problem.type, problem.id].compactMap { $0 }.joined(separator: " ")
      return "\(problem.kind.rawValue): " + (place.isEmpty ? "" : place + ": ") + problem.text
    }
    invocation.print(
      json: ["sound": .bool(findings.isEmpty), "problems": .array(findings.map { .string($0) })],
      orText: findings.isEmpty ? "No problems found.\n" : findings.map { $0 + "\n" }.joined())
    if !findings.isEmpty {
      throw CommandFailure(message: findings.count == 1 ? "1 problem found" : "\(findings.count) problems found")
    }
  }
}
