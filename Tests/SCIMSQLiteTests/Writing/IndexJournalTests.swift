@testable import SCIMCore
import Testing

@testable import SCIMSQL

/// The index is written late; nothing inside or outside of a transaction may notice.
struct IndexJournalTests {
  private func search(
    _ text: String, _ reader: any StoreReader, _ type: ResourceType, in organization: OrganizationID
  ) throws(SCIMError) -> Int {
    let filter = try ResolvedFilter(parsing: text, type: type, profile: .interop)
    let query = SearchQuery(parts: [.init(type: type, filter: filter)], window: .index(offset: 0, count: 10))
    return try reader.tenant(organization).search(query).total
  }

  private func user(_ name: String, _ type: ResourceType) -> JSONObject {
    Fixture.document(["userName": .string(name), "title": .string("Engineer of \(name)")], type: type)
  }

  @Test(arguments: ["title sw \"engineer\"", "title co \"gineer of\"", "title pr", "title eq \"engineer of a\""])
  func aTransactionFindsWhatItWrote(_ filter: String) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let document = user("a", type)
    let counts = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      let made = try transaction.tenantTransaction(org).create(
        type: type, id: nil, document: document, passwordHash: nil)
      let first = try search(filter, transaction, type, in: org)
      _ = try transaction.tenantTransaction(org).delete(made, type: type)
      return [first, try search(filter, transaction, type, in: org)]
    }
    #expect(counts == [1, 0])
    #expect(try temporary.store.makeCheck().run() == [])
  }

  /// Looking for something writes what was held back, also what came before the savepoint; undoing the savepoint undoes
  /// that, and it must be written again.
  @Test(arguments: [false, true]) func whatASavepointUndoesIsWrittenAgain(_ searchesBefore: Bool) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let documents = ["a", "b", "c"].map { user($0, type) }
    let counts = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      var counts: [Int] = []
      _ = try transaction.tenantTransaction(org).create(type: type, id: nil, document: documents[0], passwordHash: nil)
      if searchesBefore { counts.append(try search("title pr", transaction, type, in: org)) }
      do throws(SCIMError) {
        try transaction.tenantTransaction(org).attempt { () throws(SCIMError) in
          _ = try transaction.tenantTransaction(org).create(
            type: type, id: nil, document: documents[1], passwordHash: nil)
          counts.append(try search("title co \"engineer\"", transaction, type, in: org))
          throw SCIMError(.preconditionFailed, "undone")
        }
      } catch {
        guard error.kind == .preconditionFailed else { throw error }
      }
      counts.append(try search("title co \"engineer\"", transaction, type, in: org))
      try transaction.tenantTransaction(org).attempt { () throws(SCIMError) in
        _ = try transaction.tenantTransaction(org).create(
          type: type, id: nil, document: documents[2], passwordHash: nil)
      }
      return counts
    }
    #expect(counts == (searchesBefore ? [1, 2, 1] : [2, 1]))
    #expect(try search("title co \"engineer\"", temporary.store.makeReader(), type, in: org) == 2)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  /// A bulk load's memory is given back, that of an everyday write is kept.
  @Test func aLongListIsGivenBack() {
    var journal = IndexJournal()
    func fill(_ count: Int) {
      for number in 0..<count {
        journal.append(
          IndexRow(leaf: 0, key: "a key of some length \(number)", element: 0, isSortKey: true), attribute: 1,
          resource: Int64(number), organization: 1, isRemoval: false)
        journal.append(IndexJournal.Signature(organization: 1, type: 1, resource: Int64(number), bytes: [1]))
        journal.append(IndexJournal.Count(organization: 1, type: 1, difference: 1, deletions: 0))
      }
    }
    fill(1000)
    let everyday = journal.keptBytes
    journal.removeAll()
    #expect(journal.keptBytes == everyday)
    fill(200_000)
    #expect(journal.keptBytes > 100 * everyday)
    journal.removeAll()
    #expect(journal.keptBytes <= everyday)
  }

  @Test func aLongJobIsWrittenInParts() throws {
    var options = SQLStoreOptions()
    options.heldIndexRows = 10
    let temporary = try TemporaryStore(options: options)
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let documents = (0..<20).map { user("u\($0)", type) }
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      for document in documents {
        _ = try transaction.tenantTransaction(org).create(type: type, id: nil, document: document, passwordHash: nil)
      }
    }
    #expect(try search("title co \"engineer\"", temporary.store.makeReader(), type, in: org) == 20)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  /// One row changed and changed back in one transaction: the order of the table must not mix up the order of events.
  @Test func changesOfOneRowKeepTheirOrder() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let made = try temporary.create("User", ["userName": "a", "title": "One"], in: org)
    let titles = ["Two", "One", "Two"].map {
      Fixture.document(["userName": "a", "title": .string($0)], type: type)
    }
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      var current = made
      for document in titles {
        current = try transaction.tenantTransaction(org).update(
          current, type: type, document: document, password: .keep)
      }
    }
    let reader = try temporary.store.makeReader()
    #expect(try search("title eq \"two\"", reader, type, in: org) == 1)
    #expect(try search("title eq \"one\"", reader, type, in: org) == 0)
    #expect(try temporary.store.makeCheck().run() == [])
  }
}
