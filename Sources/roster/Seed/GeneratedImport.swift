import Dispatch
import SCIMCore
import Synchronization

/// Puts a made-up tenant into a store: where it is the only one, at bulk speed with many resources in each transaction;
/// else in short ones, between which a server on the same file writes.
struct GeneratedImport: Sendable {
  /// Many, so that rows of the index which are neighbours meet in one transaction.
  private static let usersPerWrite = 5000
  /// Groups are written by the number of their members, which is what takes the time.
  private static let membersPerWrite = 10_000

  let generator: TenantGenerator
  let registry: SchemaRegistry
  /// True where others have something in the store, and so perhaps a server.
  var isShared = true

  /// Writes the tenant and shows how far it has come. What exists already stays, so that a run which was cut short can be
  /// finished by another one.
  ///
  /// - Parameter isStopped: asked between transactions; where it says so, what has been handed over is still written, and
  ///   the rest is not.
  func run(
    into store: some Store, isStopped: () -> Bool = { false }
  ) throws(SCIMError) -> (summary: SeedImporter.Summary, isComplete: Bool) {
    let importer = SeedImporter(registry: registry)
    let generator = generator
    let run = try store.writeAndWait { (transaction) throws(SCIMError) in
      try SeedRun(
        importer.organization(generator.domain, in: transaction), importer, in: transaction)
    }
    let pipeline = Pipeline(run, isShared: isShared)
    var bar = ProgressBar("Seeding", total: generator.count + generator.groupCount)
    defer { bar.finish() }

    try pipeline.add(catalog(of: run.registry).map { ($0.id, $0.body, $0.type) }, to: store)
    var isComplete = true
    func mayGoOn() -> Bool {
      if isComplete { isComplete = !isStopped() }
      return isComplete
    }
    if let type = registry.type(named: "User") {
      for start in stride(from: 0, to: generator.count, by: Self.usersPerWrite) where mayGoOn() {
        let end = min(start + Self.usersPerWrite, generator.count)
        try pipeline.add((start..<end).lazy.map { (nil, generator.user($0), type) }, to: store)
        bar.update(end)
      }
    }
    if let type = registry.type(named: "Group") {
      var pending: [JSONObject] = []
      var members = 0
      for index in 0..<generator.groupCount {
        let group = generator.group(index)
        members += group["members"]?.arrayValue?.count ?? 0
        pending.append(group)
        guard members >= Self.membersPerWrite || index == generator.groupCount - 1 else { continue }
        guard mayGoOn() else { break }
        try pipeline.add(pending.map { (nil, $0, type) }, to: store)
        pending = []
        members = 0
        bar.update(generator.count + index + 1)
      }
    }
    return (try pipeline.finish(), isComplete)
  }

  /// The catalogue, without what the organisation has no type for.
  private func catalog(of registry: SchemaRegistry) -> [(type: ResourceType, id: String?, body: JSONObject)] {
    var list: [(ResourceType, String?, JSONObject)] = []
    if let type = registry.type(named: "Role") { list += generator.roles().map { (type, nil, $0) } }
    if let type = registry.type(named: "Characteristic") {
      list += generator.characteristics().map { (type, $0.id, $0.body) }
    }
    return list
  }
}

/// Makes and normalizes resources here while the store's writer writes those made before.
private final class Pipeline: Sendable {
  private let state: Mutex<(run: SeedRun, failure: SCIMError?)>
  /// One transaction being written, one being made.
  private let slots = DispatchSemaphore(value: 2)
  private let isShared: Bool

  init(_ run: SeedRun, isShared: Bool) {
    state = Mutex((run, nil))
    self.isShared = isShared
  }

  func add(
    _ resources: some Sequence<(id: String?, body: JSONObject, type: ResourceType)>, to store: some Store
  ) throws(SCIMError) {
    let writer = state.withLock { $0.run }
    var prepared: [PreparedResource] = []
    for (id, body, type) in resources {
      prepared.append(try writer.prepare(SeedReader.withSchemas(body, type: type), id: id, type: type))
    }
    if isShared { return try addInSteps(prepared, to: store) }
    slots.wait()
    if let failure = state.withLock({ $0.failure }) {
      slots.signal()
      throw failure
    }
    let batch = prepared
    store.write { [self] (whole) throws(SCIMError) in
      // Writes are run one after the other, in order, if perhaps in one transaction.
      let (before, failure) = state.withLock { $0 }
      if let failure { throw failure }
      // Nobody else waits.
      whole.budget = .unlimited
      var run = before
      let transaction = whole.tenantTransaction(run.organization.id)
      for resource in batch {
        try run.add(resource, in: transaction)
        while run.hasMembersLeft { try run.addMembers(in: transaction) }
      }
      state.withLock { $0.run = run }
    } completion: { [self] result in
      if case .failure(let error) = result { state.withLock { $0.failure = $0.failure ?? error } }
      slots.signal()
    }
  }

  private func addInSteps(_ resources: [PreparedResource], to store: some Store) throws(SCIMError) {
    let run = try store.writeInStepsAndWait(from: (next: 0, run: state.withLock { $0.run }), pause: Database.pause) {
      (whole, progress) throws(SCIMError) -> WriteStep<(next: Int, run: SeedRun), SeedRun> in
      var (next, run) = progress
      let transaction = whole.tenantTransaction(run.organization.id)
      while next < resources.count || run.hasMembersLeft {
        if run.hasMembersLeft {
          try run.addMembers(in: transaction)
        } else {
          try run.add(resources[next], in: transaction)
          next += 1
        }
        if transaction.budget.spent >= SeedProgress.stepsPerTransaction { return .further((next: next, run: run)) }
      }
      return .done(run)
    }
    state.withLock { $0.run = run }
  }

  /// Waits for what is being written.
  func finish() throws(SCIMError) -> SeedImporter.Summary {
    slots.wait()
    slots.wait()
    slots.signal()
    slots.signal()
    let (run, failure) = state.withLock { $0 }
    if let failure { throw failure }
    return run.summary
  }
}
