import SCIMCore

/// Makes up a tenant: a catalogue, users with names in many scripts, and groups. The same numbers give the same tenant.
struct TenantGenerator: Sendable {
  /// How many users.
  let count: Int
  let seed: UInt64
  /// The domain of the addresses: the organisation's name.
  let domain: String
  /// How many roles each user has; nil for none to three.
  var rolesPerUser: Int?

  /// How many roles there are.
  static var roleCount: Int { roleNames.count }

  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  private static let characteristic = "urn:bestapps:scim:schemas:extension:todoapp:1.0:Characteristic"

  private static let departments = [
    "Engineering", "Sales", "Marketing", "Finance", "People", "Legal", "Support", "Operations", "Security", "Research",
    "Logistics", "Design",
  ]
  private static let sites = [
    "Berlin", "Chicago", "São Paulo", "Kraków", "Αθήνα", "東京", "القاهرة", "मुंबई", "Hà Nội", "Québec",
  ]
  private static let ranks = ["Junior", "Senior", "Lead", "Principal", "Associate"]
  private static let professions = ["Engineer", "Analyst", "Manager", "Designer", "Consultant", "Clerk", "Architect"]
  private static let roleNames = [
    "Todo-er", "Todo Auditor", "Manager", "Billing Reader", "Billing Writer", "Report Author", "Site Admin",
    "Key Holder", "Approver", "Auditor", "Release Captain", "Support Agent", "Data Steward", "Contractor",
  ]
  private static let characteristics = [
    ("is_tall", "This user is so tall"), ("is_remote", "Works away from the office"), ("is_first_aider", "First aider"),
    ("has_forklift_licence", "May drive a forklift"), ("speaks_greek", "Μιλάει ελληνικά"),
  ]

  /// The organisation's roles.
  func roles() -> [JSONObject] {
    Self.roleNames.map { JSONObject(("displayName", .string($0)), ("description", .string("Generated: \($0)."))) }
  }

  /// The organisation's characteristics with their ids.
  func characteristics() -> [(id: String, body: JSONObject)] {
    Self.characteristics.map { id, name in
      (id, JSONObject(("displayName", .string(name)), (Self.characteristic, ["is_tall": .string(id)])))
    }
  }

  /// User number `index`, from 0.
  func user(_ index: Int) -> JSONObject {
    var random = generator(stream: 1, index)
    let table = random.pick(NameTable.all)
    let given = random.pick(table.given)
    let family = random.pick(table.family)
    let names = table.isFamilyFirst ? [family.text, given.text] : [given.text, family.text]
    let fullName = names.joined(separator: table.separator)
    let userName = userName(index)
    let title = random.pick(Self.ranks) + " " + random.pick(Self.professions)

    var user = JSONObject(
      ("userName", .string(userName)), ("externalId", .string("gen-\(seed)-\(index)")),
      (
        "name",
        ["givenName": .string(given.text), "familyName": .string(family.text), "formatted": .string(fullName)]
      ),
      ("displayName", .string(fullName)), ("title", .string(title)), ("active", .bool(!random.chance(6))),
      ("locale", .string(table.locale)), ("preferredLanguage", .string(table.locale)),
      ("timezone", .string(table.timezone)),
      ("emails", .array(emails(userName, given.latin, index, &random))))
    if random.chance(80) {
      let number = String(10_000_000 + random.below(89_999_999))
      user["phoneNumbers"] = [["value": .string("tel:+1-555-\(number)"), "type": "work", "primary": true]]
    }
    if random.chance(40) {
      user["addresses"] = [
        ["type": "work", "locality": .string(random.pick(Self.sites)), "country": .string(table.country)]
      ]
    }
    var roles: Set<Int> = []
    if let rolesPerUser {
      let first = random.below(Self.roleNames.count)
      for number in 0..<rolesPerUser { roles.insert((first + number) % Self.roleNames.count) }
    } else {
      for _ in 0..<random.below(4) { roles.insert(random.below(Self.roleNames.count)) }
    }
    if !roles.isEmpty { user["roles"] = .array(roles.sorted().map { ["value": .string(Self.roleNames[$0])] }) }
    if random.chance(15) {
      let id = random.pick(Self.characteristics).0
      user["entitlements"] = [["value": .string(id), "type": "Characteristic"]]
    }
    user[Self.enterprise] = .object(work(index, &random))
    return user
  }

  /// How many groups there are: one for each department that has somebody, and a team for each dozen of users.
  var groupCount: Int { departmentCount + teamCount }

  private var departmentCount: Int { min(Self.departments.count, count) }
  private var teamCount: Int { (count + 11) / 12 }

  /// Group number `index`, from 0; its members are named by their userNames.
  func group(_ index: Int) -> JSONObject {
    if index < departmentCount {
      let members = stride(from: index, to: count, by: departmentCount)
      return group("\(Self.departments[index]) (all)", externalId: "gen-\(seed)-d\(index)", members: Array(members))
    }
    let team = index - departmentCount
    var random = generator(stream: 2, team)
    let name = "\(random.pick(Self.sites)) \(random.pick(Self.departments)) \(team + 1)"
    var members = Set(team * 12..<min(team * 12 + 12, count))
    // A few guests from elsewhere, so that users are in a different number of groups.
    for _ in 0..<random.below(4) { members.insert(random.below(count)) }
    return group(name, externalId: "gen-\(seed)-t\(team)", members: members.sorted())
  }

  /// The userName of user number `index`; it is also the main address.
  func userName(_ index: Int) -> String {
    var random = generator(stream: 1, index)
    let table = random.pick(NameTable.all)
    let given = random.pick(table.given).latin
    let family = random.pick(table.family).latin
    return "\(given).\(family).\(index + 1)@\(domain)"
  }

  private func emails(_ userName: String, _ given: String, _ index: Int, _ random: inout SplitMix) -> [JSON] {
    var emails: [JSON] = [["value": .string(userName), "type": "work", "primary": true]]
    if random.chance(35) {
      emails.append(["value": .string("\(given)\(index + 1)@home.example"), "type": "home"])
    }
    return emails
  }

  /// The enterprise extension: each user's manager is an earlier user, so that the whole is a tree.
  private func work(_ index: Int, _ random: inout SplitMix) -> JSONObject {
    let department = Self.departments[index % max(departmentCount, 1)]
    var work = JSONObject(
      ("employeeNumber", .string(String(100_000 + index))), ("costCenter", .string("CC-\(100 + random.below(50))")),
      ("organization", .string(domain)), ("division", .string(random.pick(Self.sites))),
      ("department", .string(department)))
    if index > 0 { work["manager"] = ["value": .string(userName(index / 8))] }
    return work
  }

  private func group(_ name: String, externalId: String, members: [Int]) -> JSONObject {
    JSONObject(
      ("displayName", .string(name)), ("externalId", .string(externalId)),
      ("members", .array(members.map { ["value": .string(userName($0))] })))
  }

  /// Random numbers that depend on what is made, not on what was made before it.
  private func generator(stream: UInt64, _ index: Int) -> SplitMix {
    var mixer = SplitMix(seed: seed ^ (stream << 56) ^ UInt64(truncatingIfNeeded: index) &* 0x2545_F491_4F6C_DD1D)
    return SplitMix(seed: mixer.next())
  }
}

extension JSONObject {
  /// Makes an object of its members in order.
  fileprivate init(_ members: (String, JSON)...) {
    self.init(members.map { Member(key: $0.0, value: $0.1) })
  }
}
