import SCIMCore
import Testing

@testable import SCIMSQL

/// The outbox keeps what changed last, and does not grow for ever.
struct OutboxTests {
  private func range(_ temporary: TemporaryStore) throws -> (first: Int64, last: Int64, count: Int64) {
    let reader = try temporary.store.reader()
    defer { reader.release() }
    return try #require(
      try reader.statements.get("SELECT min(seq), max(seq), count(*) FROM outbox").first {
        ($0.integer(0), $0.integer(1), $0.integer(2))
      })
  }

  @Test func theOldestGoAndTheLastStay() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let made: Int64 = SQLTransaction.keptChanges + 20_000
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      guard let transaction = transaction as? SQLTransaction else { return }
      try transaction.statements.get(
        """
        INSERT INTO outbox (org, type, id, version, kind, at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(made))
        SELECT \(org.rawValue), 1, 'x', 1, 'created', 0 FROM n
        """
      ).run()
    }
    let before = try range(temporary)
    #expect(before.count == made)
    // Each transaction takes a bounded part of them.
    for number in 0..<4 { try temporary.create("User", ["userName": .string("u\(number)")], in: org) }
    let after = try range(temporary)
    #expect(after.last == before.last + 4)
    #expect(after.count < SQLTransaction.keptChanges + 100)
    #expect(after.count >= SQLTransaction.keptChanges)
    #expect(after.last - after.first == after.count - 1)
  }
}
