import Testing

@testable import SCIMCore

struct ValueNormalizerTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let attribute: String
    let sent: JSON
    /// nil: unassigned.
    let interop: Result<JSON?, SCIMError>
    let strict: Result<JSON?, SCIMError>

    init(_ name: String, _ attribute: String, _ sent: JSON, _ expected: JSON?) {
      self.init(name, attribute, sent, interop: .success(expected), strict: .success(expected))
    }

    /// Refused by both.
    init(_ name: String, _ attribute: String, _ sent: JSON, refused detail: String) {
      let error = Result<JSON?, SCIMError>.failure(SCIMError(.invalidValue, detail))
      self.init(name, attribute, sent, interop: error, strict: error)
    }

    /// Taken by lenient profiles alone.
    init(
      _ name: String, _ attribute: String, _ sent: JSON, lenient: JSON?, strict detail: String,
      kind: SCIMError.Kind = .invalidValue
    ) {
      self.init(
        name, attribute, sent, interop: .success(lenient), strict: .failure(SCIMError(kind, detail)))
    }

    private init(
      _ name: String, _ attribute: String, _ sent: JSON, interop: Result<JSON?, SCIMError>,
      strict: Result<JSON?, SCIMError>
    ) {
      self.name = name
      self.attribute = attribute
      self.sent = sent
      self.interop = interop
      self.strict = strict
    }

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row("text", "title", "Lead", "Lead"),
    Row("text stays as sent", "title", "  Zoë\u{301}\n ", "  Zoë\u{301}\n "),
    Row("empty text is a value", "title", "", ""),
    Row("null is unassigned", "title", nil, nil),
    Row("empty list is unassigned, single", "title", [], nil),
    Row("empty list is unassigned, list", "emails", [], nil),
    Row("number for text", "title", 7, refused: "'title' must be a string."),
    Row("object for text", "title", ["text": "Lead"], refused: "'title' must be a string."),
    Row("list for a single value", "title", ["a", "b"], refused: "'title' must be a string."),
    Row("list of one for a single value", "title", ["a"], lenient: "a", strict: "'title' must be a string."),
    Row("list of a list for a single value", "title", [["a"]], refused: "'title' must be a string."),

    Row("boolean", "active", true, true),
    Row("boolean as text", "active", "True", lenient: true, strict: "'active' must be true or false."),
    Row("boolean as shouted text", "active", "FALSE", lenient: false, strict: "'active' must be true or false."),
    Row("word for boolean", "active", "maybe", refused: "'active' must be true or false."),
    Row("number for boolean", "active", 1, refused: "'active' must be true or false."),

    Row("integer", "level", 7, 7),
    Row("integer as text", "level", "-7", lenient: -7, strict: "'level' must be an integer."),
    Row("word for integer", "level", "seven", refused: "'level' must be an integer."),
    Row("empty text for integer", "level", "", refused: "'level' must be an integer."),
    Row("fraction for integer", "level", 1.5, refused: "'level' must be an integer."),
    Row("whole double for integer", "level", 7.0, refused: "'level' must be an integer."),
    Row("fraction as text for integer", "level", "1.5", refused: "'level' must be an integer."),
    Row("boolean for integer", "level", true, refused: "'level' must be an integer."),
    Row("too great for 64 bits", "level", "9223372036854775808", refused: "'level' must be an integer."),

    Row("decimal", "score", 1.25, 1.25),
    Row("integer for decimal", "score", 2, 2),
    Row("decimal as text", "score", "1.25", lenient: 1.25, strict: "'score' must be a number."),
    Row("integer as text for decimal", "score", "3", lenient: 3, strict: "'score' must be a number."),
    Row("nan for decimal", "score", "nan", refused: "'score' must be a number."),
    Row("hexadecimal for decimal", "score", "0x10", refused: "'score' must be a number."),
    Row("beyond double for decimal", "score", "1e999", refused: "'score' must be a number."),

    Row("dateTime stays as sent", "joined", "2026-01-31T09:30:00+02:00", "2026-01-31T09:30:00+02:00"),
    Row(
      "date for dateTime", "joined", "2026-01-31",
      refused: "'joined' must be a dateTime such as 2026-01-31T09:30:00Z."),
    Row(
      "number for dateTime", "joined", 1_700_000_000,
      refused: "'joined' must be a dateTime such as 2026-01-31T09:30:00Z."),
    Row("reference", "profileUrl", "https://acme.example/a", "https://acme.example/a"),
    Row("number for reference", "profileUrl", 7, refused: "'profileUrl' must be a URI as a string."),

    Row("complex", "name", ["givenName": "Ada"], ["givenName": "Ada"]),
    Row(
      "names in any case, in schema order", "name", ["GIVENNAME": "Ada", "Familyname": "Berg"],
      ["familyName": "Berg", "givenName": "Ada"]),
    Row("complex without content", "name", ["givenName": nil], nil),
    Row("empty complex", "name", [:], nil),
    Row("empty text inside complex is a value", "name", ["givenName": ""], ["givenName": ""]),
    Row("text for a complex without value", "name", "Ada Berg", refused: "'name' must be an object."),
    Row(
      "list of one for a single complex", "name", [["givenName": ["Ada"]]], lenient: ["givenName": "Ada"],
      strict: "'name' must be an object."),
    Row("list of two for a single complex", "name", [["givenName": "Ada"], [:]], refused: "'name' must be an object."),
    Row("wrong type inside complex", "name", ["givenName": 7], refused: "'name.givenName' must be a string."),
    Row(
      "unknown sub-attribute", "name", ["givenName": "Ada", "nick": "A"], lenient: ["givenName": "Ada"],
      strict: "'name' has no sub-attribute 'nick'.", kind: .invalidSyntax),

    Row("manager", "manager", ["value": "26"], ["value": "26"]),
    Row("manager drops readOnly", "manager", ["value": "26", "displayName": 7], ["value": "26"]),
    Row("manager as text", "manager", "26", lenient: ["value": "26"], strict: "'manager' must be an object."),
    Row("manager as empty text", "manager", "", lenient: nil, strict: "'manager' must be an object."),
    Row("manager with empty value", "manager", ["value": ""], nil),
    Row("manager with empty value and readOnly name", "manager", ["value": "", "displayName": "A"], nil),
    Row("manager with empty value and $ref", "manager", ["value": "", "$ref": ""], nil),
    Row("manager null", "manager", nil, nil),
    Row("empty value beside content stays", "origin", ["source": "hr", "value": ""], ["source": "hr", "value": ""]),

    Row(
      "list of complex", "emails", [["type": "work", "value": "a@acme.example"]],
      [["value": "a@acme.example", "type": "work"]]),
    Row(
      "one object for a list", "emails", ["value": "a@acme.example"], lenient: [["value": "a@acme.example"]],
      strict: "'emails' must be an array."),
    Row(
      "text for a list", "emails", "a@acme.example", lenient: [["value": "a@acme.example"]],
      strict: "'emails' must be an array."),
    Row(
      "text elements", "emails", ["a@acme.example"], lenient: [["value": "a@acme.example"]],
      strict: "'emails' must be an object."),
    Row("element of nulls is dropped", "emails", [["value": nil], nil, [:], ["value": "a"]], [["value": "a"]]),
    Row("only empty elements", "emails", [["value": nil], nil], nil),
    Row(
      "equal elements once", "emails", [["value": "a"], ["value": "b"], ["VALUE": "a"]],
      [["value": "a"], ["value": "b"]]),
    Row(
      "elements that differ stay", "emails", [["value": "a", "type": "work"], ["value": "a"]],
      [["value": "a", "type": "work"], ["value": "a"]]),
    Row("number element", "emails", [7], refused: "'emails' must be an object."),
    Row("nested list", "emails", [[["value": "a"]]], refused: "'emails' must be an object."),
    Row(
      "primary as text", "emails", [["value": "a", "primary": "True"]], lenient: [["value": "a", "primary": true]],
      strict: "'emails.primary' must be true or false."),

    Row("simple list", "tags", ["a", "b", "a"], ["a", "b"]),
    Row("simple list with null", "tags", ["a", nil], ["a"]),
    Row("one text for a simple list", "tags", "a", lenient: ["a"], strict: "'tags' must be an array."),
    Row("number in a simple list", "tags", ["a", 7], refused: "'tags' must be a string."),
    Row("list inside an element", "desks", [["room": "1", "phones": ["7"]]], [["room": "1", "phones": ["7"]]]),
    Row(
      "canonical values are no law", "emails", [["value": "a", "type": "yacht"]], [["value": "a", "type": "yacht"]]),

    Row("base64", "x509Certificates", [["value": "TUlJQg=="]], [["value": "TUlJQg=="]]),
    Row("base64 without padding", "x509Certificates", [["value": "TUlJQg"]], [["value": "TUlJQg"]]),
    Row(
      "base64 with a stray sign", "x509Certificates", [["value": "TUlJ-g=="]],
      refused: "'x509Certificates.value' must be base64 text."),
    Row(
      "base64 with too much padding", "x509Certificates", [["value": "TUlJ="]],
      refused: "'x509Certificates.value' must be base64 text."),
    Row(
      "base64 of an impossible length", "x509Certificates", [["value": "TUlJQ"]],
      refused: "'x509Certificates.value' must be base64 text."),
    Row(
      "readOnly attribute keeps its sub-attributes", "groups", [["value": "7", "type": "direct"]],
      [["value": "7", "type": "direct"]]),
  ]

  @Test(arguments: rows) func interop(_ row: Row) throws {
    try expect(row, .interop, row.interop)
    try expect(row, .entra, row.interop)
  }

  @Test(arguments: rows) func strict(_ row: Row) throws {
    try expect(row, .strict, row.strict)
  }

  private func expect(_ row: Row, _ profile: Profile, _ expected: Result<JSON?, SCIMError>) throws {
    let definition = try #require(Fixture.attribute(row.attribute))
    let got = Result<JSON?, SCIMError> { () throws(SCIMError) in
      try ValueNormalizer.normalize(row.sent, as: definition, path: row.attribute, profile: profile)
    }
    #expect(got == expected)
  }

  @Test("An error never repeats the value, and shortens names")
  func errorsHideValues() throws {
    let name = String(repeating: "n", count: 500)
    let definition = try #require(Fixture.attribute("name"))
    #expect(throws: SCIMError(.invalidSyntax, "'name' has no sub-attribute '\(name.prefix(60))…'.")) {
      try ValueNormalizer.normalize(
        .object(JSONObject([JSONObject.Member(key: name, value: "secret")])), as: definition, path: "name",
        profile: .strict)
    }
  }

  @Test("One attribute under two spellings is refused")
  func twice() throws {
    let definition = try #require(Fixture.attribute("name"))
    #expect(throws: SCIMError(.invalidSyntax, "'name.GivenName' is given twice.")) {
      try ValueNormalizer.normalize(
        ["givenName": "Ada", "GivenName": "Bo"], as: definition, path: "name", profile: .interop)
    }
  }
}
