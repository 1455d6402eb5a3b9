import SCIMCore
import SCIMSQL
import Testing

struct LinkTests {
  @Test func membersKeepTheirOrderAndTheirPresentDisplay() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let users = try (0..<3).map { try temporary.create("User", ["userName": .string("u\($0)")], in: org) }
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    for user in users.reversed() { #expect(try temporary.link(group, "members", to: user, in: org)) }
    #expect(try !temporary.link(group, "members", to: users[0], in: org), "it is there already")
    let document = Fixture.document(["userName": "u1", "displayName": "New"], type: type)
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.tenantTransaction(org).update(users[1], type: type, document: document, password: .keep)
    }
    let reader = try temporary.store.makeReader()
    let read = try #require(
      try reader.tenant(org).resource(id: group.id, type: temporary.type("Group"), links: .all))
    #expect(read.links.map(\.id) == users.reversed().map(\.id))
    #expect(read.links.map(\.display) == ["u2", "New", "u0"])
    #expect(read.links.allSatisfy { $0.type == "User" && $0.attribute == "members" && $0.isDirect })
    #expect(try reader.tenant(org).linkCount(owner: group.handle, attribute: "members", limit: 100) == 3)
    #expect(try reader.tenant(org).linkCount(owner: group.handle, attribute: "members", limit: 2) == 2)
  }

  @Test func aUserShowsGroupsAndTheOnesAbove() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let user = try temporary.create("User", ["userName": "u"], in: org)
    let groups = try (0..<3).map { try temporary.create("Group", ["displayName": .string("g\($0)")], in: org) }
    try temporary.link(groups[0], "members", to: user, in: org)
    try temporary.link(groups[1], "members", to: groups[0], in: org)
    try temporary.link(groups[2], "members", to: groups[1], in: org)
    try temporary.link(groups[2], "members", to: user, in: org)
    let read = try #require(
      try temporary.store.makeReader().tenant(org).resource(id: user.id, type: temporary.type("User"), links: .all))
    #expect(read.links.map(\.display) == ["g0", "g1", "g2"])
    #expect(read.links.map(\.isDirect) == [true, false, true])
    #expect(read.links.allSatisfy { $0.attribute == "groups" })
    let (bottom, top) = (groups[0].handle, groups[2].handle)
    let answers = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      [
        try transaction.tenantTransaction(org).ancestors(of: bottom, attribute: "members"),
        try transaction.tenantTransaction(org).ancestors(of: top, attribute: "members"),
      ]
    }
    #expect(answers == [[groups[1].handle, top], []])
  }

  @Test func aDeletedResourceIsLinkedNowhere() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let user = try temporary.create("User", ["userName": "u"], in: org)
    let role = try temporary.create("Role", ["displayName": "r"], in: org)
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    try temporary.link(group, "members", to: user, in: org)
    try temporary.link(user, "roles", to: role, extra: JSONObject([.init(key: "primary", value: true)]), in: org)
    let reader = try temporary.store.makeReader()
    let before = try #require(
      try reader.tenant(org).resource(id: user.id, type: temporary.type("User"), links: .all))
    #expect(before.links.map(\.attribute).sorted() == ["groups", "roles"])
    #expect(before.links.first { $0.attribute == "roles" }?.extra["primary"] == true)
    #expect(try reader.tenant(org).assignmentsUsed(of: role.handle) == 1)
    for (resource, name) in [(group, "Group"), (role, "Role")] {
      let type = try temporary.type(name)
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(org).delete(resource, type: type)
      }
    }
    let after = try #require(
      try reader.tenant(org).resource(id: user.id, type: temporary.type("User"), links: .all))
    #expect(after.links.isEmpty)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func unlinkTakesOneOrAll() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    let users = try (0..<4).map { try temporary.create("User", ["userName": .string("u\($0)")], in: org) }
    for user in users { try temporary.link(group, "members", to: user, in: org) }
    let (owner, first) = (group.handle, users[0].handle)
    let counts = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      [
        try transaction.tenantTransaction(org).unlink(owner: owner, attribute: "members", targets: [first]).count,
        try transaction.tenantTransaction(org).unlink(owner: owner, attribute: "members", targets: [first]).count,
        try transaction.tenantTransaction(org).unlinkAll(owner: owner, attribute: "members"),
        try transaction.tenantTransaction(org).unlinkAll(owner: owner, attribute: "members"),
      ]
    }
    #expect(counts == [1, 0, 3, 0])
  }

  @Test func manyLinksAreMadeAtOnceInTheirOrderAndOnce() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let group = try temporary.create("Group", ["displayName": "g"], in: org)
    let users = try (0..<5).map { try temporary.create("User", ["userName": .string("u\($0)")], in: org) }
    try temporary.link(group, "members", to: users[3], in: org)
    let owner = group.handle
    let wanted = [4, 0, 3, 1].map { users[$0].handle }
    let (new, order, among) = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      let new = try transaction.tenantTransaction(org).link(owner: owner, attribute: "members", targets: wanted)
      let order = try transaction.tenantTransaction(org).targets(of: owner, attribute: "members")
      let among = try transaction.tenantTransaction(org).targets(
        of: owner, attribute: "members", among: [users[2].handle, users[0].handle])
      return (new, order, among)
    }
    #expect(Set(new) == Set([4, 0, 1].map { users[$0].handle }))
    #expect(order == [3, 4, 0, 1].map { users[$0].handle })
    #expect(among == [users[0].handle])
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func aLinkToWhatTheOrganisationLacksIsRefused() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let group = try temporary.create("Group", ["displayName": "g"], in: org).handle
    let stranger = try temporary.create("User", ["userName": "u"], in: temporary.organization("other")).handle
    #expect(throws: SCIMError.self) {
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(org).link(owner: group, attribute: "members", targets: [stranger])
      }
    }
  }

  @Test(arguments: [
    ("by id", "r-1", "r-1"), ("by name in any case", "THE ONE", "r-1"), ("by the draft's value", "v-2", "r-2"),
    ("an ambiguous name", "same", nil), ("nothing", "none", nil),
  ])
  func catalogMatches(_ name: String, _ value: String, _ expected: String?) throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let type = try temporary.type("Characteristic")
    let draft = "urn:ietf:params:scim:schemas:core:2.0:Entitlement"
    try temporary.create("Characteristic", ["displayName": "The One"], id: "r-1", in: org)
    try temporary.create(
      "Characteristic",
      [
        "displayName": "Same", .init(stringLiteral: draft): ["value": "v-2"],
      ].asDocument, id: "r-2", in: org)
    try temporary.create("Characteristic", ["displayName": "same"], id: "r-3", in: org)
    let found = try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(org).catalogMatches([value], types: [type]).match(value, types: [type])
    }
    #expect(found?.id == expected)
  }
}

extension [String: JSON] {
  fileprivate var asDocument: JSON { .object(JSONObject(map { .init(key: $0.key, value: $0.value) })) }
}
