import Foundation
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

struct ConcurrencyTests {
  /// Eight threads write and read; each finds what it wrote, and in the end all adds up.
  @Test func readersAndTheWriterDoNotDisturbEachOther() throws {
    let temporary = try TemporaryStore(options: SQLStoreOptions(pagesPerCheckpoint: 20, maximumLogPages: 200))
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    let store = temporary.store
    for thread in 0..<8 {
      group.enter()
      Thread {
        defer { group.leave() }
        do {
          let reader = try store.makeReader()
          for number in 0..<60 {
            let document = Fixture.document(["userName": .string("u\(thread)-\(number)"), "title": "t"], type: type)
            let made = try store.writeAndWait { (transaction) throws(SCIMError) in
              try transaction.tenantTransaction(org).create(type: type, id: nil, document: document, passwordHash: nil)
            }
            guard try reader.tenant(org).resource(id: made.id, type: type, links: .all) != nil else {
              throw SCIMError(.notFound, "what thread \(thread) wrote")
            }
            if number % 3 == 0 {
              try store.writeAndWait { (transaction) throws(SCIMError) in
                _ = try transaction.tenantTransaction(org).delete(made, type: type)
              }
            }
          }
          reader.release()
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }.start()
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
    let page = try store.makeReader().tenant(org).search(
      SearchQuery(
        parts: [
          .init(type: type, filter: try ResolvedFilter(parsing: "title eq \"t\"", type: type, profile: .interop))
        ],
        window: .index(offset: 0, count: 1)))
    #expect(page.total == 8 * 40)
    #expect(try store.makeCheck().run() == [])
  }

  @Test func workersRunReadsAndFinishBeforeClose() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    try temporary.create("User", ["userName": "ada"], in: org)
    let type = try temporary.type("User")
    let totals = Mutex<[Int]>([])
    for _ in 0..<20 {
      try temporary.store.workers.submit(for: org) { reader in
        let page = try? reader.tenant(org).search(
          SearchQuery(parts: [.init(type: type, filter: nil)], window: .index(offset: 0, count: 1)))
        totals.withLock { $0.append(page?.total ?? -1) }
      }
    }
    temporary.close()
    #expect(totals.withLock { $0 } == [Int](repeating: 1, count: 20))
  }
}
