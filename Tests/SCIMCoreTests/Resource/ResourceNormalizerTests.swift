import SCIMCore
import Testing

struct ResourceNormalizerTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    var type = Fixture.user
    let body: JSON
    let document: JSON
    var links: [String: [JSONObject]] = [:]
    var password: String?
    /// What `strict` says; nil: the same as the others.
    var strict: SCIMError?
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "schema order and spelling", body: ["TITLE": "Lead", "USERNAME": "ada", "Schemas": [u], "externalID": "7"],
      document: ["schemas": [u], "externalId": "7", "userName": "ada", "title": "Lead"]),
    Row(
      name: "what the server owns is ignored",
      body: [
        "schemas": [u], "id": "x", "meta": ["created": 7], "userName": "ada", "groups": [["value": "g"]],
      ], document: ["schemas": [u], "userName": "ada"]),
    Row(
      name: "nulls and empty lists are absent",
      body: ["schemas": [u], "userName": "ada", "title": nil, "emails": [], "name": ["givenName": nil]],
      document: ["schemas": [u], "userName": "ada"]),
    Row(
      name: "an extension under its URN in another case",
      body: [
        "schemas": [.string(Fixture.userURN.uppercased())], Fixture.enterpriseURN.uppercased(): ["Department": "Ops"],
      ],
      document: ["schemas": [u, .string(e)], e: ["department": "Ops"]]),
    Row(
      name: "an extension in schemas without content", body: ["schemas": [u, .string(e)], "userName": "ada", e: [:]],
      document: ["schemas": [u], "userName": "ada"]),
    Row(
      name: "an extension of nulls", body: ["schemas": [u, .string(e)], "userName": "ada", e: ["department": nil]],
      document: ["schemas": [u], "userName": "ada"]),
    Row(
      name: "extensions in the type's order",
      body: [
        "schemas": [.string(o), u, .string(e)], o: ["level": 7], e: ["manager": ["value": "26", "displayName": "Bo"]],
      ],
      document: ["schemas": [u, .string(e), .string(o)], e: ["manager": ["value": "26"]], o: ["level": 7]]),
    Row(
      name: "the password stands apart", body: ["schemas": [u], "userName": "ada", "Password": "hush"],
      document: ["schemas": [u], "userName": "ada"], password: "hush"),
    Row(
      name: "links stand apart",
      body: [
        "schemas": [u], "entitlements": [["Type": "License", "value": "l1"], ["value": "l2", "primary": true]],
      ],
      document: ["schemas": [u]],
      links: [
        "entitlements": [object(["value": "l1", "type": "License"]), object(["value": "l2", "primary": true])]
      ]),
    Row(
      name: "an empty list of links is one that was sent", type: Fixture.group,
      body: ["schemas": [g], "displayName": "Team", "members": []],
      document: ["schemas": [g], "displayName": "Team"], links: ["members": []]),
    Row(
      name: "the type of an entitlement is the server's", type: Fixture.license,
      body: ["schemas": [.string(Fixture.entitlementURN)], "id": "l1", "displayName": "Seat", "type": "Other"],
      document: ["schemas": [.string(Fixture.entitlementURN)], "displayName": "Seat", "type": "License"]),
    Row(
      name: "a counted attribute is ignored", type: Fixture.license,
      body: [
        "schemas": [.string(Fixture.entitlementURN), .string(Fixture.countedURN)], "displayName": "Seat",
        Fixture.countedURN: ["value": "s", "totalAssignmentsUsed": 3, "totalAssignmentsPermitted": 5],
      ],
      document: [
        "schemas": [.string(Fixture.entitlementURN), .string(Fixture.countedURN)], "displayName": "Seat",
        "type": "License", Fixture.countedURN: ["value": "s", "totalAssignmentsPermitted": 5],
      ]),
    Row(
      name: "unknown attribute", body: ["schemas": [u], "userName": "ada", "shoeSize": 42],
      document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidSyntax, "User has no attribute 'shoeSize'; \(define)")),
    Row(
      name: "unknown URN in schemas", body: ["schemas": [u, "urn:x"], "userName": "ada"],
      document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidSyntax, unknownURN("urn:x"))),
    Row(
      name: "unknown extension", body: ["schemas": [u], "userName": "ada", "urn:x": ["a": 1]],
      document: ["schemas": [u], "userName": "ada"], strict: SCIMError(.invalidSyntax, unknownURN("urn:x"))),
    Row(
      name: "unknown attribute of an extension", body: ["schemas": [u], e: ["department": "Ops", "x": 1]],
      document: ["schemas": [u, .string(e)], e: ["department": "Ops"]],
      strict: SCIMError(.invalidSyntax, "'\(Fixture.enterpriseURN)' has no attribute 'x'.")),
    Row(
      name: "an extension's attribute at the top is unknown there",
      body: ["schemas": [u], "userName": "ada", "department": "Ops"], document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidSyntax, "User has no attribute 'department'; it belongs to the extension '\(e)'.")),
    Row(
      name: "a name with its URN",
      body: ["schemas": [u], "\(e):Department": "Ops", "\(Fixture.userURN):userName": "ada"],
      document: ["schemas": [u, .string(e)], "userName": "ada", e: ["department": "Ops"]],
      strict: SCIMError(.invalidSyntax, "User has no attribute '\(cut("\(e):Department"))'.")),
    Row(
      name: "core attributes under the base URN", body: ["schemas": [u], Fixture.userURN: ["userName": "ada"]],
      document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidSyntax, "User has no attribute '\(Fixture.userURN)'.")),
    Row(
      name: "schemas inside an extension", body: ["schemas": [u], e: ["schemas": [.string(e)], "department": "Ops"]],
      document: ["schemas": [u, .string(e)], e: ["department": "Ops"]]),
    Row(
      name: "an extension that schemas does not list", body: ["schemas": [u], e: ["department": "Ops"]],
      document: ["schemas": [u, .string(e)], e: ["department": "Ops"]]),
    Row(
      name: "an extension that schemas lists in another letter case",
      body: ["schemas": [u, .string(e.uppercased())], e: ["department": "Ops"]],
      document: ["schemas": [u, .string(e)], e: ["department": "Ops"]]),
    Row(
      name: "an extension without content need not be listed", body: ["schemas": [u], "userName": "ada", e: nil],
      document: ["schemas": [u], "userName": "ada"]),
    Row(
      name: "a URN twice in schemas", body: ["schemas": [u, u], "userName": "ada"],
      document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidValue, "'schemas' must contain '\(Fixture.userURN)' only once.", attribute: "schemas")),
    Row(
      name: "no schemas", body: ["userName": "ada"], document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidValue, "'schemas' must be an array that contains '\(Fixture.userURN)'.")),
    Row(
      name: "empty schemas", body: ["schemas": [], "userName": "ada"],
      document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidValue, "'schemas' must contain '\(Fixture.userURN)'.")),
    Row(
      name: "a dot behind a URN",
      body: ["schemas": [u], "\(e).department": "Ops", "\(Fixture.userURN).userName": "ada"],
      document: ["schemas": [u, .string(e)], "userName": "ada", e: ["department": "Ops"]],
      strict: SCIMError(.invalidSyntax, "User has no attribute '\(cut("\(e).department"))'.")),
    Row(
      name: "schemas as one text", body: ["schemas": u, "userName": "ada"],
      document: ["schemas": [u], "userName": "ada"],
      strict: SCIMError(.invalidValue, "'schemas' must be an array that contains '\(Fixture.userURN)'.")),
  ]

  static let refused: [(String, JSON, SCIMError)] = [
    ("a list", [], SCIMError(.invalidSyntax, "The body must be a JSON object.")),
    ("null", nil, SCIMError(.invalidSyntax, "The body must be a JSON object.")),
    (
      "schemas of numbers", ["schemas": [u, 7]],
      SCIMError(.invalidValue, "'schemas' must be an array that contains '\(Fixture.userURN)'.")
    ),
    ("another base", ["schemas": [g]], SCIMError(.invalidValue, "'schemas' must contain '\(Fixture.userURN)'.")),
    (
      "a text for an extension", ["schemas": [u], e: "Ops"],
      SCIMError(.invalidValue, "'\(Fixture.enterpriseURN)' must be an object.")
    ),
    (
      "a wrong type in an extension", ["schemas": [u], e: ["department": 7]],
      SCIMError(.invalidValue, "'\(Fixture.enterpriseURN):department' must be a string.")
    ),
    (
      "a wrong password", ["schemas": [u], "password": 7],
      SCIMError(.invalidValue, "'password' must be a string.")
    ),
    (
      "an attribute by two names", ["schemas": [u], "userName": "a", "\(Fixture.userURN):userName": "b"],
      SCIMError(.invalidSyntax, "'userName' is given twice.")
    ),
  ]

  @Test(arguments: rows) func interop(_ row: Row) throws {
    let got = try ResourceNormalizer.normalize(row.body, type: row.type, profile: .interop)
    #expect(text(got.document) == row.document.objectValue.map(text))
    #expect(got.links == row.links)
    #expect(got.password == row.password)
  }

  @Test(arguments: rows) func strict(_ row: Row) throws {
    if let error = row.strict {
      #expect(throws: error) { try ResourceNormalizer.normalize(row.body, type: row.type, profile: .strict) }
    } else {
      let got = try ResourceNormalizer.normalize(row.body, type: row.type, profile: .strict)
      #expect(text(got.document) == row.document.objectValue.map(text))
    }
  }

  @Test(arguments: refused) func refuses(_ name: String, _ body: JSON, _ error: SCIMError) {
    #expect(throws: error) { try ResourceNormalizer.normalize(body, type: Fixture.user, profile: .interop) }
  }

  @Test("What is stored reads back as itself", arguments: 0..<200)
  func stable(_ seed: Int) throws {
    var random = ResourceRandom(seed: UInt64(seed))
    let once = try ResourceNormalizer.normalize(.object(random.user()), type: Fixture.user, profile: .interop)
    for profile in Profile.allCases {
      let twice = try ResourceNormalizer.normalize(.object(once.document), type: Fixture.user, profile: profile)
      #expect(text(twice.document) == text(once.document))
    }
    #expect(text(ResourceDocument.ordered(once.document, type: Fixture.user)) == text(once.document))
  }

  @Test("Ordering mends the order, the schemas and empty extensions")
  func ordered() {
    let document = Self.object(["userName": "ada", e: [:], "externalId": "7", o: ["score": 1, "level": 7]])
    let expected = Self.object([
      "schemas": [u, .string(o)], "externalId": "7", "userName": "ada", o: ["level": 7, "score": 1],
    ])
    #expect(ResourceDocument.ordered(document, type: Fixture.user) == expected)
  }

  private func text(_ object: JSONObject) -> String {
    String(decoding: JSON.object(object).encoded(), as: UTF8.self)
  }

  static func object(_ value: JSON) -> JSONObject { value.objectValue ?? JSONObject() }
}

private let u = JSON.string(Fixture.userURN)
private let g = JSON.string("urn:ietf:params:scim:schemas:core:2.0:Group")
private let e = Fixture.enterpriseURN
private let o = Fixture.ownURN

/// What an error says of a URN that users do not have.
private func unknownURN(_ urn: String) -> String {
  "User has no schema or attribute '\(urn)'; define its schema first, with 'roster type add' and a document with "
    + "\"extends\": \"User\"."
}

/// A name as errors repeat it.
private let define = #"define it in an extension, with 'roster type add' and a document with "extends": "User"."#

private func cut(_ name: String) -> String { name.utf8.count <= 80 ? name : String(name.prefix(60)) + "…" }
