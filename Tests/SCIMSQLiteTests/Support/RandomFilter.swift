import SCIMCore
import TestSupport

/// Filters as text, legal for the types of `RandomTenant` and with values from its pool.
struct RandomFilter {
  var random: Random
  /// Values of `id`, `value` of references, and times that are in the tenant.
  let ids: [String]
  let times: [String]
  let baseURL: String
  /// True where groups grant roles.
  var grants = false

  mutating func filter(_ type: String, depth: Int = 3) -> String {
    switch depth > 0 ? Int.random(in: 0..<10, using: &random) : 9 {
    case 0, 1, 2:
      (0..<Int.random(in: 2...3, using: &random)).map { _ in "(\(filter(type, depth: depth - 1)))" }
        .joined(separator: " and ")
    case 3: "(\(filter(type, depth: depth - 1))) or (\(filter(type, depth: depth - 1)))"
    case 4: "not (\(filter(type, depth: depth - 1)))"
    case 5, 6: path(type, depth: depth)
    default: condition(type)
    }
  }

  /// A filter that goes to a limit: brackets in each other, brackets inside those of an attribute, conditions side by
  /// side, or bytes.
  mutating func extreme(_ type: String) -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      var text = leaf(type)
      nest(FilterLimits.depth - 1, in: &text) { filter in filter.leaf(type) }
      return text
    case 1:
      let attribute = pathAttribute(type)
      var text = inner(attribute, depth: 0)
      nest(FilterLimits.depth - 1, in: &text) { filter in filter.inner(attribute, depth: 0) }
      return "\(attribute)[\(text)]"
    case 2:
      var text = ""
      let word = random.pick([" and not (", " or ("])
      for number in 0..<FilterLimits.terms {
        let next = condition(type)
        guard text.utf8.count + next.utf8.count + 20 < FilterLimits.bytes else { break }
        text += number == 0 ? next : word + next + ")"
      }
      return text
    default:
      let text = String(repeating: random.pick(["a", "é", "ab", "%"]), count: 3000)
      return "\(condition(type)) or \(random.pick(["displayName", "externalId"])) \(textOperator()) "
        + JSON.string(text).quoted
    }
  }

  private mutating func leaf(_ type: String) -> String { random.chance(40) ? path(type, depth: 1) : condition(type) }

  /// Puts the text into so many brackets, with another condition beside each.
  private mutating func nest(_ depth: Int, in text: inout String, _ leaf: (inout RandomFilter) -> String) {
    for _ in 0..<depth {
      let next = leaf(&self)
      guard text.utf8.count + next.utf8.count + 100 < FilterLimits.bytes else { return }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: text = "\(next) and (\(text))"
      case 2, 3: text = "(\(text)) or \(next)"
      default: text = "not (\(text))"
      }
    }
  }

  private mutating func pathAttribute(_ type: String) -> String {
    switch type {
    case "User": random.pick(["emails", "addresses", "roles", "groups", "emails", "roles", "name", "meta"])
    case "Group": random.pick(grants ? ["members", RandomTenant.roleGrants, "schemas"] : ["members", "meta"])
    default: "schemas"
    }
  }

  private mutating func path(_ type: String, depth: Int) -> String {
    let attribute = pathAttribute(type)
    if grants, attribute == "roles", random.chance(40) {
      // Found by the entries, whoever holds or grants them.
      let name = random.pick(["display sw \"r\"", "display eq \"R1\"", "value eq \"is_tall\"", "display co \"3\""])
      return "roles[\(name) and \(test(random.pick(["inherited", "primary"]), of: attribute))]"
    }
    return "\(attribute)[\(inner(attribute, depth: depth - 1))]"
  }

  private mutating func inner(_ attribute: String, depth: Int) -> String {
    switch depth > 0 ? Int.random(in: 0..<6, using: &random) : 5 {
    case 0, 1: "(\(inner(attribute, depth: depth - 1))) and (\(inner(attribute, depth: depth - 1)))"
    case 2: "(\(inner(attribute, depth: depth - 1))) or (\(inner(attribute, depth: depth - 1)))"
    case 3: "not (\(inner(attribute, depth: depth - 1)))"
    default:
      grants && attribute == "roles" && random.chance(30)
        ? test("inherited", of: attribute)
        : test(random.pick(Self.subAttributes[attribute] ?? ["value"]), of: attribute)
    }
  }

  private static let subAttributes: [String: [String]] = [
    "emails": ["value", "type", "primary", "display"], "addresses": ["type", "country", "locality"],
    "roles": ["value", "type", "primary", "display", "$ref"],
    RandomTenant.roleGrants: ["value", "type", "display", "$ref"], "groups": ["value", "type", "display", "$ref"],
    "members": ["value", "type", "display", "$ref"], "name": ["familyName", "givenName"],
    "meta": ["resourceType", "created", "lastModified", "location", "version"], "schemas": ["value"],
  ]

  private mutating func condition(_ type: String) -> String {
    var names: [String]
    switch type {
    case "User":
      names = [
        "userName", "externalId", "displayName", "nickName", "profileUrl", "title", "active", "name.familyName",
        "name.givenName", "name", "emails", "emails.value", "emails.type", "emails.primary", "addresses.country",
        "roles.value", "roles.type", "roles.display", "roles.primary", "roles.$ref", "roles", "groups",
        "groups.value", "groups.type", "groups.display", "groups.$ref", "\(RandomTenant.enterprise):department",
        "\(RandomTenant.enterprise):manager", "\(RandomTenant.enterprise):manager.value", "entitlements",
      ]
      if grants { names += ["roles", "roles.value", "roles.inherited", "roles.inherited", "roles.display"] }
    case "Group":
      names = [
        "displayName", "members", "members.value", "members.type", "members.display", "members.$ref", "externalId",
      ]
      if grants { names += ["", ".value", ".type", ".display", ".$ref"].map { RandomTenant.roleGrants + $0 } }
    default:
      names = [
        "displayName", "description", "\(RandomTenant.roleExtension):totalAssignmentsPermitted",
        "\(RandomTenant.roleExtension):supported", "\(RandomTenant.roleExtension):totalAssignmentsUsed",
      ]
    }
    if random.chance(25) {
      return test(
        random.pick([
          "id", "meta.created", "meta.lastModified", "meta.version", "meta.location", "meta.resourceType", "schemas",
        ]), of: "")
    }
    return test(random.pick(names), of: "")
  }

  private mutating func test(_ name: String, of attribute: String) -> String {
    if random.chance(12) { return "\(name) pr" }
    let full = attribute.isEmpty ? name : "\(attribute).\(name)"
    let last = full.split(whereSeparator: { $0 == "." || $0 == ":" }).last.map(String.init) ?? full
    if name == "name" { return "name pr" }
    if random.chance(8) { return "\(name) \(random.pick(["eq", "ne"])) null" }
    switch last {
    case "active", "primary", "supported", "inherited":
      return "\(name) \(random.pick(["eq", "ne"])) \(random.chance(50))"
    case "totalAssignmentsPermitted", "totalAssignmentsUsed":
      return "\(name) \(order()) \(random.pick(["-4", "0", "9", "9.5", "10", "12", "1000"]))"
    case "created", "lastModified": return "\(name) \(order()) \"\(random.pick(times))\""
    default:
      return "\(name) \(random.chance(50) ? "eq" : textOperator()) \(JSON.string(text(full)).quoted)"
    }
  }

  private mutating func text(_ path: String) -> String {
    let isGrant = path.hasPrefix(RandomTenant.roleGrants)
    let name = isGrant ? "roles" + path.dropFirst(RandomTenant.roleGrants.count) : path
    switch name {
    case "id", "groups.value", "members.value", "roles.value", "groups", "members", "roles":
      return random.chance(80) ? random.pick(ids) : random.pick(["", "0", "IS_TALL", "a"])
    case "meta.location", "groups.$ref", "members.$ref", "roles.$ref":
      let prefix = baseURL + random.pick(["/Users/", "/Groups/", "/Roles/", "/"])
      return random.chance(70) ? prefix + random.pick(ids) : prefix
    case "meta.version": return random.pick(["W/\"1\"", "W/\"2\"", "W/", "2\"", ""])
    case "meta.resourceType": return random.pick(["User", "Group", "user", "U", "er", ""])
    case "groups.type": return random.pick(["direct", "indirect", "Direct", "direc", ""])
    case "members.type", "roles.type": return random.pick(["User", "group", "Role", "work", "r", ""])
    case "schemas", "schemas.value":
      return random.pick([
        RandomTenant.enterprise, GroupGrants.urn, "urn:ietf:params:scim:schemas:core:2.0:User",
        RandomTenant.roleExtension, "urn:",
        "User",
      ])
    case "groups.display", "displayName", "members.display", "roles.display":
      return random.pick(["g1", "G2", "g", "R1", "r", "a", "É", "u1", ""])
    case "userName": return random.pick(["u1", "É2", "é", "U", "3", "x9"])
    case "externalId": return random.pick(["x1", "X1", "x", "3"])
    case let name where name.hasSuffix("type"): return random.pick(RandomTenant.types + ["WORK"])
    default: return random.pick(RandomTenant.texts)
    }
  }

  private mutating func order() -> String { random.pick(["eq", "ne", "gt", "ge", "lt", "le"]) }

  private mutating func textOperator() -> String {
    random.pick(["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"])
  }
}

extension JSON {
  fileprivate var quoted: String { String(decoding: encoded(), as: UTF8.self) }
}
