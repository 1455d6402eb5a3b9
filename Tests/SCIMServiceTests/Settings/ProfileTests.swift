import Foundation
import SCIMCore
import Testing

/// What the profile of a key changes.
@Suite("Profiles")
struct ProfileTests {
  /// One request and what each profile makes of it. `U` and `G` stand for a user and a group with that user in it.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var request: String
    var body: String?
    var lenient: Int
    var strict: Int
    var scimType: String?

    init(
      _ name: String, _ request: String, _ body: String? = nil, lenient: Int, strict: Int, _ scimType: String? = nil
    ) {
      self.name = name
      self.request = request
      self.body = body
      self.lenient = lenient
      self.strict = strict
      self.scimType = scimType
    }

    var testDescription: String { name }
  }

  private static func patch(_ operations: String) -> String {
    #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[\#(operations)]}"#
  }
  private static func user(_ members: String) -> String {
    #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"new",\#(members)}"#
  }

  static let rows: [Row] = [
    Row(
      "plain manager in a path", "PATCH /Users/U", patch(#"{"op":"add","path":"manager","value":{"value":"x"}}"#),
      lenient: 200, strict: 400, "invalidPath"),
    Row(
      "plain department in a path", "PATCH /Users/U", patch(#"{"op":"add","path":"department","value":"x"}"#),
      lenient: 200, strict: 400, "invalidPath"),
    Row(
      "plain department in a filter", "GET /Users?filter=department eq \"x\"", lenient: 200, strict: 400,
      "invalidFilter"),
    Row(
      "a sub-attribute behind a value path in a filter", "GET /Users?filter=emails[type eq \"work\"].value eq \"x\"",
      lenient: 200, strict: 400, "invalidFilter"),
    Row(
      "an unknown attribute in a POST", "POST /Users", user(#""shoeSize":43"#), lenient: 201, strict: 400,
      "invalidSyntax"),
    Row(
      "an unknown sub-attribute", "POST /Users", user(#""name":{"shoeSize":43}"#), lenient: 201, strict: 400,
      "invalidSyntax"),
    Row(
      "an unknown schema URN", "POST /Users",
      #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User","urn:example:none"],"userName":"new"}"#, lenient: 201,
      strict: 400, "invalidSyntax"),
    Row(
      "an unknown key in a path-less PATCH", "PATCH /Users/U", patch(#"{"op":"add","value":{"shoeSize":43}}"#),
      lenient: 200, strict: 400),
    Row(
      "a boolean as text", "POST /Users", user(#""active":"True""#), lenient: 201, strict: 400, "invalidValue"),
    Row(
      "one object for a list", "POST /Users", user(#""emails":{"value":"a@acme.example"}"#), lenient: 201, strict: 400,
      "invalidValue"),
    Row(
      "remove members with a list", "PATCH /Groups/G",
      patch(#"{"op":"remove","path":"members","value":[{"value":"nobody"}]}"#), lenient: 200, strict: 400,
      "invalidValue"),
    Row(
      "replace on a value path without a match", "PATCH /Users/U",
      patch(#"{"op":"replace","path":"emails[type eq \"home\"].value","value":"h@acme.example"}"#), lenient: 200,
      strict: 400, "noTarget"),
    Row("empty Operations", "PATCH /Users/U", patch(""), lenient: 200, strict: 400, "invalidSyntax"),
    Row("single quotes", "GET /Users?filter=userName eq 'x'", lenient: 200, strict: 400, "invalidFilter"),
    Row("an unquoted word", "GET /Users?filter=userName eq x", lenient: 200, strict: 400, "invalidFilter"),
    Row("no blank before the quote", "GET /Users?filter=userName eq\"x\"", lenient: 200, strict: 400, "invalidFilter"),
    Row("a boolean word in other case", "GET /Users?filter=active eq True", lenient: 200, strict: 400, "invalidFilter"),
    Row("an endpoint in other case", "GET /users", lenient: 200, strict: 404),
    Row("an endpoint in other case with an id", "GET /USERS/U", lenient: 200, strict: 404),
    Row(
      "op in other case", "PATCH /Users/U", patch(#"{"op":"Replace","path":"title","value":"x"}"#), lenient: 200,
      strict: 200),
    Row("a filter on all of discovery", "GET /Schemas?filter=id pr", lenient: 403, strict: 403),
    Row(
      "an element without its value", "GET /Users?filter=emails[type eq \"work\"]", lenient: 200, strict: 200),
  ]

  private struct World {
    let tenant: Tenant
    let user: Reply
    let group: Reply

    init() throws {
      tenant = try Tenant(Harness())
      user = try tenant.client.create(
        "/Users",
        [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann",
          "emails": [["value": "ann@acme.example", "type": "work"]],
        ])
      group = try tenant.client.create(
        "/Groups",
        [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "All",
          "members": [["value": .string(user.id)]],
        ])
    }

    func address(_ request: String) -> String {
      let end = request.hasSuffix("/U") ? user.id : request.hasSuffix("/G") ? group.id : nil
      return end.map { request.dropLast() + $0 } ?? request
    }
  }

  @Test("What interop and entra take, strict may refuse; a refusal changes nothing", arguments: rows)
  func table(_ row: Row) throws {
    for profile in Profile.allCases {
      let world = try World()
      let client = try world.tenant.client(profile: profile)
      let before = try world.tenant.client.snapshot()
      // `attributes` makes a PATCH of the profile entra answer as the others do.
      let query = row.request.hasPrefix("PATCH") ? "?excludedAttributes=title" : ""
      let request = world.address(row.request) + query
      let reply =
        try row.body.map { try client.send(request, text: $0) } ?? client.send(request)
      let status = profile.isLenient ? row.lenient : row.strict
      guard status >= 400 else {
        expect(reply, status)
        continue
      }
      #expect(reply.status == status, "\(reply)")
      expectError(reply, status, row.scimType ?? reply["scimType"]?.stringValue)
      #expect(try world.tenant.client.snapshot() == before)
    }
  }

  @Test("A POST in a Bulk request needs a bulkId for strict keys alone")
  func bulkID() throws {
    for profile in Profile.allCases {
      let client = try World().tenant.client(profile: profile)
      let reply = try client.send(
        "POST /Bulk",
        [
          "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
          "Operations": [
            [
              "method": "POST", "path": "/Users",
              "data": ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "new"],
            ]
          ],
        ])
      #expect(reply["Operations"]?[0]?["status"] == (profile.isLenient ? "201" : "400"), "\(reply)")
    }
  }

  @Test("remove members with a list: just those in interop, none in strict, all in neither")
  func members() throws {
    let world = try World()
    let other = try world.tenant.client.create(
      "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "bob"])
    let address = "/Groups/\(world.group.id)"
    expect(
      try world.tenant.client.send(
        "PATCH \(address)", PatchBody.make([("add", "members", [["value": .string(other.id)]])])), 200)
    let removal = PatchBody.make([("remove", "members", [["value": .string(other.id)]])])
    expectError(try world.tenant.client(profile: .strict).send("PATCH \(address)", removal), 400, "invalidValue")
    #expect(try world.tenant.client.send("GET \(address)")["members"]?.arrayValue?.count == 2)
    let reply = try world.tenant.client.send("PATCH \(address)", removal)
    #expect(reply["members"]?.arrayValue?.map { $0["value"] } == [.string(world.user.id)], "\(reply)")
  }

  @Test("A role whose value is JSON text: read in interop and entra, not taken for an object in strict")
  func jsonText() throws {
    let tenant = try Tenant(Harness())
    let role = try tenant.client.create(
      "/Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk"])
    let text = #"{"id":"\#(role.id)","value":"\#(role.id)","displayName":"Clerk"}"#
    for profile in Profile.allCases {
      let client = try tenant.client(profile: profile)
      let reply = try client.send(
        "POST /Users",
        [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("user-\(profile)"),
          "roles": [["value": .string(text)]],
        ])
      let found = try tenant.client.send(
        "GET /Users?filter=roles.value eq \"\(role.id)\" and userName eq \"user-\(profile)\"")
      #expect(found.total == (profile.isLenient ? 1 : 0), "\(reply)")
      if profile.isLenient {
        expect(reply, 201, ["roles": [["value": .string(role.id), "display": "Clerk"]]])
      } else if reply.status == 201 {
        // An open catalogue keeps what it does not know as it was sent, and links it with nothing.
        #expect(reply["roles"]?[0]?["value"] == .string(text) && reply["roles"]?[0]?["$ref"] == nil, "\(reply)")
      } else {
        expectError(reply, 400, "invalidValue")
      }
    }
  }

  @Test("entra: a PATCH answers 204 without a body, 200 where part of the resource is asked for")
  func entra() throws {
    let world = try World()
    let entra = try world.tenant.client(profile: .entra)
    for (address, path, name) in [
      ("/Users/\(world.user.id)", "title", "userName"), ("/Groups/\(world.group.id)", "displayName", "displayName"),
    ] {
      for value in ["one", "two"] {
        let reply = try entra.send("PATCH \(address)", PatchBody.replace(path, .string(value)))
        #expect(reply.status == 204 && reply.answer.body.isEmpty, "\(reply)")
        let read = try entra.send("GET \(address)")
        #expect(read[path] == .string(value) && read.header("ETag") == reply.header("ETag"), "\(read)")
      }
      let some = try entra.send("PATCH \(address)?attributes=\(name)", PatchBody.replace(path, "three"))
      #expect(some.status == 200 && some[name] != nil && some["meta"] == nil, "\(some)")
      let most = try entra.send("PATCH \(address)?excludedAttributes=\(name)", PatchBody.replace(path, "four"))
      #expect(most.status == 200 && most[name] == nil && most["meta"] != nil, "\(most)")
      let whole = try entra.send(
        "PATCH \(address)", PatchBody.replace(path, "five"), headers: [("Prefer", "return=representation")])
      #expect(whole.status == 200 && whole[path] == "five", "\(whole)")
      expectError(try entra.send("PATCH \(address)", PatchBody.replace("unheard", "x")), 400, "invalidPath")
    }
    let user: JSON = ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "new"]
    let made = try entra.create("/Users", user)
    expect(try entra.send("PUT /Users/\(made.id)", user), 200, ["userName": "new"])
  }

  @Test("A PATCH of a long group answers 204, and 200 where asked for")
  func longGroup() throws {
    let tenant = try Tenant(Harness { $0.maxMembersInPatchAnswer = 3 })
    let client = tenant.client
    let ids = try (0..<4).map { number in
      try client.create(
        "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("u\(number)")]
      ).id
    }
    let group = try client.create(
      "/Groups",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Long",
        "members": .array(ids.prefix(3).map { ["value": .string($0)] }),
      ])
    let short = try client.send("PATCH /Groups/\(group.id)", PatchBody.replace("displayName", "Three"))
    #expect(short.status == 200 && short["members"]?.arrayValue?.count == 3)
    let added = try client.send(
      "PATCH /Groups/\(group.id)", PatchBody.make([("add", "members", [["value": .string(ids[3])]])]))
    #expect(added.status == 204 && added.answer.body.isEmpty && added.header("ETag") != short.version, "\(added)")
    let asked = try client.send(
      "PATCH /Groups/\(group.id)?excludedAttributes=members", PatchBody.replace("displayName", "Four"))
    #expect(asked.status == 200 && asked["displayName"] == "Four" && asked["members"] == nil, "\(asked)")
    #expect(try client.send("GET /Groups/\(group.id)")["members"]?.arrayValue?.count == 4)
  }
}
