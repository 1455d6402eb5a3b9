import SCIMCore
import Testing

@Suite struct FilterEvaluatorTests {
  static let widget = FilterFixtures.object([
    "schemas": ["urn:x:Widget", "urn:x:Widget:ext"], "id": "7", "title": "Straße Émile", "code": "Ab", "count": 10,
    "weight": 1.5, "on": true, "made": "2020-03-01T00:00:00.000Z", "blob": "QUI=", "link": "https://x/A",
    "tags": ["Red", "blue", ""], "sizes": [3, 9],
    "place": ["x": 1, "name": ""],
    "parts": [
      ["value": "a@x", "type": "work", "count": 2, "primary": true, "labels": ["L1", "L2"]],
      ["value": "b@x", "type": "home", "count": 5, "weight": 2], ["value": "c@x", "primary": false],
    ],
    "meta": ["created": "2021-01-01T00:00:00.500Z", "version": "W/\"3\""],
    "urn:x:Widget:ext": ["only": "One", "title": "other", "boss": ["value": "B1"]],
  ])

  static let matching = [
    // Letter case and composition.
    #"title eq "straße éMILE""#, "title eq \"straße e\u{301}mile\"", #"title sw "STRAß""#, #"title co "E É""#,
    #"title ew "ILE""#,
    #"code eq "Ab""#, #"not (code eq "ab")"#, #"code ne "AB""#, #"not (code co "B")"#, #"title co """#, #"code sw """#,
    #"code ew """#,
    // Order of texts: code points, folded where case does not count.
    #"title gt "STRASSE""#, #"title lt "t""#, #"title ge "straße émile""#, #"title le "STRAßE ÉMILE""#,
    #"code lt "aa""#, #"code gt "AZ""#,
    #"not (code gt "Ab")"#, #"code lt "Abc""#, #"title lt "\ud83d\ude00""#,
    // Numbers by value.
    "count gt 9", "count eq 10", "count eq 10.0", "count ge 9.5", "count lt 10.5", "count ne 10.5",
    "not (count eq 9.5)",
    "weight eq 1.5", "weight gt 1", "weight lt 2", "weight gt 1.4999", "weight le 1.5", "weight ne 1",
    "sizes eq 9", "sizes gt 8", "not (sizes gt 9)", "sizes lt 4 and sizes gt 4",
    // Booleans, binary, references.
    "on eq true", "on ne false", #"blob eq "QUI=""#, #"not (blob eq "qui=")"#, #"link ew "/A""#, #"not (link ew "/a")"#,
    // Times as instants.
    #"made eq "2020-03-01T02:00:00+02:00""#, #"made ge "2020-03-01T00:00:00Z""#,
    #"made lt "2020-02-29T19:00:00.001-05:00""#,
    #"made gt "2020-02-29T23:59:59.999Z""#, #"meta.created gt "2021-01-01T00:00:00Z""#, #"meta.version eq "W/\"3\"""#,
    // Lists.
    #"tags eq "RED""#, #"tags eq "blue" and tags eq "red""#, #"tags ne "green""#, #"not (tags ne "red")"#,
    #"tags[value eq "red"]"#,
    #"not (tags[value eq "red" and value eq "blue"])"#, #"tags[value ne "red"]"#, #"tags eq """#,
    #"parts.type eq "work" and parts.value eq "b@x""#, #"not (parts[type eq "work" and value eq "b@x"])"#,
    #"parts[type eq "HOME" and count gt 4]"#, #"parts[not (type pr)]"#, #"parts[type ne "work" and type ne "home"]"#,
    #"parts ew "@X""#, #"not (parts.value ne "a@x")"#, #"parts.value ne "z@x""#, #"parts[weight eq 2.0]"#,
    #"parts[labels eq "l2"]"#,
    #"parts[labels ne "l3" and type eq "work"]"#, #"not (parts[labels ne "l2" and type eq "work"])"#,
    #"parts[primary eq true and type eq "work"]"#, #"parts[primary eq false and type eq "home"]"#,
    #"parts[primary eq false and value eq "c@x"]"#, "parts.primary eq false", "not (parts.primary ne false)",
    #"not (parts[primary eq false and type eq "work"])"#,
    // Presence.
    "title pr", "on pr", "count pr", "tags pr", "parts pr", "place pr", "parts.labels pr", "parts[labels pr]",
    "place[x pr]",
    "not (place.name pr)", "not (tags[value pr and value eq \"\"])", "not (place[name pr])", "meta pr",
    "urn:x:Widget:ext:boss pr",
    // null.
    "place.name ne null", "title ne null", "tags ne null", "parts[type eq null]", "parts[weight ne null]",
    "parts.weight ne null",
    "urn:x:Widget:ext:boss.name eq null", "urn:x:Widget:ext:deep:low eq null",
    // Homes.
    #"id eq "7""#, #"schemas eq "urn:x:Widget:ext""#, #"only eq "one""#, #"urn:x:Widget:ext:title eq "OTHER""#,
    #"not (title eq "other")"#, #"boss eq "B1""#, #"not (boss eq "b1")"#, #"urn:x:Widget:ext:boss[value sw "B"]"#,
    // Absent attributes.
    #"urn:x:Widget:ext:deep:low ne "x""#, #"not (urn:x:Widget:ext:deep:low eq "x")"#,
    "not (urn:x:Widget:ext:deep:low pr)",
    #"not (urn:x:Widget:ext:deep:low le "x")"#, #"place[x eq 1 and not (name pr)]"#,
    // Precedence.
    #"id eq "7" or id eq "8" and id eq "9""#, #"not (id eq "8") and id eq "7""#,
    #"not ((id eq "7" or id eq "8") and id eq "9")"#,
  ]

  @Test(arguments: matching)
  func `matches, and its negation does not`(filter: String) throws {
    let resolve = { try ResolvedFilter(parsing: $0, type: FilterFixtures.widget, profile: .interop) }
    #expect(FilterEvaluator.matches(try resolve(filter), resource: Self.widget))
    #expect(!FilterEvaluator.matches(try resolve("not (\(filter))"), resource: Self.widget))
  }

  @Test(arguments: [
    ("null", #"{"title":null}"#), ("empty list", #"{"tags":[],"title":[]}"#),
    ("list of null", #"{"tags":[null],"title":[null]}"#),
    ("empty text", #"{"title":"","tags":[""]}"#), ("empty object", #"{"place":{},"parts":[{}]}"#),
    ("object of empties", #"{"place":{"name":"","x":null},"parts":[{"value":"","labels":[]},{"labels":[""]}]}"#),
    ("nothing", "{}"),
  ])
  func `what is empty is not present`(row: (name: String, document: String)) throws {
    let document = try #require(try JSON(parsing: Array(row.document.utf8)).objectValue)
    for name in ["title", "tags", "place", "place.name", "place.x", "parts", "parts.value", "parts.labels"] {
      let filter = try ResolvedFilter(parsing: "\(name) pr", type: FilterFixtures.widget, profile: .interop)
      #expect(!FilterEvaluator.matches(filter, resource: document), "\(name)")
    }
  }

  @Test(arguments: [
    "title eq \"7\"", "count eq 7", "on eq true", "made ge \"1970-01-01T00:00:00Z\"", "tags eq \"x\"", "parts eq \"x\"",
    "parts[value eq \"x\"]", "only eq \"x\"",
  ])
  func `values of another type match nothing`(filter: String) throws {
    let document = FilterFixtures.object([
      "title": 7, "count": "7", "on": "true", "made": "soon", "tags": ["x": "x"], "parts": "x", "urn:x:Widget:ext": "x",
    ])
    let resolved = try ResolvedFilter(parsing: filter, type: FilterFixtures.widget, profile: .interop)
    #expect(!FilterEvaluator.matches(resolved, resource: document))
  }

  @Test func `integers and doubles are compared exactly`() {
    let weight = AttributeReference(home: .core, attribute: AttributeDefinition(name: "weight", type: .decimal))
    let rows: [(JSON, FilterOperand, Order)] = [
      (.integer(9_007_199_254_740_993), .decimal(9_007_199_254_740_992), .greater),
      (.integer(9_007_199_254_740_993), .decimal(9_007_199_254_740_994), .less),
      (.double(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .less),
      (.integer(.max), .decimal(9_223_372_036_854_775_808), .less),
      (.integer(.min), .decimal(-9_223_372_036_854_775_808), .equal),
      (.integer(.min), .decimal(-1e300), .greater), (.double(1e300), .integer(.max), .greater),
      (.integer(-1), .decimal(-0.5), .less),
      (.integer(0), .decimal(-0.5), .greater), (.integer(0), .decimal(-0.0), .equal),
      (.double(-0.0), .integer(0), .equal),
      (.integer(2), .decimal(2.5), .less), (.double(2.5), .integer(2), .greater), (.double(1.5), .decimal(1.5), .equal),
    ]
    for (value, operand, order) in rows {
      let holding = ComparisonOperator.allCases.filter {
        FilterEvaluator.matches(.compare(weight, $0, operand), resource: FilterFixtures.object(["weight": value]))
      }
      #expect(holding == order.operators, "\(value) \(operand)")
    }
  }

  enum Order {
    case less, equal, greater

    var operators: [ComparisonOperator] {
      switch self {
      case .less: [.ne, .lt, .le]
      case .equal: [.eq, .ge, .le]
      case .greater: [.ne, .gt, .ge]
      }
    }
  }

  @Test func `co finds what a naive search finds`() throws {
    var generator = FilterGenerator(seed: 7)
    let code = AttributeReference(home: .core, attribute: AttributeDefinition(name: "code", isCaseExact: true))
    var found = 0
    for number in 0..<2_000 {
      // Some so long that they are searched in another way.
      let isLong = number % 10 == 0
      let text = String(repeating: "ab", count: isLong ? 400 : 0) + generator.word(of: "ab", upTo: 12)
      let wanted = String(repeating: "ba", count: isLong ? 3 : 0) + generator.word(of: "ab", upTo: 5)
      let naive = (0...text.count).contains { text.dropFirst($0).hasPrefix(wanted) }
      if naive { found += 1 }
      #expect(
        FilterEvaluator.matches(
          .compare(code, .co, .text(wanted)), resource: FilterFixtures.object(["code": .string(text)])) == naive,
        "\(text) co \(wanted)")
    }
    #expect(found > 200 && found < 1_900)
  }

  @Test func `an element is matched on its own`() throws {
    let path = try PatchPath.parse(
      #"parts[type eq "work" and not (count gt 3)]"#, type: FilterFixtures.widget, profile: .interop)
    let filter = try #require(path.filter)
    #expect(FilterEvaluator.matches(filter, element: ["type": "Work", "count": 3]))
    #expect(FilterEvaluator.matches(filter, element: ["type": "work"]))
    #expect(!FilterEvaluator.matches(filter, element: ["type": "work", "count": 4]))
    #expect(!FilterEvaluator.matches(filter, element: ["count": 3]))

    let tags = try PatchPath.parse(#"tags[value sw "r"]"#, type: FilterFixtures.widget, profile: .interop)
    let simple = try #require(tags.filter)
    #expect(FilterEvaluator.matches(simple, element: "Red"))
    #expect(!FilterEvaluator.matches(simple, element: "blue"))
  }
}
