import SCIMCore
import Testing

struct ResourceValidatorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    var type = Fixture.user
    let document: JSON
    var links: [String: [JSON]] = [:]
    /// nil: nothing to complain about.
    var error: String?
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(name: "all that is required", document: ["userName": "ada"]),
    Row(name: "required missing", document: ["title": "x"], error: "'userName' is required and must have a value."),
    Row(name: "required empty", document: ["userName": ""], error: "'userName' is required and must have a value."),
    Row(name: "required blank", document: ["userName": " \t"], error: "'userName' is required and must have a value."),
    Row(
      name: "required blank beyond ASCII", document: ["userName": "\u{A0}\u{3000}"],
      error: "'userName' is required and must have a value."),
    Row(
      name: "required invisible", document: ["userName": "\u{200B}\u{2060}"],
      error: "'userName' is required and must have a value."
    ),
    Row(name: "required with blanks", document: ["userName": " a "]),
    Row(name: "blank where nothing is required", document: ["userName": "ada", "title": " "]),
    Row(
      name: "required sub-attribute blank", document: ["userName": "ada", own: ["desks": [["room": " "]]]],
      error: "'\(own):desks.room' is required and must have a value."),
    Row(name: "what the server sets is not looked for", type: Fixture.license, document: ["displayName": "Seat"]),
    Row(
      name: "required in an extension that is there", type: Fixture.license,
      document: ["displayName": "Seat", Fixture.countedURN: ["totalAssignmentsPermitted": 7]],
      error: "'\(Fixture.countedURN):value' is required and must have a value."),
    Row(
      name: "required extension missing", type: Fixture.badge, document: ["displayName": "x"],
      error: "The extension 'urn:example:Colour' is required."),
    Row(name: "required extension there", type: Fixture.badge, document: ["urn:example:Colour": ["colour": "red"]]),
    Row(
      name: "required sub-attribute", document: ["userName": "ada", own: ["desks": [["room": "1"], ["floor": 2]]]],
      error: "'\(own):desks.room' is required and must have a value."),
    Row(
      name: "one primary",
      document: ["userName": "ada", "emails": [["primary": true], ["primary": false], ["value": "x"]]]
    ),
    Row(
      name: "two primaries", document: ["userName": "ada", "emails": [["primary": true], ["primary": true]]],
      error: "'emails' may have only one primary value."),
    Row(
      name: "two primaries in an extension",
      document: [
        "userName": "ada", own: ["desks": [["room": "1", "primary": true], ["room": "2", "primary": true]]],
      ], error: "'\(own):desks' may have only one primary value."),
    Row(
      name: "two primaries among links", document: ["userName": "ada"],
      links: ["entitlements": [["value": "a", "primary": true], ["value": "b", "primary": true]]],
      error: "'entitlements' may have only one primary value."),
    Row(
      name: "a linked and an unlinked primary",
      document: ["userName": "ada", "entitlements": [["value": "a", "primary": true]]],
      links: ["entitlements": [["value": "b", "primary": true]]],
      error: "'entitlements' may have only one primary value."),
  ]

  @Test(arguments: rows) func validates(_ row: Row) throws {
    let document = try #require(row.document.objectValue)
    let links = row.links.mapValues { $0.compactMap(\.objectValue) }
    let got = Result<Void, SCIMError> { () throws(SCIMError) in
      try ResourceValidator.validate(document: document, links: links, type: row.type)
    }
    if let detail = row.error {
      #expect(throws: SCIMError(.invalidValue, detail)) { try got.get() }
    } else {
      #expect(throws: Never.self) { try got.get() }
    }
  }

  static let changes: [(String, JSON, JSON, String?)] = [
    ("set once", ["level": 1], ["birthName": "Berg"], nil),
    ("repeated", ["birthName": "Berg"], ["birthName": "Berg", "level": 2], nil),
    ("changed", ["birthName": "Berg"], ["birthName": "Ulm"], "birthName"),
    ("another letter case", ["birthName": "Berg"], ["birthName": "BERG"], "birthName"),
    ("removed", ["birthName": "Berg"], ["level": 1], "birthName"),
    ("sub-attribute set once", ["origin": ["value": "x"]], ["origin": ["source": "hr", "value": "y"]], nil),
    ("sub-attribute changed", ["origin": ["source": "hr"]], ["origin": ["source": "it"]], "origin.source"),
    ("sub-attribute gone with its whole", ["origin": ["source": "hr"]], ["level": 1], "origin.source"),
  ]

  @Test(arguments: changes) func immutable(_ name: String, _ old: JSON, _ new: JSON, _ path: String?) {
    let old = JSONObject([JSONObject.Member(key: own, value: old)])
    let new = JSONObject([JSONObject.Member(key: own, value: new)])
    let got = Result<Void, SCIMError> { () throws(SCIMError) in
      try ResourceValidator.checkImmutable(old: old, new: new, type: Fixture.user)
    }
    if let path {
      let detail = "'\(own):\(path)' cannot be changed once it has a value."
      #expect(throws: SCIMError(.mutability, detail)) { try got.get() }
    } else {
      #expect(throws: Never.self) { try got.get() }
    }
  }
}

private let own = Fixture.ownURN
