import Dispatch
import SCIMCore
import SCIMSQL
import SCIMSQLite
import Synchronization
import Testing

/// Deletions that were begun and cut short.
@Suite struct DeletionTests {
  private let temporary: TemporaryStore
  private let org: OrganizationID
  private let commits = Counter()

  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }

  init() throws {
    var options = SQLStoreOptions()
    let commits = commits
    options.didWrite = { _ in commits.add() }
    temporary = try TemporaryStore(options: options)
    org = try temporary.organization()
  }

  /// As another program that has the file.
  private func execute(_ sql: String) throws {
    let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
    try connection.execute(sql)
    connection.close()
  }

  /// Creates roles and notes that each is being deleted.
  private func beginDeletions(_ ids: [String]) throws {
    for id in ids {
      let role = try temporary.create("Role", ["displayName": .string(id)], id: id, in: org)
      try execute("INSERT INTO deletion (org, resource) VALUES (\(org.rawValue), \(role.handle))")
    }
  }

  private func roles() throws -> [String] {
    let query = SearchQuery(
      parts: [.init(type: try temporary.type("Role"), filter: nil)], window: .index(offset: 0, count: 10))
    return try temporary.store.makeReader().tenant(org).search(query).resources.map(\.id)
  }

  private struct Outcome: Equatable {
    var done: Int
    var failure: SCIMError.Kind?
  }

  private func wait(
    _ begin: (@escaping @Sendable (_ done: Int, _ failure: SCIMError?) -> Void) throws -> Void
  ) throws -> Outcome? {
    let outcome = Mutex<Outcome?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    try begin { done, failure in
      outcome.withLock { $0 = Outcome(done: done, failure: failure?.kind) }
      isDone.signal()
    }
    isDone.wait()
    return outcome.withLock { $0 }
  }

  @Test func oneThatFailsHoldsUpNoneOfTheOthersAndIsTriedAgain() throws {
    try beginDeletions(["a", "b", "c"])
    try execute("UPDATE resource SET doc = 'x' || doc WHERE id = 'a'")
    let first = try wait { temporary.store.resumeDeletions(completion: $0) }
    #expect(first == Outcome(done: 2, failure: .internalError))
    try execute("UPDATE resource SET doc = substr(doc, 2) WHERE id = 'a'")
    #expect(try roles() == ["a"])
    let second = try wait { try temporary.store.retryDeletions(completion: $0) }
    #expect(second == Outcome(done: 1))
    #expect(try roles() == [])
    #expect(try temporary.store.makeCheck().run() == [])
  }

  /// The server goes on with what a command has begun; the command ends well all the same.
  @Test func anOrganisationThatAnotherHasDeletedMeanwhileIsDeleted() throws {
    let org = org
    let turns = Counter()
    func delete() throws {
      try temporary.store.writeInStepsAndWait(from: true, pause: { resume() }) {
        (transaction, isFirst) throws(SCIMError) in
        turns.add()
        return try transaction.deleteOrganization(org, isFirst: isFirst)
      }
    }
    func resume() {
      let outcome = try? wait { temporary.store.resumeDeletions(completion: $0) }
      #expect(outcome == Outcome(done: 1))
    }
    try delete()
    #expect(turns.count == 2)
    #expect(try temporary.store.makeReader().organizations().isEmpty)
    let error = #expect(throws: SCIMError.self) { try delete() }
    #expect(error?.kind == .notFound)
  }

  @Test func aLookThatFindsNoneWritesNothing() throws {
    let before = commits.count
    #expect(try wait { try temporary.store.retryDeletions(completion: $0) } == Outcome(done: 0))
    #expect(commits.count == before)
  }

  @Test func aClosedStoreIsLeftAlone() throws {
    try beginDeletions(["a"])
    temporary.close()
    #expect(try wait { temporary.store.resumeDeletions(completion: $0) } == Outcome(done: 0, failure: .unavailable))
    #expect(throws: SCIMError.stopping) { try temporary.store.retryDeletions { _, _ in } }
  }
}
