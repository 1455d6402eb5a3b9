import SCIMCore
import Testing

@Suite struct FilterResolverTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let filter: String
    let words: String
    var testDescription: String { "\(name): \(filter)" }

    init(_ name: String, _ filter: String, _ words: String) {
      self.name = name
      self.filter = filter
      self.words = words
    }
  }

  static let byAll = [
    Row("text is folded", #"title eq "ÉA""#, #"title eq "éa""#),
    Row("case-exact text is composed only", "code sw \"Ee\u{301}\"", #"code sw "Eé""#),
    Row("reference", #"link ew "/A""#, #"link ew "/A""#), Row("binary", #"blob co "Aa=""#, #"blob co "Aa=""#),
    Row("order of texts", #"title gt "B" and code le "B""#, #"(title gt "b" and code le "B")"#),
    Row("boolean", "on eq true or on ne false", "(on eq true or on ne false)"),
    Row("integer", "count ge -9", "count ge -9"), Row("integer with exponent", "count lt 1e3", "count lt 1000"),
    Row("integer at its bounds", "count le 9223372036854775807", "count le 9223372036854775807"),
    Row("integer with fraction: gt", "count gt 9.5", "count gt 9"),
    Row("integer with fraction: ge", "count ge 9.5", "count gt 9"),
    Row("integer with fraction: lt", "count lt 9.5", "count le 9"),
    Row("integer with fraction: le", "count le -9.5", "count le -10"),
    Row("integer with fraction: eq", "count eq 9.5", "none"), Row("integer with fraction: ne", "count ne 9.5", "all"),
    Row("beyond Int64: gt", "count gt 1e300", "none"),
    Row("beyond Int64: lt", "count lt 9223372036854775808", "count le 9223372036854775807"),
    Row("beyond Int64 below: ge", "count ge -1e999", "count ge -9223372036854775808"),
    Row("beyond Int64 below: le", "count le -1e300", "none"),
    Row("beyond Int64: eq", "count eq 1e999", "none"), Row("decimal", "weight gt 1.25", "weight gt 1.25d"),
    Row("decimal with an integer", "weight eq 9007199254740993", "weight eq 9007199254740993"),
    Row("time", #"made ge "2020-03-01T02:00:00+02:00""#, "made ge @1583020800000"),
    Row("meta", #"meta.created lt "1970-01-01T00:00:00.001Z""#, "meta.created lt @1"),
    Row("null", "title eq null and count ne null", "(title eq null and count ne null)"),
    Row("pr", "place pr", "place pr"),
    Row("pr of a sub-attribute", "place.x pr", "place.x pr"), Row("pr of a list", "parts pr", "parts pr"),
    Row("bare list stands for value", #"parts co "A""#, #"parts.value co "a""#),
    Row(
      "bare extension attribute stands for value", #"urn:x:widget:ext:boss eq "A""#,
      #"urn:x:Widget:ext:boss.value eq "A""#),
    Row("simple list", #"tags eq "A""#, #"tags eq "a""#), Row("list of integers", "sizes gt 3", "sizes gt 3"),
    Row("value path", #"parts[TYPE eq "W" and count gt 1]"#, #"parts[(parts.type eq "w" and parts.count gt 1)]"#),
    Row("value path on a single complex attribute", #"place[x gt 1]"#, "place[place.x gt 1]"),
    Row("value path on a simple list", #"tags[VALUE sw "a" or value pr]"#, #"tags[(tags sw "a" or tags pr)]"#),
    Row(
      "value path in an extension", #"urn:x:Widget:ext:boss[name pr]"#,
      "urn:x:Widget:ext:boss[urn:x:Widget:ext:boss.name pr]"),
    Row("primary true", "parts[primary eq true]", "parts[parts.primary eq true]"),
    Row("primary false is also absent", "parts[primary eq false]", "parts[parts.primary ne true]"),
    Row("primary ne false", "parts[primary ne false]", "parts[parts.primary eq true]"),
    Row("primary ne true", "parts[primary ne true]", "parts[parts.primary ne true]"),
    Row("some element is not primary", "parts.primary eq false", "parts[parts.primary ne true]"),
    Row("every element is primary", "parts.primary ne false", "not parts[parts.primary ne true]"),
    Row("no element is primary", "parts.primary ne true", "parts.primary ne true"),
    Row("and is flattened", "(title pr and code pr) and (count pr)", "(title pr and code pr and count pr)"),
    Row("or is flattened", "title pr or (code pr or count pr)", "(title pr or code pr or count pr)"),
    Row("not of eq", #"not (title eq "a")"#, #"title ne "a""#), Row("not of not", "not (not (title pr))", "title pr"),
    Row("constants go", "title pr and not (count eq 1.5) or count eq 1.5", "title pr"),
    Row("empty text", #"title eq "" or title co """#, #"(title eq "" or title co "")"#),
  ]

  @Test(arguments: byAll, Profile.allCases)
  func resolves(row: Row, profile: Profile) throws {
    #expect(try ResolvedFilter(parsing: row.filter, type: FilterFixtures.widget, profile: profile).words == row.words)
  }

  static let leniently = [
    Row("number against a text", "title eq 7", #"title eq "7""#),
    Row("digits stay as written", "title eq 1.50", #"title eq "1.50""#),
    Row("boolean against a text", "title eq true", #"title eq "true""#),
    Row("text against a boolean", #"on eq "True""#, "on eq true"),
    Row("word against a boolean", "on ne FALSE", "on ne false"),
    Row("text against an integer", #"count gt "9""#, "count gt 9"),
    Row("text against a decimal", #"weight gt "1.5""#, "weight gt 1.5d"),
    Row("primary as text", #"parts[primary eq "True"]"#, "parts[parts.primary eq true]"),
    Row(
      "name of one extension", #"only eq "A" and boss eq "B""#,
      #"(urn:x:Widget:ext:only eq "a" and urn:x:Widget:ext:boss.value eq "B")"#),
    Row(
      "sub-attribute behind brackets", #"parts[type eq "w"].count gt 1"#,
      #"parts[(parts.type eq "w" and parts.count gt 1)]"#),
  ]

  @Test(arguments: leniently)
  func `resolves leniently, and is refused strictly`(row: Row) throws {
    let type = FilterFixtures.widget
    #expect(try ResolvedFilter(parsing: row.filter, type: type, profile: .interop).words == row.words)
    #expect(try ResolvedFilter(parsing: row.filter, type: type, profile: .entra).words == row.words)
    let error = #expect(throws: SCIMError.self) {
      try ResolvedFilter(parsing: row.filter, type: type, profile: .strict)
    }
    #expect(error?.kind == .invalidFilter)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let filter: String
    let position: Int
    let reason: String
    var testDescription: String { filter }

    init(_ filter: String, _ position: Int, _ reason: String) {
      self.filter = filter
      self.position = position
      self.reason = reason
    }
  }

  static let refused = [
    Refusal(#"noSuch eq "v""#, 1, "Widget has no attribute 'noSuch'"),
    Refusal(#"title pr and NoSuch pr"#, 14, "no attribute 'NoSuch'"),
    Refusal("place.noSuch pr", 1, "no attribute 'place.noSuch'"),
    Refusal("parts[noSuch pr]", 7, "no attribute 'noSuch'"),
    Refusal("noSuch[title pr]", 1, "no attribute 'noSuch'"), Refusal("shared pr", 1, "no attribute 'shared'"),
    Refusal("urn:x:none:title pr", 1, "no attribute 'urn:x:none:title'"), Refusal("not (noSuch pr)", 6, "no attribute"),
    Refusal("on gt true", 1, "gt does not apply to 'on', which is of type boolean"),
    Refusal("on le false", 1, "le does not apply"),
    Refusal("on co true", 1, "co does not apply"), Refusal(#"blob gt "v""#, 1, "gt does not apply"),
    Refusal("count sw 1", 1, "sw does not apply"),
    Refusal("weight ew 1", 1, "ew does not apply"), Refusal(#"made sw "2020""#, 1, "sw does not apply"),
    Refusal(#"meta.created co "v""#, 1, "co does not apply"), Refusal(#"on eq "v""#, 7, "expected true or false"),
    Refusal("on eq 1", 7, "expected true or false"), Refusal(#"count eq "v7""#, 10, "expected a number"),
    Refusal("count eq true", 10, "expected a number"), Refusal(#"weight eq "0x10""#, 11, "expected a number"),
    Refusal("weight eq 1e999", 11, "too large"), Refusal(#"made gt "yesterday""#, 9, "date and time"),
    Refusal(#"made gt "2026-13-45T99:00:00Z""#, 9, "date and time"), Refusal("made ge 5", 9, "date and time"),
    Refusal("made eq true", 9, "date and time"), Refusal("title gt null", 10, "null is allowed only with eq and ne"),
    Refusal("on co null", 7, "null is allowed only"), Refusal(#"place eq "v""#, 1, "a sub-attribute must be named"),
    Refusal("meta gt 1", 1, "a sub-attribute must be named"),
    Refusal("place eq null", 1, "a sub-attribute must be named"),
    Refusal("title[value pr]", 1, "no elements"), Refusal("place.x[value pr]", 1, "no elements"),
    Refusal("parts.type[value pr]", 1, "no elements"), Refusal("tags[type pr]", 6, "no attribute 'type'"),
    Refusal("parts[parts.type pr]", 7, "no attribute 'parts.type'"),
    Refusal(#"secret eq "v""#, 1, "'secret' is never shown"), Refusal(#"secret ne "v""#, 1, "never shown"),
    Refusal("secret pr", 1, "never shown"), Refusal("secret gt true", 1, "never shown"),
    Refusal("secret eq null", 1, "never shown"), Refusal("not (secret pr)", 6, "never shown"),
    Refusal("title pr and not (secret pr)", 19, "never shown"), Refusal("parts[pin pr]", 7, "'pin' is never shown"),
    Refusal("not (parts.pin pr)", 6, "never shown"), Refusal("secret pr and noSuch pr", 1, "never shown"),
  ]

  @Test(arguments: refused)
  func `is refused with the position`(row: Refusal) throws {
    let error = try #require(throws: SCIMError.self) {
      try ResolvedFilter(parsing: row.filter, type: FilterFixtures.widget, profile: .interop)
    }
    #expect(error.kind == .invalidFilter)
    #expect(error.detail.contains("at character \(row.position): "), "\(error.detail)")
    #expect(error.detail.contains(row.reason), "\(error.detail)")
    #expect(!error.detail.contains("\"") && !error.detail.contains("yesterday"), "\(error.detail)")
  }

  @Test func `brackets hold no brackets, also where no parser has seen them`() {
    let inner = Filter.element(.init("parts"), .present(.init("type")))
    let error = #expect(throws: SCIMError.self) {
      try FilterResolver.resolve(.element(.init("parts"), inner), in: FilterFixtures.widget, profile: .interop)
    }
    #expect(error?.kind == .invalidFilter)
  }

  @Suite struct OverSeveralTypes {
    let types = [FilterFixtures.user, FilterFixtures.group]

    static let rows: [(String, user: String, group: String)] = [
      (#"externalId eq "X""#, #"externalId eq "X""#, #"externalId eq "X""#),
      (#"externalId eq "x" and userName pr"#, #"(externalId eq "x" and userName pr)"#, "none"),
      (#"userName ne "A""#, #"userName ne "a""#, "all"), ("not (userName pr)", "not userName pr", "all"),
      ("userName eq null", "userName eq null", "all"), ("userName ne null", "userName ne null", "none"),
      (#"members.value eq "1" or title pr"#, "title pr", #"members.value eq "1""#),
      (#"emails[type eq "A"]"#, #"emails[emails.type eq "a"]"#, "none"),
      (#"not (members[value eq "1"])"#, "all", #"not members[members.value eq "1"]"#),
      (#"meta.resourceType eq "Group""#, #"meta.resourceType eq "Group""#, #"meta.resourceType eq "Group""#),
    ]

    @Test(arguments: rows) func `an attribute that one type lacks has no value there`(
      row: (String, user: String, group: String)
    ) throws {
      let result = try FilterResolver.resolve(
        FilterParser.parse(row.0, profile: .interop), in: types, profile: .interop)
      #expect(result.map(\.type.name) == ["User", "Group"])
      #expect(result.map(\.filter.words) == [row.user, row.group])
    }

    @Test(arguments: [
      ("noSuch pr", 1), ("userName pr or noSuch pr", 16), ("emails[noSuch pr]", 8), ("noSuch[value pr]", 1),
      ("emails[display pr] and members[noSuch pr]", 32), ("active gt true", 1),
    ])
    func `what no type has is refused`(row: (filter: String, position: Int)) throws {
      let filter = try FilterParser.parse(row.filter, profile: .interop)
      for types in [types, types.reversed()] {
        let error = try #require(throws: SCIMError.self) {
          try FilterResolver.resolve(filter, in: types, profile: .interop)
        }
        #expect(error.kind == .invalidFilter)
        #expect(error.detail.contains("at character \(row.position): "), "\(error.detail)")
      }
    }

    @Test func `names that come from no text are told apart`() throws {
      let filter = Filter.and([.present(.init("userName")), .present(.init("members"))])
      let result = try FilterResolver.resolve(filter, in: types, profile: .interop)
      #expect(result.map(\.filter.words) == ["none", "none"])
    }
  }
}
