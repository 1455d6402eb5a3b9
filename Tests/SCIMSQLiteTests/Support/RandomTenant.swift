import SCIMCore
import TestSupport

/// Users, groups and roles with values from a small pool, so that filters over the pool match a good part of them.
struct RandomTenant {
  static let texts = [
    "", "a", "A", "ab", "b", "É", "é", "e\u{301}x", "ß", "100%", "_a", "\u{0}z", "😀", "abcdef", "XaBcDeFy", "bcde",
    "漢字", "漢",
  ]
  static let types = ["work", "home", "Other"]
  static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  static let roleExtension = "urn:ietf:params:scim:schemas:core:2.0:Role"

  static let roleGrants = GroupGrants.urn + ":roles"

  var random: Random
  /// True where groups grant roles.
  let grants: Bool

  init(seed: UInt64, grants: Bool = false) {
    random = Random(seed: seed)
    self.grants = grants
  }

  /// Fills an organisation; gives everything in it by type name.
  mutating func fill(
    _ temporary: TemporaryStore, users: Int, groups: Int, roles: Int, in organization: OrganizationID
  ) throws -> [String: [StoredResource]] {
    var made: [String: [StoredResource]] = [:]
    for number in 0..<roles {
      made["Role", default: []].append(
        try temporary.create("Role", role(number), id: number == 0 ? "Is_Tall" : nil, in: organization))
    }
    for number in 0..<users {
      let user = try temporary.create("User", user(number), in: organization)
      made["User", default: []].append(user)
      for role in made["Role"] ?? [] where random.chance(25) {
        var extra = JSONObject()
        if random.chance(40) { extra["primary"] = .bool(random.chance(70)) }
        try temporary.link(user, "roles", to: role, extra: extra, in: organization)
      }
    }
    for number in 0..<groups {
      let group = try temporary.create("Group", group(number), in: organization)
      for member in made["User"] ?? [] where random.chance(15) {
        try temporary.link(group, "members", to: member, in: organization)
      }
      // Only earlier groups, so that there are no circles.
      for member in made["Group"] ?? [] where random.chance(30) {
        try temporary.link(group, "members", to: member, in: organization)
      }
      if grants {
        for role in made["Role"] ?? [] where random.chance(20) {
          try temporary.link(group, Self.roleGrants, to: role, in: organization)
        }
      }
      made["Group", default: []].append(group)
    }
    return made
  }

  private mutating func group(_ number: Int) -> JSON {
    var group = JSONObject()
    group["displayName"] = .string("g\(number)")
    if grants, random.chance(30) { group[GroupGrants.urn] = ["roles": elements(withPrimary: false)] }
    return .object(group)
  }

  private mutating func role(_ number: Int) -> JSON {
    var role = JSONObject()
    role["displayName"] = .string("R\(number)")
    if random.chance(50) { role["description"] = .string(random.pick(Self.texts)) }
    if random.chance(60) {
      var more = JSONObject()
      more["supported"] = .bool(random.chance(50))
      if random.chance(70) { more["totalAssignmentsPermitted"] = .integer(random.pick([-3, 0, 9, 10, 100])) }
      role[Self.roleExtension] = .object(more)
    }
    return .object(role)
  }

  private mutating func user(_ number: Int) -> JSON {
    var user = JSONObject()
    if random.chance(50) { user["externalId"] = .string("x\(number)") }
    user["userName"] = .string(random.chance(50) ? "U\(number)" : "É\(number)")
    if random.chance(60) {
      var name = JSONObject()
      if random.chance(60) { name["familyName"] = .string(random.pick(Self.texts)) }
      if random.chance(60) { name["givenName"] = .string(random.pick(Self.texts)) }
      if !name.isEmpty { user["name"] = .object(name) }
    }
    for attribute in ["displayName", "nickName", "profileUrl", "title"] where random.chance(50) {
      user[attribute] = .string(random.pick(Self.texts))
    }
    if random.chance(60) { user["active"] = .bool(random.chance(60)) }
    if random.chance(60) { user["emails"] = elements(withPrimary: true) }
    if random.chance(30) { user["addresses"] = addresses() }
    if random.chance(30) { user["roles"] = elements(withPrimary: false) }
    if random.chance(40) {
      var more = JSONObject()
      if random.chance(60) { more["department"] = .string(random.pick(Self.texts)) }
      if random.chance(60) { more["manager"] = ["value": .string(random.pick(Self.texts))] }
      if !more.isEmpty { user[Self.enterprise] = .object(more) }
    }
    return .object(user)
  }

  private mutating func elements(withPrimary: Bool) -> JSON {
    var elements: [JSON] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      var element = JSONObject()
      element["value"] = .string(random.pick(Self.texts))
      if random.chance(70) { element["type"] = .string(random.pick(Self.types)) }
      if random.chance(20) { element["display"] = .string(random.pick(Self.texts)) }
      if withPrimary, random.chance(30) { element["primary"] = .bool(elements.isEmpty) }
      elements.append(.object(element))
    }
    return .array(elements)
  }

  private mutating func addresses() -> JSON {
    var elements: [JSON] = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      var element = JSONObject()
      element["type"] = .string(random.pick(Self.types))
      if random.chance(60) { element["country"] = .string(random.pick(["IT", "de"])) }
      if random.chance(60) { element["locality"] = .string(random.pick(Self.texts)) }
      elements.append(.object(element))
    }
    return .array(elements)
  }
}
