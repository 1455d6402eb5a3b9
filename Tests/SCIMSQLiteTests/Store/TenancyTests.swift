import SCIMCore
import SCIMSQL
import SCIMSQLite
import Testing

/// Whatever an organisation is asked about another's resources, it has none of them.
struct TenancyTests {
  @Test func everyCallWithTheOthersResourcesSeesNothing() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization("one")
    let other = try temporary.organization("two")
    let user = try temporary.create("User", ["userName": "ada", "externalId": "x"], in: org)
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    let role = try temporary.create("Role", ["displayName": "r"], in: org)
    try temporary.link(group, "members", to: user, in: org)
    try temporary.link(user, "roles", to: role, in: org)
    let mine = try temporary.create("Group", ["displayName": "g"], in: other)
    let types = try ["User", "Group", "Role"].map { try temporary.type($0) }
    let reader = try temporary.store.makeReader()
    for (resource, type) in zip([user, group, role], types) {
      #expect(try reader.tenant(other).resource(id: resource.id, type: type, links: .all) == nil)
    }
    #expect(try reader.tenant(other).assignmentsUsed(of: role.handle) == 0)
    #expect(try reader.tenant(other).linkCount(owner: group.handle, attribute: "members", limit: 9) == 0)
    let filters = [
      "id eq \"\(user.id)\"", "userName eq \"ada\"", "userName pr", "externalId eq \"x\"", "userName co \"a\"",
      "groups.value eq \"\(group.id)\"", "roles.value eq \"\(role.id)\"", "roles.display eq \"r\"",
      "not (userName eq \"none\")", "groups pr", "roles pr",
    ]
    for text in filters {
      let filter = try ResolvedFilter(parsing: text, type: types[0], profile: .interop)
      let query = SearchQuery(parts: [.init(type: types[0], filter: filter)], window: .index(offset: 0, count: 10))
      #expect(try reader.tenant(other).search(query).total == 0, "\(text)")
      #expect(try reader.tenant(org).search(query).total == 1, "\(text)")
    }
    let (userHandle, groupHandle) = (user.handle, group.handle)
    let (userID, roleID) = (user.id, role.id)
    let sightings = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      let found = try transaction.tenantTransaction(other).find(ids: [userID, roleID], types: types)
      let matches = try transaction.tenantTransaction(other).catalogMatches([roleID, "r"], types: [types[2]])
      let removed = try transaction.tenantTransaction(other).unlink(
        owner: groupHandle, attribute: "members", targets: [userHandle])
      let unlinked = try transaction.tenantTransaction(other).unlinkAll(owner: groupHandle, attribute: "members")
      let targets = try transaction.tenantTransaction(other).targets(of: groupHandle, attribute: "members")
      let among = try transaction.tenantTransaction(other).targets(
        of: groupHandle, attribute: "members", among: [userHandle])
      let above = try transaction.tenantTransaction(other).ancestors(of: userHandle, attribute: "members")
      let referrers = try transaction.tenantTransaction(other).catalogReferrers(
        words: ["r"], attribute: "contains", types: types)
      return [
        found == [nil, nil], matches.ids.isEmpty, matches.names.isEmpty, removed.isEmpty, unlinked == 0,
        targets.isEmpty,
        among.isEmpty, above.isEmpty, referrers.isEmpty,
      ]
    }
    #expect(sightings.allSatisfy { $0 }, "\(sightings)")
    let type = types[0]
    let document = Fixture.document(["userName": "eve"], type: type)
    #expect(throws: SCIMError.self) {
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(other).delete(user, type: type)
      }
    }
    #expect(throws: SCIMError.self) {
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(other).update(user, type: type, document: document, password: .keep)
      }
    }
    #expect(throws: SCIMError.self) { try temporary.link(mine, "members", to: user, in: other) }
    #expect(throws: SCIMError.self) { try temporary.link(group, "members", to: mine, in: org) }
    #expect(try reader.tenant(org).resource(id: user.id, type: types[0], links: .all)?.version == 1)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func theEngineItselfRefusesALinkAcross() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization("one")
    let other = try temporary.organization("two")
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    let user = try temporary.create("User", ["userName": "u"], in: other)
    let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
    #expect(throws: SQLError.self) {
      try connection.execute(
        """
        INSERT INTO link (org, owner, attr, seq, target) VALUES (\(org.rawValue), \(group.handle), 1, 1, \(user.handle))
        """)
    }
    connection.close()
  }

  @Test func theSameValuesAreFreeInAnotherOrganization() throws {
    let temporary = try TemporaryStore()
    for name in ["one", "two"] {
      let org = try temporary.organization(name)
      try temporary.create("User", ["userName": "ada", "externalId": "x"], id: "same", in: org)
    }
  }
}
