import SCIMCore
import SCIMSQL
import Testing

/// Reads that belong together see one snapshot.
struct SnapshotTests {
  private let temporary: TemporaryStore
  private let org: OrganizationID
  private let type: ResourceType

  init() throws {
    temporary = try TemporaryStore()
    type = try temporary.type("User")
    org = try temporary.organization()
  }

  private func count(_ tenant: any TenantReader) throws(SCIMError) -> Int {
    try tenant.search(
      SearchQuery(parts: [.init(type: type, filter: nil)], window: .index(offset: 0, count: 0))
    ).total
  }

  @Test func oneInsideAnotherLeavesThatAsItWas() throws {
    let reader = try temporary.store.makeReader()
    let tenant = reader.tenant(org)
    struct Refusal: Error {}
    try reader.snapshot {
      #expect(try count(tenant) == 0)
      try temporary.create("User", ["userName": "one"], in: org)
      #expect(try reader.snapshot { try count(tenant) } == 0)
      #expect(try count(tenant) == 0)
      #expect(try tenant.snapshot { () throws(SCIMError) in try count(tenant) } == 0)
      #expect(try count(tenant) == 0)
      #expect(throws: Refusal.self) { try reader.snapshot { throw Refusal() } }
      #expect(try count(tenant) == 0)
    }
    #expect(try count(tenant) == 1)
  }

  @Test func oneInsideAWalkLeavesTheWalkAsItWas() throws {
    for name in ["a", "b", "c"] {
      try temporary.create("User", ["userName": .string(name), "roles": [["value": .string("x\(name)")]]], in: org)
    }
    let reports = try temporary.store.makeGovernanceReader().reports(of: org)
    var seen: [Int] = []
    try reports.forEachUnmatchedValue { (_) throws(SCIMError) in
      seen.append(try reports.snapshot { () throws(SCIMError) in try count(reports) })
      do { try temporary.create("User", ["userName": .string("late\(seen.count)")], in: org) } catch {
        throw SCIMError(.internalError, "\(error)")
      }
      seen.append(try count(reports))
      return true
    }
    #expect(seen == [3, 3, 3, 3, 3, 3])
    #expect(try count(reports) == 6)
  }
}
