import SCIMCore
import SCIMSQL
import SCIMSQLite
import Testing

struct DirectoryTests {
  static let digest = [UInt8](repeating: 7, count: 32)

  private func addKey(_ temporary: TemporaryStore, _ organization: OrganizationID) throws {
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.createKey(
        APIKey(
          id: "key_1", organization: organization, label: "l", role: .reader, profile: .strict,
          created: transaction.now, expires: Timestamp(milliseconds: 9)),
        digest: Self.digest)
    }
  }

  @Test func organizationsAreFoundByNameInAnyCase() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization("GridCo.example")
    let reader = try temporary.store.makeReader()
    #expect(try reader.organization(named: "gridco.EXAMPLE")?.id == org)
    #expect(try reader.organization(named: "other") == nil)
    #expect(try reader.organizations().map(\.name) == ["GridCo.example"])
    let refused = #expect(throws: SCIMError.self) { try temporary.organization("gridco.example") }
    #expect(refused?.kind == .uniqueness)
  }

  @Test func aKeyIsFoundByItsDigestWithItsOrganization() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    try addKey(temporary, org)
    let reader = try temporary.store.makeReader()
    let found = try #require(try reader.key(digest: Self.digest))
    #expect(found.key.id == "key_1")
    #expect(found.key.role == .reader)
    #expect(found.key.profile == .strict)
    #expect(found.key.expires == Timestamp(milliseconds: 9))
    #expect(found.organization.id == org)
    #expect(try reader.key(digest: [UInt8](repeating: 8, count: 32)) == nil)
    #expect(try reader.keys(of: org).map(\.id) == ["key_1"])
  }

  @Test func aRevokedKeyIsSeenAsSuchAtOnce() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    try addKey(temporary, org)
    let reader = try temporary.store.makeReader()
    #expect(try reader.key(digest: Self.digest)?.key.revoked == nil)
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.revokeKey(id: "key_1", in: org, at: Timestamp(milliseconds: 5))
    }
    #expect(try reader.key(digest: Self.digest)?.key.revoked == Timestamp(milliseconds: 5))
  }

  @Test func anotherOrganizationsKeyCannotBeRevoked() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization("one")
    let other = try temporary.organization("two")
    try addKey(temporary, org)
    let refused = #expect(throws: SCIMError.self) {
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        try transaction.revokeKey(id: "key_1", in: other, at: Timestamp(milliseconds: 5))
      }
    }
    #expect(refused?.kind == .notFound)
    #expect(try temporary.store.makeReader().key(digest: Self.digest)?.key.revoked == nil)
  }

  @Test func whatAnotherProcessCommitsIsSeen() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    try addKey(temporary, org)
    let reader = try temporary.store.makeReader()
    #expect(try reader.key(digest: Self.digest)?.key.revoked == nil)
    // A second store over the same file shares nothing with the first but the file, as another process would.
    let second = try SQLiteStore.open(path: temporary.path, registry: temporary.registry)
    try second.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.revokeKey(id: "key_1", in: org, at: Timestamp(milliseconds: 5))
    }
    second.close()
    reader.release()
    #expect(try reader.key(digest: Self.digest)?.key.revoked == Timestamp(milliseconds: 5))
  }

  @Test func aDeletedOrganizationLeavesNothing() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization("one")
    let other = try temporary.organization("two")
    try addKey(temporary, org)
    var tenant = RandomTenant(seed: 1)
    _ = try tenant.fill(temporary, users: 5, groups: 3, roles: 2, in: org)
    try temporary.create("User", ["userName": "kept"], in: other)
    let isDone = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.deleteOrganization(org)
    }
    #expect(!isDone)
    let reader = try temporary.store.makeReader()
    #expect(try reader.key(digest: Self.digest) == nil)
    #expect(try reader.organizations().map(\.name) == ["two"])
    #expect(try reader.organization(named: "one") == nil)
    #expect(try temporary.store.makeCheck().run() == [])
    // Its name is free at once.
    let next = try temporary.organization("one")
    #expect(next != org)
    let further = try temporary.store.writeInStepsAndWait(from: 0, pause: {}) { (transaction, turn) throws(SCIMError) in
      try transaction.deleteOrganization(org) ? .done(turn) : .further(turn + 1)
    }
    #expect(further > 1)
    reader.release()
    #expect(try reader.organizations().map(\.id) == [other, next])
    #expect(try temporary.store.makeCheck().run() == [])
    let connection = try SQLiteDriver(path: temporary.path).connect(.reader)
    for table in [
      "resource", "key", "unique_key", "signature", "link", "resource_count", "outbox", "api_key", "deletion",
      "assignment_count", "definition_change", "definition_misfit", "stale_index", "second_name",
    ] {
      let statement = try connection.prepare("SELECT count(*) FROM \(table) WHERE org = \(org.rawValue)")
      #expect(try statement.step())
      #expect(statement.integer(0) == 0, "\(table)")
    }
  }

  @Test func theChangesOfADeletedOrganizationGoInSeveralTransactions() throws {
    let temporary = try TemporaryStore()
    let (org, other) = (try temporary.organization("one"), try temporary.organization("two"))
    let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
    func changes(of organization: OrganizationID) throws -> Int64 {
      let statement = try connection.prepare("SELECT count(*) FROM outbox WHERE org = \(organization.rawValue)")
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) : 0
    }
    for (organization, count) in [(org, 12_000), (other, 10)] {
      try connection.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO outbox (org, type, id, version, kind, at)
        SELECT \(organization.rawValue), 1, 'x' || i, 1, 'created', 1 FROM n
        """)
    }
    var left = [try changes(of: org)]
    while !(try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.deleteOrganization(org)
    }) {
      left.append(try changes(of: org))
    }
    #expect(left.first == 12_000 && left.last == 0)
    #expect(zip(left, left.dropFirst()).allSatisfy { $0 - $1 <= 5000 }, "\(left)")
    #expect(try changes(of: other) == 10)
    connection.close()
  }
}
