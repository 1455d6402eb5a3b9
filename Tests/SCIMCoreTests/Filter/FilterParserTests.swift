import SCIMCore
import Testing

@Suite struct FilterParserTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let printed: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ printed: String? = nil) {
      self.name = name
      self.text = text
      self.printed = printed ?? text
    }
  }

  static let understoodByAll = [
    Row("eq", #"userName eq "bjensen""#), Row("ne", #"a ne "x""#), Row("co", #"name.familyName co "O'Malley""#),
    Row("sw", #"userName sw "J""#), Row("ew", #"a ew "x""#), Row("pr", "title pr"), Row("gt", "n gt 9"),
    Row("ge", "n ge -1.5e3"), Row("lt", "n lt 0"), Row("le", "n le 1E5"), Row("true", "active eq true"),
    Row("false", "active eq false"), Row("null", "title eq null"),
    Row("and", "a pr and b pr and c pr"), Row("or", "a pr or b pr or c pr"),
    Row("and binds tighter than or", "a pr or b pr and c pr or d pr"),
    Row("group in front", "(a pr or b pr) and c pr"), Row("group behind", "a pr and (b pr or c pr)"),
    Row("needless parentheses go", "((a pr) and ((b pr)))", "a pr and b pr"),
    Row("nested and keeps its parentheses", "(a pr and b pr) and c pr"),
    Row("nested or keeps its parentheses", "a pr or (b pr or c pr)"),
    Row("not with a blank", "not (a pr)"), Row("not without one", "not(a pr)", "not (a pr)"),
    Row("not of not", "not (not (a pr))"), Row("not binds tightest", "not (a pr) and b pr"),
    Row("value path", #"emails[type eq "work" and value co "@example.com"]"#),
    Row("value path with or and not", #"emails[(type eq "work" or not (type pr)) and value pr]"#),
    Row("value paths joined", #"emails[type eq "work"] or ims[type eq "xmpp"]"#),
    Row("URN", #"urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J""#),
    Row("URN with sub-attribute", #"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "26""#),
    Row("URN with value path", #"urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"]"#),
    Row("URI as schema", #"https://example.com/schemas/~x;v=1:badge eq "7""#),
    Row("$ref", #"members.$ref ew "/1" and members[$ref pr]"#), Row("dash and underscore", "x-y_z pr"),
    Row(
      "letter case of words", #"USERNAME Eq "x" AND NOT (a PR) Or b GT 1"#, #"USERNAME eq "x" and not (a pr) or b gt 1"#
    ),
    Row("escapes", #"a eq "\"\\\/\b\f\n\r\t\u00e9""#, #"a eq "\"\\/\b\f\n\r\té""#),
    Row("surrogate pair", #"a eq "\uD83D\uDE00""#, #"a eq "😀""#), Row("U+0000", #"a eq "\u0000""#),
    Row("letters beyond ASCII", #"displayName eq "Équipe 東京 😀""#), Row("empty text", #"a eq """#),
    Row("the grammar inside a text", #"a eq "T (A) [x] and not \"B\" or 'c'""#),
    Row("digits kept", "a eq 123456789012345678901234567890"), Row("a number beyond any double", "a eq 1e999"),
    Row("names that are words of the grammar", "and pr and or pr or pr pr and eq eq 1"),
  ]

  static let understoodLeniently = [
    Row("runs of blanks", "  a  pr \t and ( b   eq  1 )  ", "a pr and b eq 1"),
    Row("blanks in brackets", "emails[ type pr ]", "emails[type pr]"),
    Row("single quotes", "externalId eq 'x y'", #"externalId eq "x y""#),
    Row("doubled single quote", "a eq 'O''Neil'", #"a eq "O'Neil""#),
    Row("escaped single quote", #"a eq 'O\'Neil'"#, #"a eq "O'Neil""#),
    Row("double quotes in single ones", #"a eq 'say "x"\n'"#, #"a eq "say \"x\"\n""#),
    Row("empty single quotes", "a eq ''", #"a eq """#),
    Row("unquoted word", "externalId eq jyoung and b pr", #"externalId eq "jyoung" and b pr"#),
    Row("unquoted in parentheses", "(meta.resourceType eq User)", #"meta.resourceType eq "User""#),
    Row("unquoted in brackets", "emails[type eq work]", #"emails[type eq "work"]"#),
    Row("unquoted time", "meta.Created gt 2015-01-01T00:00:00-07:00", #"meta.Created gt "2015-01-01T00:00:00-07:00""#),
    Row("unquoted address", "a eq kim+x@b.example", #"a eq "kim+x@b.example""#),
    Row("unquoted with apostrophe", "a eq O'Neil", #"a eq "O'Neil""#),
    Row("no JSON number", "a eq 007 or a eq +1 or a eq 1.", #"a eq "007" or a eq "+1" or a eq "1.""#),
    Row("words in capitals are texts", "active eq True or a eq NULL", #"active eq "True" or a eq "NULL""#),
    Row("no blank before the quote", #"members[value eq"x"]"#, #"members[value eq "x"]"#),
    Row("no blank before the single quote", "a eq'x'", #"a eq "x""#),
    Row("no blank before and", "(a pr)and b pr", "a pr and b pr"),
    Row("no blank between quote and or", #"a eq "x"or b pr"#, #"a eq "x" or b pr"#),
    Row("no blank behind and", "a pr and(b pr)", "a pr and b pr"),
    Row("no blank around and", #"(a eq "x")and(b eq "y"or c pr)"#, #"a eq "x" and (b eq "y" or c pr)"#),
    Row(
      "sub-attribute behind a value path", #"emails[type eq "work"].value eq "x""#,
      #"emails[type eq "work" and value eq "x"]"#),
    Row("pr behind a value path", "emails[a pr or b pr].value pr", "emails[(a pr or b pr) and value pr]"),
  ]

  @Test(arguments: understoodByAll, Profile.allCases)
  func `is understood`(row: Row, profile: Profile) throws {
    try Self.expectUnderstood(row, profile)
  }

  @Test(arguments: understoodLeniently)
  func `is understood leniently and refused strictly`(row: Row) throws {
    try Self.expectUnderstood(row, .interop)
    try Self.expectUnderstood(row, .entra)
    let error = #expect(throws: SCIMError.self) { try FilterParser.parse(row.text, profile: .strict) }
    #expect(error?.kind == .invalidFilter)
  }

  static func expectUnderstood(_ row: Row, _ profile: Profile) throws {
    let filter = try FilterParser.parse(row.text, profile: profile)
    #expect(filter.description == row.printed)
    let again = try FilterParser.parse(filter.description, profile: .strict)
    #expect(again == filter)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let position: Int
    let reason: String
    var testDescription: String { text }

    init(_ text: String, _ position: Int, _ reason: String) {
      self.text = text
      self.position = position
      self.reason = reason
    }
  }

  static let refusedByAll = [
    Refusal("", 1, "it ends where an attribute name"), Refusal("   ", 4, "it ends where an attribute name"),
    Refusal("userName", 9, "it ends where an operator"), Refusal(#"userName zz "x""#, 10, "expected an operator"),
    Refusal(#"userName = "x""#, 10, "expected an operator"), Refusal("userName eq", 12, "it ends where a value"),
    Refusal("userName eq ", 13, "it ends where a value"), Refusal(#"userName equals "x""#, 10, "expected an operator"),
    Refusal(#"userName eq "x"#, 13, "expected the closing quote"),
    Refusal(#"userName eq "x\"#, 13, "expected the closing quote"),
    Refusal(#"userName eq "x\""#, 13, "expected the closing quote"),
    Refusal(#"userName eq "\q""#, 14, "escape"), Refusal(#"userName eq "\u12g4""#, 14, "escape"),
    Refusal(#"userName eq "\ud83d x""#, 14, "surrogate"), Refusal(#"userName eq "\ude00""#, 14, "surrogate"),
    Refusal("userName eq \"a\nb\"", 15, "control character"),
    Refusal(#"(userName eq "x""#, 17, "it ends where 'and', 'or' or ')'"),
    Refusal(#"userName eq "x")"#, 16, "expected 'and', 'or' or the end"),
    Refusal(#"emails[type eq "work""#, 22, "it ends where 'and', 'or' or ']'"),
    Refusal(#"emails[type eq "work")"#, 22, "expected 'and', 'or' or ']'"),
    Refusal("emails[]", 8, "expected an attribute name"),
    Refusal("emails[type eq]", 15, "expected a blank and a value"),
    Refusal("emails[type eq ]", 16, "expected a value"), Refusal("emails[type]", 12, "expected an operator"),
    Refusal("()", 2, "expected an attribute name"), Refusal("not (", 6, "it ends where an attribute name"),
    Refusal(#"not userName eq "x""#, 5, "expected '(' after 'not'"), Refusal("not", 4, "it ends where '(' after"),
    Refusal(#"a eq "x" and"#, 13, "it ends where a condition"),
    Refusal(#"a eq "x" or "#, 13, "it ends where an attribute name"),
    Refusal(#"a eq "x" b eq "y""#, 10, "expected 'and', 'or' or the end"),
    Refusal(#"a eq "x" xor b eq "y""#, 10, "expected 'and', 'or' or the end"),
    Refusal(#"a eq "x" and or b pr"#, 17, "expected an operator"),
    Refusal("a pr b pr", 6, "expected 'and', 'or' or the end"),
    Refusal("a eq and b pr", 6, "expected a value"), Refusal("a eq OR", 6, "expected a value"),
    Refusal("a[b[c pr]]", 4, "a value path cannot contain another"),
    Refusal("a[b pr]x", 8, "expected 'and', 'or' or the end"),
    Refusal(#""a" eq "b""#, 1, "expected an attribute name"), Refusal("1 eq 1", 1, "expected an attribute name"),
    Refusal(".title pr", 1, "expected an attribute name"), Refusal("ä eq 1", 1, "expected an attribute name"),
    Refusal("tä eq 1", 2, "expected an operator"),
    Refusal(#"a eq "äö😀" zz"#, 12, "expected 'and', 'or' or the end"),
    Refusal("a eq(1)", 5, "expected a blank and a value"),
    Refusal("a eq (1)", 6, "expected a value"), Refusal("a prb pr", 3, "expected an operator"),
    Refusal("a eq \u{7}", 6, "expected a value"),
    Refusal("a pr, b pr", 5, "expected 'and', 'or' or the end"), Refusal("emails [type pr]", 8, "expected an operator"),
  ]

  @Test(arguments: refusedByAll, [Profile.interop, .strict])
  func `is refused with the position`(row: Refusal, profile: Profile) throws {
    let error = try #require(throws: SCIMError.self) { try FilterParser.parse(row.text, profile: profile) }
    #expect(error.kind == .invalidFilter)
    #expect(error.detail.contains("at character \(row.position): "), "\(error.detail)")
    #expect(error.detail.contains(row.reason), "\(error.detail)")
  }

  @Test func `an error never repeats a value`() throws {
    for text in [
      #"password eq "hunter2" x"#, "password eq hunter2 hunter2", #"password eq "hunter2\q""#, #"password eq "hunter2"#,
      "(password eq 'hunter2'", #"password hunter2"#,
    ] {
      let error = try #require(throws: SCIMError.self) { try FilterParser.parse(text, profile: .interop) }
      #expect(!error.detail.contains("hunter2"), "\(error.detail)")
    }
  }

  @Test func `bounds are inclusive`() throws {
    let terms = { (count: Int) in Array(repeating: "a pr", count: count).joined(separator: " or ") }
    _ = try FilterParser.parse(terms(200), profile: .interop)
    #expect(throws: SCIMError.self) { try FilterParser.parse(terms(201), profile: .interop) }

    for opening in ["(", "not ("] {
      let nested = { (count: Int) in
        String(repeating: opening, count: count) + "a pr" + String(repeating: ")", count: count)
      }
      _ = try FilterParser.parse(nested(50), profile: .interop)
      #expect(throws: SCIMError.self) { try FilterParser.parse(nested(51), profile: .interop) }
    }
    let flat = Array(repeating: "(a pr)", count: 60).joined(separator: " and ")
    _ = try FilterParser.parse(flat, profile: .interop)

    let long = { (count: Int) in #"a eq ""# + String(repeating: "x", count: count - 7) + "\"" }
    _ = try FilterParser.parse(long(8192), profile: .interop)
    #expect(throws: SCIMError.self) { try FilterParser.parse(long(8193), profile: .interop) }
  }

  @Test(arguments: ["(", "not(", "a[", "[", ")", "\"", "\\", "'", "a eq ", "a pr and "])
  func `long runs of one thing are refused`(part: String) {
    for count in [5_000, 8_192 / part.utf8.count] {
      let text = String(repeating: part, count: count)
      let error = #expect(throws: SCIMError.self) { try FilterParser.parse(text, profile: .interop) }
      #expect(error?.kind == .invalidFilter)
    }
  }
}
