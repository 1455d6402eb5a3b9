import SCIMCore
import Testing

@testable import SCIMSQL

/// What a deletion does to those who referred to the resource.
struct HolderChangeTests {
  @Test func eachHolderMovesOnceAndIsRecordedWithItsNewVersion() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let role = try temporary.create("Role", ["displayName": "r"], in: org)
    let users = try (0..<3).map { try temporary.create("User", ["userName": .string("u\($0)")], in: org) }
    for user in users.dropLast() { try temporary.link(user, "roles", to: role, in: org) }
    // Referred to in two ways, and still changed once.
    try temporary.link(users[0], "entitlements", to: role, in: org)
    let (roleType, userType) = (try temporary.type("Role"), try temporary.type("User"))
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).delete(role, type: roleType)
    }
    let reader = try temporary.store.reader()
    let versions = try users.map { user in
      try reader.tenant(org).resource(id: user.id, type: userType, links: .all)?.version
    }
    #expect(versions == [2, 2, 1])
    var recorded: [String] = []
    try reader.statements.get("SELECT kind, id, version FROM outbox WHERE kind <> 'created' ORDER BY seq").forEach {
      recorded.append("\($0.text(0)) \($0.text(1)) \($0.integer(2))")
    }
    #expect(recorded == ["updated \(users[0].id) 2", "updated \(users[1].id) 2", "deleted \(role.id) 1"])
    #expect(try temporary.store.makeCheck().run() == [])
  }
}
