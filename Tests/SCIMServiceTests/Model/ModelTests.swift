import Foundation
import SCIMCore
import SCIMSQLite
import TestSupport
import Testing

/// Random operations on users, groups, the catalogue and its types, held against a model of what the pages say.
///
/// `ROSTER_MODEL_OPERATIONS` and `ROSTER_MODEL_SEED` give the number of operations and the first number of the random
/// ones; a sequence that fails is printed as the requests of its shortest part that fails.
@Suite("Model of entitlements")
struct ModelTests {
  private static func setting(_ name: String, _ fallback: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? fallback
  }

  @Test("What is answered, shown and reported is what the model says")
  func inMemory() throws {
    let seed = Self.setting("ROSTER_MODEL_SEED", 2)
    try run(operations: Self.setting("ROSTER_MODEL_OPERATIONS", 5000), seed: UInt64(max(0, seed))) { nil }
  }

  @Test("So it is over a socket")
  func overSocket() throws {
    let harness = try harness()
    let server = try harness.serve()
    try run(operations: 200, seed: 3, harness) { SocketWire(port: server.port) }
  }

  private func harness() throws -> Harness { try Harness(engine: SQLiteOptions(synchronous: .off)) }

  private func run(
    operations count: Int, seed: UInt64, _ harness: Harness? = nil, wire: () throws -> (any Wire)?
  ) throws {
    let operations = ModelGenerator.operations(count, seed: seed)
    let found = try failure(operations, in: harness ?? self.harness(), wire: wire(), every: 16, audit: 60)
    guard let failure = found else { return }
    let title = "seed \(seed), operation \(failure.index) of \(count)"
    let request = Self.text([operations[failure.index]])
    Self.say("\(title):\n\(request)\n\(failure.difference.text)\nLooking for the shortest requests that show it.")
    var shrinker = ModelShrinker(allowance: 12_000) { self.fails($0, as: failure.difference) }
    let shortest = shrinker.shrink(Array(operations[...failure.index]))
    let why = try self.failure(shortest, in: self.harness(), every: 1)?.difference.text ?? failure.difference.text
    Issue.record("\(title): \(failure.difference.text)\n\nShortest:\n\(Self.text(shortest))\n\(why)")
  }

  /// Writes at once, so that it is there if the rest takes long.
  private static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  private func fails(_ operations: [Operation], as difference: ModelDifference) -> Bool {
    let found = try? failure(operations, in: harness(), every: operations.count, upTo: difference.place)
    return found?.difference.kind == difference.kind
  }

  private struct Failure {
    var index: Int
    var difference: ModelDifference
  }

  /// The first operation after which something differs, and what.
  ///
  /// What is shown is compared after each `every` operations, and the reports after each `audit` of these; both after the
  /// last, as far as `place` tells.
  private func failure(
    _ operations: [Operation], in harness: Harness, wire: (any Wire)? = nil, every: Int, audit: Int = 1,
    upTo place: ModelDifference.Place = .audit
  ) throws -> Failure? {
    var run = try ModelRun(harness, wire: wire)
    for (index, operation) in operations.enumerated() {
      if let difference = run.step(operation) { return Failure(index: index, difference: difference) }
      #expect(!run.isOpen, "The pages do not tell what operation \(index) does")
      let isLast = index == operations.count - 1
      if place >= .shown, index % every == every - 1 || isLast, let difference = run.shownDifference() {
        return Failure(index: index, difference: difference)
      }
      if place >= .audit, index % (every * audit) == every * audit - 1 || isLast,
        let difference = run.auditDifference()
      {
        return Failure(index: index, difference: difference)
      }
    }
    return nil
  }

  /// As requests; `$7` stands for the id of the resource that the line `$7 =` creates.
  private static func text(_ operations: [Operation]) -> String {
    let text = ModelText(ids: { "$\($0)" }, base: ModelGenerator.base)
    return operations.map { operation in
      let line =
        switch text.sending(operation) {
        case .request(let line, let body?): "\(line)\n  \(String(decoding: body.encoded(), as: UTF8.self))"
        case .request(let line, nil): line
        case .command(let line): line
        }
      if case .create(let place, _) = operation { return "$\(place.number) = \(line)" }
      return line
    }.joined(separator: "\n")
  }
}
