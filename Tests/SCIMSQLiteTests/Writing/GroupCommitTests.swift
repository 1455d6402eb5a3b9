import Dispatch
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

struct GroupCommitTests {
  /// Queues jobs while the writer is held, so that they are taken together; gives their results in order.
  private func runTogether(
    _ temporary: TemporaryStore, count: Int,
    _ body: @escaping @Sendable (Int, any StoreTransaction) throws(SCIMError) -> Timestamp
  ) -> [Result<Timestamp, SCIMError>?] {
    let isHeld = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let results = Mutex([Result<Timestamp, SCIMError>?](repeating: nil, count: count))
    let group = DispatchGroup()
    temporary.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    // Only once the holding job runs is it sure that none of the others is taken along with it.
    isHeld.wait()
    for number in 0..<count {
      group.enter()
      temporary.store.write(
        { (transaction) throws(SCIMError) in try body(number, transaction) },
        completion: { result in
          results.withLock { $0[number] = result }
          group.leave()
        })
    }
    gate.signal()
    group.wait()
    return results.withLock { $0 }
  }

  @Test func heavyJobsShareACommitUpToWhatOneMayTake() throws {
    let steps = Mutex<[Int]>([])
    var options = SQLStoreOptions()
    options.didWrite = { taken in steps.withLock { $0.append(taken) } }
    let temporary = try TemporaryStore(options: options)
    let results = runTogether(temporary, count: 5) { (_, transaction) throws(SCIMError) in
      try transaction.budget.take(WorkBudget.writeLimit * 6 / 10)
      return transaction.now
    }
    #expect(results.allSatisfy { if case .success? = $0 { true } else { false } })
    let heavy = steps.withLock { $0.map { $0 * 10 / WorkBudget.writeLimit }.filter { $0 > 0 } }
    #expect(heavy == [12, 12, 6])
  }

  @Test func oneFailingJobUndoesItselfAlone() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let results = runTogether(temporary, count: 10) { (number, transaction) throws(SCIMError) in
      let names = number == 4 ? ["four", "u0"] : ["u\(number)"]
      for name in names {
        _ = try transaction.tenantTransaction(org).create(
          type: type, id: nil, document: Fixture.document(["userName": .string(name)], type: type),
          passwordHash: nil)
      }
      return transaction.now
    }
    var times: Set<Timestamp> = []
    for (number, result) in results.enumerated() {
      switch result {
      case .success(let time): times.insert(time)
      case .failure(let error):
        #expect(number == 4)
        #expect(error.kind == .uniqueness)
      case nil: Issue.record("job \(number) was not answered")
      }
    }
    #expect(times.count == 1, "all jobs of a transaction have one time")
    let page = try temporary.store.makeReader().tenant(org).search(
      SearchQuery(parts: [.init(type: type, filter: nil)], window: .index(offset: 0, count: 100)))
    #expect(page.total == 9)
    #expect(!page.resources.contains { Fixture.text($0).contains("four") })
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func jobsSeeWhatTheOnesBeforeThemWrote() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let results = runTogether(temporary, count: 2) { (number, transaction) throws(SCIMError) in
      if number == 1, try transaction.tenantTransaction(org).find(ids: ["first"], types: [type]) == [nil] {
        throw SCIMError(.notFound, "the first job's resource")
      }
      let document = Fixture.document(["userName": .string("u\(number)")], type: type)
      _ = try transaction.tenantTransaction(org).create(
        type: type, id: number == 0 ? "first" : nil, document: document, passwordHash: nil)
      return transaction.now
    }
    #expect(results.allSatisfy { if case .success = $0 { true } else { false } })
  }

  @Test func namesOfARolledBackJobAreGivenAgain() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    // The first job gives numbers to the type and its attributes and then fails.
    let results = runTogether(temporary, count: 2) { (number, transaction) throws(SCIMError) in
      let document = Fixture.document(["userName": "u", "title": "t"], type: type)
      _ = try transaction.tenantTransaction(org).create(type: type, id: nil, document: document, passwordHash: nil)
      if number == 0 { throw SCIMError(.preconditionFailed, "no") }
      return transaction.now
    }
    #expect(results[0] == .failure(SCIMError(.preconditionFailed, "no")))
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func partOfATransactionFailsAlone() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let documents = ["a", "b", "A"].map { Fixture.document(["userName": .string($0)], type: type) }
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).create(type: type, id: nil, document: documents[0], passwordHash: nil)
      do throws(SCIMError) {
        try transaction.tenantTransaction(org).attempt { () throws(SCIMError) in
          _ = try transaction.tenantTransaction(org).create(
            type: type, id: nil, document: documents[1], passwordHash: nil)
          _ = try transaction.tenantTransaction(org).create(
            type: type, id: nil, document: documents[2], passwordHash: nil)
        }
      } catch {
        guard error.kind == .uniqueness else { throw error }
      }
    }
    let page = try temporary.store.makeReader().tenant(org).search(
      SearchQuery(parts: [.init(type: type, filter: nil)], window: .index(offset: 0, count: 10)))
    #expect(page.resources.count == 1)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func afterCloseWritesAreRefusedAndTheLogIsEmpty() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    try temporary.create("User", ["userName": "ada"], in: org)
    temporary.close()
    let refused = #expect(throws: SCIMError.self) { try temporary.create("User", ["userName": "bob"], in: org) }
    #expect(refused?.kind == .unavailable)
  }
}
