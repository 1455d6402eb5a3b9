/// Pieces of the grammars of filters and paths, put together at random: often legal, often not quite.
enum RandomSyntax {
  static let examples = [
    #"userName eq "bjensen""#, #"name.familyName co "O'Malley""#, #"title pr and userType eq "Employee""#,
    #"userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")"#,
    #"emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]"#,
    #"not (active eq false) and meta.lastModified ge "2011-05-13T04:42:34+02:00""#,
    #"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "26118915""#,
    #"emails[type eq "work"].value sw 'a'"#, "active eq True", "userName sw O",
  ]

  static let names = [
    "userName", "name.givenName", "emails", "emails.value", "emails.primary", "active", "meta.lastModified", "id",
    "schemas", "roles", "entitlements", "entitlements.type", "groups.value", "members", "members.value", "displayName",
    "manager", "department", "x509Certificates.value", "externalId", "password", "noSuch", "emails.noSuch",
    "urn:ietf:params:scim:schemas:core:2.0:User:title",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value", "urn:ietf:params:scim:", "$ref",
    "a.b.c", "EMAILS.TYPE", "",
  ]
  static let subs = ["value", "type", "primary", "display", "$ref", "locality", "noSuch", "VALUE", ""]
  static let operators = [
    "eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le", "EQ", "pr", "Pr", "like", "=", "",
  ]
  static let literals = [
    #""work""#, #""""#, "true", "False", "null", "-1", "1.5e3", "1e999", "0.1", "'x'", "word", #""a\"b\\c\u00e9""#,
    #""\ud83d\ude00""#, #""\ud800""#, #""2011-05-13T04:42:34Z""#, #""2011-02-30T99:00:00Z""#, "\"e\u{301}\"", "\"",
    "[]", "\"\u{0}\"", "184467440737095516160", "",
  ]
  static let words = [
    "and", "or", "not", "not(", "(", ")", "[", "]", ".", "\"", "'", " ", "  ", "\t", "\\", "\u{0}", ":", "$", "é",
    "\u{301}", "😀", "pr", "eq", "@", ",", "{", "}",
  ]

  static func filter(_ random: inout FuzzRandom, depth: Int = 4, inside: Bool = false) -> String {
    switch depth > 0 ? random.below(10) : 9 {
    case 0, 1: joined(" and ", &random, depth, inside)
    case 2: joined(" or ", &random, depth, inside)
    case 3: "not (\(filter(&random, depth: depth - 1, inside: inside)))"
    case 4: "(\(filter(&random, depth: depth - 1, inside: inside)))"
    case 5 where !inside: "\(random.pick(names))[\(filter(&random, depth: depth - 1, inside: true))]\(behind(&random))"
    case 6: "\(random.pick(inside ? subs : names)) pr"
    default: condition(&random, inside)
    }
  }

  static func path(_ random: inout FuzzRandom) -> String {
    switch random.below(4) {
    case 0: random.pick(names)
    case 1: random.pick(names) + "." + random.pick(subs)
    case 2: "\(random.pick(names))[\(filter(&random, depth: 2, inside: true))]"
    default: "\(random.pick(names))[\(filter(&random, depth: 1, inside: true))].\(random.pick(subs))"
    }
  }

  private static func behind(_ random: inout FuzzRandom) -> String {
    random.below(4) == 0 ? ".\(condition(&random, true))" : ""
  }

  private static func joined(_ word: String, _ random: inout FuzzRandom, _ depth: Int, _ inside: Bool) -> String {
    (0..<2 + random.below(3)).map { _ in filter(&random, depth: depth - 1, inside: inside) }.joined(separator: word)
  }

  private static func condition(_ random: inout FuzzRandom, _ inside: Bool) -> String {
    "\(random.pick(inside ? subs : names)) \(random.pick(operators)) \(random.pick(literals))"
  }
}
