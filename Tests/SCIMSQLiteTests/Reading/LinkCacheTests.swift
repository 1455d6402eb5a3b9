import SCIMCore
import Testing

@testable import SCIMSQL

/// What a reader remembers of other resources is what the database says, whatever was committed meanwhile.
@Suite("What readers remember of linked resources")
struct LinkCacheTests {
  private final class World {
    let temporary: TemporaryStore
    let organization: OrganizationID
    let reader: SQLReader
    let (user, boss, role): (StoredResource, StoredResource, StoredResource)
    let groups: [StoredResource]

    init() throws {
      temporary = try TemporaryStore()
      organization = try temporary.organization()
      boss = try temporary.create("User", ["userName": "boss"], in: organization)
      user = try temporary.create("User", ["userName": "ada"], in: organization)
      role = try temporary.create("Role", ["displayName": "Auditor"], in: organization)
      let organization = organization
      let temporary = temporary
      groups = try (0..<3).map { try temporary.create("Group", ["displayName": .string("g\($0)")], in: organization) }
      reader = try #require(try temporary.store.makeReader() as? SQLReader)
      try temporary.link(groups[0], "members", to: user, in: organization)
      try temporary.link(groups[1], "members", to: groups[0], in: organization)
      try temporary.link(user, "roles", to: role, in: organization)
    }

    /// Groups, those above marked, then roles, then the manager, as the reader shows them.
    func shown() throws -> [String] {
      let read = try #require(
        try reader.tenant(organization).resource(id: user.id, type: temporary.type("User"), links: .all))
      let links = read.links.map { ($0.display ?? "?") + ($0.isDirect ? "" : "*") }
      let manager = try reader.tenant(organization).referenced(id: boss.id, types: ["Group", "User"])
      return links + [manager.map { $0.display ?? "?" } ?? "nobody"]
    }

    func write(_ body: @escaping @Sendable (any StoreTransaction) throws(SCIMError) -> Void) throws {
      try temporary.store.writeAndWait(body)
    }

    func rename(_ resource: StoredResource, _ type: String, _ document: JSON) throws {
      let type = try temporary.type(type)
      let object = Fixture.document(document, type: type)
      let organization = organization
      try write { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(organization).update(
          resource, type: type, document: object, password: .keep)
      }
    }

    func delete(_ resource: StoredResource, _ type: String) throws {
      let type = try temporary.type(type)
      let organization = organization
      try write { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(organization).delete(resource, type: type)
      }
    }

    func unlink(_ owner: StoredResource, _ target: StoredResource) throws {
      let organization = organization
      try write { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(organization).unlink(
          owner: owner.handle, attribute: "members", targets: [target.handle])
      }
    }
  }

  private static let before = ["g0", "g1*", "Auditor", "boss"]

  private static let changes: [(name: String, change: @Sendable (World) throws -> Void, after: [String])] = [
    ("nothing", { _ in }, before),
    (
      "a group is renamed", { try $0.rename($0.groups[0], "Group", ["displayName": "G"]) },
      ["G", "g1*", "Auditor", "boss"]
    ),
    (
      "a group above is renamed", { try $0.rename($0.groups[1], "Group", ["displayName": "G"]) },
      ["g0", "G*", "Auditor", "boss"]
    ),
    ("a role is renamed", { try $0.rename($0.role, "Role", ["displayName": "R"]) }, ["g0", "g1*", "R", "boss"]),
    (
      "the manager is renamed", { try $0.rename($0.boss, "User", ["userName": "chief"]) },
      ["g0", "g1*", "Auditor", "chief"]
    ),
    ("a group above is deleted", { try $0.delete($0.groups[1], "Group") }, ["g0", "Auditor", "boss"]),
    ("a role is deleted", { try $0.delete($0.role, "Role") }, ["g0", "g1*", "boss"]),
    ("the manager is deleted", { try $0.delete($0.boss, "User") }, ["g0", "g1*", "Auditor", "nobody"]),
    (
      "a group joins another",
      { _ = try $0.temporary.link($0.groups[2], "members", to: $0.groups[1], in: $0.organization) },
      ["g0", "g1*", "g2*", "Auditor", "boss"]
    ),
    ("a group leaves another", { try $0.unlink($0.groups[1], $0.groups[0]) }, ["g0", "Auditor", "boss"]),
    (
      "somebody else is created", { _ = try $0.temporary.create("User", ["userName": "eve"], in: $0.organization) },
      before
    ),
  ]

  @Test("A reader that has shown a user shows what has changed", arguments: changes.map(\.name))
  func changed(name: String) throws {
    let row = try #require(Self.changes.first { $0.name == name })
    let world = try World()
    #expect(try world.shown() == Self.before)
    try row.change(world)
    #expect(try world.shown() == row.after)
    // And one that has never shown it.
    #expect(
      try #require(
        try world.temporary.store.makeReader().tenant(world.organization).resource(
          id: world.user.id, type: world.temporary.type("User"), links: .all)
      ).links.map { ($0.display ?? "?") + ($0.isDirect ? "" : "*") } == row.after.dropLast())
  }

  @Test("A change that is undone leaves what is remembered as it was")
  func undone() throws {
    let world = try World()
    #expect(try world.shown() == Self.before)
    let (group, type, organization) = (world.groups[0], try world.temporary.type("Group"), world.organization)
    let object = Fixture.document(["displayName": "G"], type: type)
    #expect(throws: SCIMError.self) {
      try world.write { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(organization).update(group, type: type, document: object, password: .keep)
        throw SCIMError(.conflict, "undone")
      }
    }
    #expect(try world.shown() == Self.before)
  }

  @Test("Only what others may refer to moves what readers remember")
  func revisions() throws {
    let world = try World()
    func revisions() throws -> Revisions {
      try world.reader.enter()
      return try world.reader.readRevisions()
    }
    let before = try revisions()
    _ = try world.temporary.create("User", ["userName": "eve"], in: world.organization)
    try world.rename(world.user, "User", ["userName": "ada", "title": "Dr."])
    #expect(try revisions() == before)
    try world.rename(world.groups[0], "Group", ["displayName": "G"])
    let renamed = try revisions()
    #expect(renamed.targets == before.targets + 1 && renamed.links == before.links)
    try world.unlink(world.groups[1], world.groups[0])
    #expect(try revisions() == Revisions(keys: before.keys, targets: renamed.targets, links: before.links + 1))
  }

  @Test("What was used last stays, and there is never more than twice the maximum")
  func recent() {
    var values = RecentValues<Int, Int>(maximum: 4)
    for key in 0..<4 { values[key] = key }
    for key in 4..<40 {
      #expect(values[0] == 0)
      values[key] = key
      #expect(values.count <= 8)
    }
    #expect(values[39] == 39 && values[5] == nil)
    values.removeAll()
    #expect(values.isEmpty && values[39] == nil)
  }
}
