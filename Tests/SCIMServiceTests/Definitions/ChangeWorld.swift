import Foundation
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

@testable import SCIMService

/// An organisation with many licences, and changes of their definition that a test makes one transaction at a time.
final class ChangeWorld {
  typealias Samples = DefinitionSamples

  let steps = WriteSteps()
  let meter = WorkMeter()
  private var options: SQLStoreOptions
  private let folder: URL
  private let key: String
  private let organizationName: String
  let organization: OrganizationID
  private(set) var harness: Harness
  var client: Client { Client(wire: wire, key: key, harness: harness) }
  private var wire: any Wire
  var store: SQLStore { harness.store }
  var tenant: SCIMCore.Tenant { store.tenant(organization) }
  var writer: DefinitionWriter { DefinitionWriter(base: BuiltInSchemas.registry) }

  static let urn = Samples.licenseURN

  /// - Parameter workers: with one of them, what is handed to the workers is done in order.
  init(_ count: Int = 0, workers: Int = 3) throws {
    options = steps.options
    options.workers = workers
    folder = FileManager.default.temporaryDirectory.appending(path: "roster-test-\(UUID().uuidString)")
    harness = try Harness(meter: meter, options: options, in: folder)
    wire = try MemoryWire(service: harness.service)
    let made = try harness.organization("acme.example")
    (organization, organizationName) = (made.id, made.name)
    key = try harness.key(of: made, notesUses: false)
    try Samples.defineLicenses(client, [("seats", [("type", "integer")]), ("color", [])])
    if count > 0 { try fill(count) }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the store and opens the file again, as a program that has stopped and starts.
  func reopen() throws {
    store.close()
    harness = try Harness(meter: meter, options: options, in: folder)
    wire = try MemoryWire(service: harness.service)
  }

  /// Licences `l0`, `l1` and so on, each with a colour of its own.
  private func fill(_ count: Int) throws {
    let organization = organization
    for start in stride(from: 0, to: count, by: 1000) {
      try store.writeAndWait { (transaction) throws(SCIMError) in
        transaction.budget = .unlimited
        guard let type = try transaction.tenant(organization).registry().type(named: "License") else { return }
        for number in start..<min(start + 1000, count) {
          var document = JSONObject()
          document["displayName"] = .string("l\(number)")
          document[Self.urn] = ["color": .string("Red \(number)")]
          _ = try transaction.tenantTransaction(organization).create(
            type: type, id: "l\(number)", document: ResourceDocument.ordered(document, type: type),
            passwordHash: nil)
        }
      }
    }
    _ = steps.take()
  }

  /// A store of another process on the same file.
  func other() throws -> Harness { try Harness(in: folder) }

  // MARK: Changes

  /// The change of the licences' own schema to these attributes.
  func change(_ attributes: [(String, [(String, JSON)])]) -> DefinitionChange {
    let document = Samples.schema(Self.urn, attributes).objectValue ?? JSONObject()
    return DefinitionChange(put: [Definition(kind: .schema, name: Self.urn, document: document)])
  }

  /// Colours that differ in the case of a letter are no longer the same.
  var exact: DefinitionChange { change([("seats", [("type", "integer")]), ("color", [("caseExact", true)])]) }

  /// No two licences may have a colour.
  var unique: DefinitionChange { change([("seats", [("type", "integer")]), ("color", [("uniqueness", "server")])]) }

  func run(_ change: DefinitionChange) -> DefinitionRun { DefinitionRun(writer: writer) { _ in change } }

  /// Begins a change and looks at what is stored.
  func begin(_ run: DefinitionRun) throws -> DefinitionRun.Work {
    let reader = try tenant.makeReader()
    defer { reader.release() }
    let plan = try run.plan(in: reader)
    let beginning = try tenant.writeInStepsAndWait(from: (), pause: {}) { (transaction, _) throws(SCIMError) in
      try run.begin(plan, in: transaction)
    }
    guard case .begun(let number) = beginning else { throw SCIMError(.internalError, "it is made already") }
    var survey = DefinitionRun.Survey(number)
    while true {
      switch try run.survey(survey, in: reader) {
      case .done(let work): return work
      case .further(let next): survey = next
      }
    }
  }

  /// One slice; nil once the definitions have changed.
  func step(_ run: DefinitionRun, _ work: DefinitionRun.Work) throws -> DefinitionRun.Work? {
    let step = try tenant.writeAndWait { (transaction) throws(SCIMError) in try run.step(work, in: transaction) }
    if case .further(let next) = step { return next }
    return nil
  }

  /// All slices that are left, and what follows; gives how many slices there were.
  @discardableResult
  func finish(_ run: DefinitionRun, _ work: DefinitionRun.Work) throws -> Int {
    var (next, count): (DefinitionRun.Work?, Int) = (work, 0)
    do {
      while let work = next {
        next = try step(run, work)
        count += 1
      }
    } catch {
      try tidy(run, givingUp: work.number)
      throw error
    }
    try tidy(run, givingUp: nil)
    return count
  }

  func tidy(_ run: DefinitionRun, givingUp number: Int64?) throws {
    _ = try tenant.writeInStepsAndWait(from: (), pause: {}) { (transaction, _) throws(SCIMError) in
      try run.tidy(givingUp: number, in: transaction)
    }
  }

  /// As the server does at its start.
  func endChanges() throws -> SQLStore.TidiedChanges {
    try wait { store.endChanges(resuming: resumption, completion: $0) }
  }

  func undoChanges() throws -> Int { try endChanges().undone }

  /// As the server does each minute.
  func tidyChanges() throws -> Int {
    try wait { try store.tidyChanges(resuming: resumption, completion: $0) }.undone
  }

  private var resumption: SQLStore.ChangeResumption {
    { [store] organization, number, completion in
      DefinitionRun.resume(
        number, of: store.tenant(organization), base: BuiltInSchemas.registry, completion: completion)
    }
  }

  private func wait(
    _ begin: (@escaping @Sendable (Result<SQLStore.TidiedChanges, SCIMError>) -> Void) throws -> Void
  ) throws -> SQLStore.TidiedChanges {
    let outcome = Mutex<Result<SQLStore.TidiedChanges, SCIMError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    try begin { result in
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    return try #require(outcome.withLock { $0 }).get()
  }

  // MARK: Looking

  /// How many licences a filter on the colour finds.
  func count(_ color: String) throws -> Int64 {
    try #require(try client.send("GET /Licenses?filter=\(Self.urn):color eq \"\(color)\"&count=0").total)
  }

  /// What the server has of the organisation's definitions is what the file says.
  func expectStored(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let other = try other()
    let (here, there) = (try tenant.makeReader(), try other.store.tenant(organization).makeReader())
    let (known, stored) = (try here.registry(), try there.registry())
    func texts(_ registry: SchemaRegistry) -> [String] {
      registry.types.map {
        "\($0.name) \($0.endpoint) \($0.secondNames.sorted()) \($0.schema.id) \($0.extensions.map(\.schema.id))"
          + " \($0.links.map(\.attribute)) \($0.displayAttributes) \($0.indexedLeaves.map(\.path))"
          + String(decoding: JSON.object($0.document).encoded(), as: UTF8.self)
      } + registry.schemas.map { String(decoding: JSON.object($0.document).encoded(), as: UTF8.self) }
        + ["\(registry.unreadable)", "\(registry.settings)", "\(registry.revision)"]
    }
    for (one, two) in zip(texts(known), texts(stored)) {
      #expect(one == two, "\(comment)", sourceLocation: sourceLocation)
    }
    #expect(texts(known).count == texts(stored).count, "\(comment)", sourceLocation: sourceLocation)
  }

  func expectSound(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let problems = try store.makeCheck().run()
    #expect(problems.isEmpty, "\(comment) \(problems.prefix(5))", sourceLocation: sourceLocation)
  }

  /// True where nothing is left of changes, neither under way nor in the index.
  func isTidy() throws -> Bool {
    let organization = organization
    return try store.writeAndWait { (transaction) throws(SCIMError) in
      guard try transaction.tenant(organization).pendingChange() == nil else { return false }
      let before = transaction.budget.spent
      let isDone = try transaction.tenantTransaction(organization).removeStale()
      // Nothing was taken for removing anything.
      return isDone && transaction.budget.spent == before
    }
  }
}
