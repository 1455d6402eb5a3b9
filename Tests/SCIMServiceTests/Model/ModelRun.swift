import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite
import SCIMService
import Testing

/// Does operations with the service and with the model, and finds where they differ.
struct ModelRun {
  private let tenant: Tenant
  private var model = Model()
  private var ids: [Number: String] = [:]
  private var numbers: [String: Number] = [:]

  init(_ harness: Harness, wire: (any Wire)? = nil) throws {
    tenant = try Tenant(harness, wire: wire)
  }

  private var text: ModelText {
    let ids = ids
    return ModelText(ids: { ids[$0] ?? "missing-\($0)" }, base: ModelGenerator.base)
  }

  /// True where nothing can be told any more.
  var isOpen: Bool { model.isOpen }

  // MARK: Operations

  /// Does one operation; gives how the answer differs from what is expected.
  mutating func step(_ operation: Operation) -> ModelDifference? {
    do { return try done(operation) } catch { return ModelDifference(kind: "error", text: "\(error)") }
  }

  private mutating func done(_ operation: Operation) throws -> ModelDifference? {
    let text = text
    let expectation = model.apply(operation)
    switch (text.sending(operation), expectation) {
    case (.request(let line, let body), let expectation):
      let reply = try tenant.client.send(line, body)
      learn(operation, reply)
      return difference(expectation, reply)
    case (.command(let line), .command(let isTaken)):
      do {
        try command(operation)
      } catch let error as SCIMError {
        return isTaken ? ModelDifference(kind: "refused", text: "\(line): \(error)") : nil
      }
      return isTaken ? nil : ModelDifference(kind: "taken", text: "\(line): should be refused")
    case (.command(let line), _): return ModelDifference(kind: "command", text: line)
    }
  }

  private mutating func learn(_ operation: Operation, _ reply: Reply) {
    switch operation {
    case .create(let place, _): learn(place.number, reply.id)
    case .bulk(let operations, _):
      let answers = reply["Operations"]?.arrayValue ?? []
      for made in operations.compactMap(\.made) {
        guard let answer = answers.first(where: { $0["bulkId"]?.stringValue == "b\(made)" }) else { continue }
        learn(made, String(answer["location"]?.stringValue?.split(separator: "/").last ?? ""))
      }
    default: break
    }
  }

  private mutating func learn(_ number: Number, _ id: String) {
    guard !id.isEmpty else { return }
    ids[number] = id
    numbers[id] = number
  }

  private func command(_ operation: Operation) throws {
    switch operation {
    case .setCatalog(let isClosed): try tenant.change { $0.catalog = isClosed ? .closed : .open }
    case .setGrants(let isOn, let isForced): try tenant.setGrants(isOn, force: isForced)
    case .restoreType(let name): try tenant.restore(name)
    case .defineType(let name, let base, _): try tenant.define(.object(ModelText.description(of: name, base: base)))
    default: break
    }
  }

  private func difference(_ expectation: Expectation, _ reply: Reply) -> ModelDifference? {
    switch expectation {
    case .answers(let outcomes):
      let outcome = Outcome(status: reply.status, scimType: reply["scimType"]?.stringValue)
      return outcomes.contains(outcome) ? nil : answered(outcome, outcomes, "\(reply)")
    case .bulk(let expected):
      let answers = reply["Operations"]?.arrayValue ?? []
      guard reply.status == 200, answers.count == expected.count else {
        return ModelDifference(kind: "bulk", text: named("expected \(expected.count) answers: \(reply)"))
      }
      for (index, (outcomes, answer)) in zip(expected, answers).enumerated() {
        let outcome = Outcome(
          status: Int(answer["status"]?.stringValue ?? "") ?? -1,
          scimType: answer["response"]?["scimType"]?.stringValue)
        if !outcomes.contains(outcome) {
          return answered(outcome, outcomes, "operation \(index): \(answer)")
        }
      }
      return nil
    case .found(let expected):
      guard reply.status == 200 else { return answered(Outcome(status: reply.status), [], "\(reply)") }
      let found = reply.ids.map { numbers[$0] ?? -1 }
      guard reply.total == Int64(expected.count), Set(found) == expected, found.count == expected.count else {
        let names = found.sorted().map { "$\($0)" }
        let text =
          "expected \(expected.sorted().map { "$\($0)" }), found \(names) of \(reply.total ?? -1): \(reply.request)"
        return ModelDifference(kind: "found", text: named(text))
      }
      return nil
    case .command: return ModelDifference(kind: "command", text: "\(reply)")
    }
  }

  private func answered(_ outcome: Outcome, _ expected: Set<Outcome>, _ text: String) -> ModelDifference {
    ModelDifference(
      kind: "\(Self.list(expected)) \(outcome)", text: named("expected \(Self.list(expected)), answered \(text)"))
  }

  private static func list(_ outcomes: Set<Outcome>) -> String {
    outcomes.map(\.description).sorted().joined(separator: " or ")
  }

  // MARK: Comparison

  /// How what is shown differs from the model.
  func shownDifference() -> ModelDifference? {
    placed(.shown) { try ModelComparison(model: model, text: text, numbers: numbers).difference(tenant.client) }
  }

  /// How the reports and the check of the store differ from the model.
  func auditDifference() -> ModelDifference? { placed(.audit, audited) }

  private func placed(
    _ place: ModelDifference.Place, _ look: () throws -> ModelDifference?
  ) -> ModelDifference? {
    do {
      var difference = try look()
      difference?.place = place
      return difference
    } catch { return ModelDifference(place: place, kind: "error", text: "\(error)") }
  }

  private func audited() throws -> ModelDifference? {
    for report in Model.Report.allCases {
      let expected = model.rows(of: report, text)
      let shown = try ModelAudit.rows(
        of: report, database: tenant.harness.database, organization: tenant.organization.name)
      if expected != shown {
        let missing = expected.filter { !shown.contains($0) }
        let extra = shown.filter { !expected.contains($0) }
        return ModelDifference(
          kind: report.rawValue, text: named("report \(report.rawValue) lacks \(missing), and has \(extra)"))
      }
    }
    let problems = try tenant.harness.store.makeCheck().run()
    let circles = Set(problems.filter { $0.kind == .circle }.map { numbers[$0.id ?? ""] ?? -1 })
    if circles != model.circular {
      return ModelDifference(kind: "circle", text: "check names \(circles), in circles are \(model.circular)")
    }
    let others = problems.filter { $0.kind != .circle }
    return others.isEmpty ? nil : ModelDifference(kind: "check", text: named("\(others)"))
  }

  /// Numbers in the place of ids.
  private func named(_ text: String) -> String {
    ids.reduce(text) { $0.replacing($1.value, with: "$\($1.key)") }
  }
}

extension Tenant {
  /// Brings a built-in type back as `roster type restore` does.
  func restore(_ name: String) throws {
    let writer = DefinitionWriter(base: BuiltInSchemas.registry)
    try writer.applyAndWait(to: harness.store.tenant(organization.id), pause: {}) { (reader) throws(SCIMError) in
      try writer.change(restoring: name, in: reader)
    }
  }

  /// Turns grants on and off as `roster org set` does.
  func setGrants(_ isOn: Bool, force: Bool) throws {
    let base = BuiltInSchemas.registry
    try harness.store.tenant(organization.id).writeInStepsAndWait(from: (), pause: {}) {
      (transaction, _) throws(SCIMError) in
      try GrantSwitch(base: base).set(isOn, force: force, in: transaction)
    }
  }
}
