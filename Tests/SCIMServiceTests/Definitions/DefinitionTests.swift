import SCIMCore
import Testing

/// An organisation's own types, defined over HTTP and used at once.
@Suite("Definitions")
struct DefinitionTests {
  private typealias Samples = DefinitionSamples

  @Test("A type defined over HTTP is there at once: discovery, routes, validation, filters, PATCH, Bulk, users")
  func everywhere() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(client)
    expect(
      try client.send("GET /ResourceTypes/License"), 200,
      ["endpoint": "/Licenses", "meta": ["resourceType": "ResourceType"]])
    #expect(try client.send("GET /ResourceTypes").resources.contains { $0["name"] == "License" })
    #expect(try client.send("GET /Schemas").resources.contains { $0["id"] == .string(Samples.licenseURN) })
    expect(try client.send("GET /Schemas/\(Samples.licenseURN)"), 200, ["meta": ["resourceType": "Schema"]])

    let made = try client.create("/Licenses", Samples.license("Pro", ["seats": 5], assignments: ["supported": true]))
    #expect(made["type"] == "License")
    #expect(made[Samples.assignments]?["totalAssignmentsUsed"] == 0)
    expectError(try client.send("POST /Licenses", Samples.license("Odd", ["seats": "many"])), 400, "invalidValue")
    #expect(try client.send("GET /Licenses?filter=\(Samples.licenseURN):seats ge 5").ids == [made.id])
    expect(
      try client.send("PATCH /Licenses/\(made.id)", PatchBody.replace("\(Samples.licenseURN):seats", 6)), 200,
      [Samples.licenseURN: ["seats": 6]])
    let bulk = try client.send(
      "POST /Bulk",
      [
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
        "Operations": [["method": "POST", "path": "/Licenses", "bulkId": "a", "data": Samples.license("Lite")]],
      ])
    #expect(bulk["Operations"]?[0]?["status"] == "201", "\(bulk)")

    let ann = try client.create(
      "/Users",
      ["schemas": [.string(Samples.user)], "userName": "ann", "entitlements": [["value": "Pro", "type": "License"]]])
    expect(ann, 201, ["entitlements": [["value": .string(made.id), "type": "License", "display": "Pro"]]])
    #expect(
      try client.send("GET /Users?filter=entitlements[type eq \"License\" and value eq \"\(made.id)\"]").ids
        == [ann.id])
  }

  @Test("A type may have a label for people, which discovery shows and nothing else depends on")
  func label() throws {
    let tenant = try Tenant(Harness())
    let client = tenant.client
    var document = try #require(Samples.type("License", "/Licenses", extensions: []).objectValue)
    document["displayName"] = "CRM-Lizenz für Müller & Söhne"
    let made = try client.create("/ResourceTypes", .object(document))
    #expect(made["name"] == "License" && made["displayName"] == document["displayName"])
    expect(
      try client.create("/Licenses", Samples.license("Pro")), 201,
      ["type": "License", "meta": ["resourceType": "License"]])
    document["displayName"] = "Licence"
    expect(
      try client.send("PUT /ResourceTypes/License", .object(document)), 200,
      ["id": "License", "displayName": "Licence"])
    document["displayName"] = nil
    #expect(try client.send("PUT /ResourceTypes/License", .object(document))["displayName"] == nil)
    for wrong in [.string(String(repeating: "x", count: 101)), 1] as [JSON] {
      document["displayName"] = wrong
      expectError(try client.send("PUT /ResourceTypes/License", .object(document)), 400, "invalidValue")
    }
    try tenant.define(["name": "Seat", "displayName": "Office seat", "endpoint": "/Seats"])
    expect(try client.send("GET /ResourceTypes/Seat"), 200, ["name": "Seat", "displayName": "Office seat"])
    let attributes = try client.send("GET /Schemas/urn:ietf:params:scim:schemas:core:2.0:ResourceType")["attributes"]
    #expect(attributes?.arrayValue?.contains { $0["name"] == "displayName" } == true)
  }

  @Test(
    "What a definition is refused for",
    arguments: [
      ("a name that is built in", DefinitionSamples.type("User", "/People", extensions: []), 409, "uniqueness"),
      (
        "a name that differs in case only", DefinitionSamples.type("user", "/People", extensions: []), 409, "uniqueness"
      ),
      ("an endpoint that is built in", DefinitionSamples.type("Person", "/Users", extensions: []), 400, "invalidValue"),
      ("an endpoint of the protocol", DefinitionSamples.type("Person", "/Bulk", extensions: []), 400, "invalidValue"),
      ("an endpoint of two segments", DefinitionSamples.type("Person", "/a/b", extensions: []), 400, "invalidValue"),
      ("an unknown extension", DefinitionSamples.type("A", "/As", extensions: ["urn:no:such"]), 400, "invalidValue"),
      ("an unknown base", DefinitionSamples.type("A", "/As", extensions: [], base: "urn:no:such"), 400, "invalidValue"),
      ("no name", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"]], 400, "invalidValue"),
      ("another message", ["schemas": ["urn:x:y"], "name": "A"], 400, "invalidValue"),
      ("no object", [1], 400, "invalidSyntax"),
    ] as [(String, JSON, Int, String)])
  func refusedTypes(_ name: String, _ body: JSON, _ status: Int, _ scimType: String) throws {
    let client = try Tenant(Harness()).client
    let before = try client.send("GET /ResourceTypes").text
    expectError(try client.send("POST /ResourceTypes", body), status, scimType)
    #expect(try client.send("GET /ResourceTypes").text == before)
  }

  @Test(
    "What a schema is refused for",
    arguments: [
      ("a URN that is none", DefinitionSamples.schema("License", [("a", [])]), 400, "invalidValue"),
      (
        "a URN of the protocol", DefinitionSamples.schema("urn:ietf:params:scim:api:messages:2.0:X", [("a", [])]), 400,
        "invalidValue"
      ),
      ("a built-in one", DefinitionSamples.schema(DefinitionSamples.user, [("a", [])]), 409, "uniqueness"),
      (
        "an unknown data type", DefinitionSamples.schema("urn:ab:c:D", [("a", [("type", "text")])]), 400,
        "invalidValue"
      ),
      (
        "an unknown characteristic", DefinitionSamples.schema("urn:ab:c:D", [("a", [("typ", "string")])]), 400,
        "invalidValue"
      ),
      ("a bad name", DefinitionSamples.schema("urn:ab:c:D", [("1a", [])]), 400, "invalidValue"),
      ("the same name twice", DefinitionSamples.schema("urn:ab:c:D", [("a", []), ("A", [])]), 400, "invalidValue"),
    ] as [(String, JSON, Int, String)])
  func refusedSchemas(_ name: String, _ body: JSON, _ status: Int, _ scimType: String) throws {
    let client = try Tenant(Harness()).client
    let before = try client.send("GET /Schemas").text
    let reply = try client.send("POST /Schemas", body)
    expectError(reply, status, scimType)
    #expect(try client.send("GET /Schemas").text == before)
  }

  @Test("An own schema is served with every characteristic stated, and what was stated stays")
  func characteristics() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(
      client,
      [
        ("seats", [("type", "integer")]), ("site", [("type", "reference"), ("referenceTypes", ["uri"])]),
        ("alias", [("type", "reference"), ("referenceTypes", ["uri"]), ("caseExact", false)]),
        ("seal", [("type", "binary"), ("returned", "request")]),
        ("term", [("type", "complex"), ("subAttributes", [["name": "end", "type": "dateTime"]])]),
      ])
    let served = try client.send("GET /Schemas/\(Samples.licenseURN)")
    func plain(_ type: String, isCaseExact: Bool, returned: String = "default") -> JSON {
      [
        "type": .string(type), "multiValued": false, "required": false, "caseExact": .bool(isCaseExact),
        "mutability": "readWrite", "returned": .string(returned), "uniqueness": "none",
      ]
    }
    let complex: JSON = [
      "type": "complex", "multiValued": false, "required": false, "mutability": "readWrite", "returned": "default",
      "caseExact": nil, "uniqueness": "none",
    ]
    // References and binary values are case exact where nothing else is said (RFC 7643 sections 2.3.6 and 2.3.7).
    let expected = [
      plain("integer", isCaseExact: false), plain("reference", isCaseExact: true),
      plain("reference", isCaseExact: false), plain("binary", isCaseExact: true, returned: "request"), complex,
    ]
    for (index, characteristics) in expected.enumerated() {
      for member in characteristics.objectValue?.members ?? [] {
        let found = served["attributes"]?[index]?[member.key] ?? .null
        #expect(found == member.value, "\(member.key) of \(served["attributes"]?[index] ?? .null)")
      }
    }
    #expect(served["attributes"]?[4]?["subAttributes"]?[0]?["mutability"] == "readWrite", "\(served)")
    // What a GET shows can be PUT back, and changes nothing.
    let back = try client.send("PUT /Schemas/\(Samples.licenseURN)", served.json)
    #expect(back.status == 200 && back.json == served.json, "\(back)")
    _ = try client.create(
      "/Licenses", Samples.license("Pro", ["site": "https://a.example/A", "alias": "https://a.example/A"]))
    for (name, text, count) in [("site", "A", 1), ("site", "a", 0), ("alias", "A", 1), ("alias", "a", 1)]
      as [(String, String, Int64)]
    {
      let filter = "\(Samples.licenseURN):\(name) eq \"https://a.example/\(text)\""
      #expect(try client.send("GET /Licenses?filter=\(filter)").total == count, "\(filter)")
    }
  }

  @Test("If-Match holds for definitions: a stale tag changes nothing")
  func precondition() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(client)
    let more = Samples.schema(Samples.licenseURN, [("seats", [("type", "integer")]), ("tier", [])])
    var changed = try #require(
      Samples.type("License", "/Licenses", extensions: [Samples.licenseURN]).objectValue)
    changed["description"] = "Another."
    let type = JSON.object(changed)
    for (address, body) in [("/Schemas/\(Samples.licenseURN)", more), ("/ResourceTypes/License", type)] {
      let before = try client.send("GET \(address)")
      let tag = try #require(before.header("ETag"))
      let stale = [("If-Match", "W/\"0\"")]
      expectError(try client.send("PUT \(address)", body, headers: stale), 412)
      #expect(try client.send("GET \(address)").text == before.text)
      let put = try client.send("PUT \(address)", body, headers: [("If-Match", tag)])
      #expect(put.status == 200 && put.header("ETag") != tag, "\(put)")
      #expect(try client.send("GET \(address)").header("ETag") == put.header("ETag"))
      expectError(try client.send("PUT \(address)", body, headers: [("If-Match", tag)]), 412)
    }
    expectError(try client.send("DELETE /ResourceTypes/License", headers: [("If-Match", "\"0\"")]), 412)
    #expect(try client.send("DELETE /ResourceTypes/License", headers: [("If-Match", "*")]).status == 204)
  }

  @Test("To other keys discovery is read-only, and to all what is built in", arguments: KeyRole.allCases)
  func readOnly(_ role: KeyRole) throws {
    let tenant = try Tenant(Harness())
    try Samples.defineLicenses(tenant.client)
    let client = try tenant.client(role: role)
    let schema = Samples.schema("urn:ab:c:D", [("a", [])])
    var requests: [(String, JSON?)] = [
      ("DELETE /ResourceTypes/User", nil), ("DELETE /Schemas/\(Samples.user)", nil),
      ("PUT /Schemas/\(Samples.user)", schema), ("PUT /ServiceProviderConfig", schema),
      ("PATCH /Schemas", schema), ("POST /Schemas", Samples.schema("urn:ab:c:D", [])),
      ("POST /Schemas", nil), ("POST /ResourceTypes", nil),
    ]
    if role != .admin {
      requests += [
        ("POST /Schemas", schema), ("POST /ResourceTypes", Samples.type("A", "/As", extensions: [])),
        ("PUT /ResourceTypes/License", Samples.type("License", "/Ls", extensions: [])),
        ("DELETE /ResourceTypes/License", nil), ("DELETE /Schemas/\(Samples.licenseURN)", nil),
        ("PUT /ResourceTypes/User", schema),
      ]
    }
    for (request, body) in requests {
      let reply = try client.send(request, body)
      expectError(reply, 405)
      #expect(reply.header("Allow")?.contains("GET") == true, "\(reply)")
      let method = String(request.prefix { $0 != " " })
      #expect(reply.header("Allow")?.contains(method) == false, "\(reply)")
    }
    let allow = try client.send("OPTIONS /ResourceTypes/License").header("Allow")
    #expect(allow?.contains("DELETE") == (role == .admin))
  }

  @Test("A type in use goes only by force, with its resources and assignments, and its schema after it")
  func retiring() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(client)
    let pro = try client.create("/Licenses", Samples.license("Pro"))
    let ann = try client.create(
      "/Users", ["schemas": [.string(Samples.user)], "userName": "ann", "entitlements": [["value": .string(pro.id)]]])
    expectError(try client.send("DELETE /Schemas/\(Samples.licenseURN)"), 409)
    let refused = try client.send("DELETE /ResourceTypes/License")
    expectError(refused, 409)
    #expect(refused["detail"]?.stringValue?.contains("1 resource, assigned 1 time") == true, "\(refused)")
    #expect(refused["detail"]?.stringValue?.hasSuffix(#"requires "?force=true"."#) == true, "\(refused)")
    #expect(try client.send("GET /Licenses").total == 1)
    #expect(try client.send("DELETE /ResourceTypes/License?force=true").status == 204)
    #expect(try client.send("GET /Users/\(ann.id)")["entitlements"] == nil)
    expectError(try client.send("GET /Licenses"), 404)
    expectError(try client.send("GET /Licenses/\(pro.id)"), 404)
    expectError(try client.send("GET /ResourceTypes/License"), 404)
    #expect(try client.send("DELETE /Schemas/\(Samples.licenseURN)").status == 204)
    expectError(try client.send("DELETE /Schemas/\(Samples.licenseURN)"), 404)
    // The name is free again, and nothing of before comes back.
    try Samples.defineLicenses(client, [("tier", [])])
    #expect(try client.send("GET /Licenses").total == 0)
    #expect(try client.harness?.store.makeCheck().run() == [])
  }

  @Test("A change that stored resources would violate is refused with their number, first ids, the attribute and why")
  func violating() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(client, [("seats", [("type", "integer")]), ("tier", [])])
    let ids = try (0..<7).map { try client.create("/Licenses", Samples.license("L\($0)", ["seats": 5])).id }
    let before = try client.snapshot()
    let address = "PUT /Schemas/\(Samples.licenseURN)"
    let rows: [(attributes: [(String, [(String, JSON)])], reason: String)] = [
      ([("seats", []), ("tier", [])], "seats' must be a string."),
      ([("tier", [])], "seats' has a value and is not in the new definition."),
      ([("seats", [("type", "integer"), ("multiValued", true)])], "seats' would not keep its value."),
      (
        [("seats", [("type", "integer")]), ("tier", [("required", true)])],
        "tier' is required and must have a value."
      ),
      ([("seats", [("type", "integer"), ("uniqueness", "server")])], "seats' must be unique."),
      (
        [("Seats", [("type", "integer")]), ("tier", [])],
        "seats' is '\(Samples.licenseURN):Seats' in the new definition."
      ),
    ]
    for (attributes, reason) in rows {
      let reply = try client.send(address, Samples.schema(Samples.licenseURN, attributes))
      expectError(reply, 400, "invalidValue")
      let detail = reply["detail"]?.stringValue ?? ""
      #expect(detail.contains("7 stored resources") || detail.contains("6 stored resources"), "\(reply)")
      #expect(detail.contains(ids[1]) && detail.contains("and "), "\(reply)")
      #expect(detail.hasSuffix("would not fit the new definition: '\(Samples.licenseURN):\(reason)"), "\(reply)")
    }
    #expect(try client.snapshot() == before)
    #expect(try client.harness?.store.makeCheck().run() == [])
  }

  @Test("So is one of a type's own base schema, with each of several reasons and where it holds, and no value")
  func violatingBase() throws {
    let client = try Tenant(Harness()).client
    let urn = "urn:acme:scim:schemas:core:1.0:Badge"
    func schema(_ attributes: [(String, [(String, JSON)])]) -> JSON {
      Samples.schema(
        urn,
        attributes + [
          (
            "place",
            [("type", "complex"), ("subAttributes", [["name": "floor", "type": "string"]])]
          )
        ])
    }
    let name: (String, [(String, JSON)]) = ("name", [])
    let floors: [(String, [(String, JSON)])] = [name, ("codes", [("multiValued", true)])]
    _ = try client.create("/Schemas", schema(floors))
    _ = try client.create("/ResourceTypes", Samples.type("Badge", "/Badges", extensions: [], base: urn))
    func make(_ body: [(String, JSON)]) throws -> String {
      try client.create(
        "/Badges",
        .object(JSONObject([.init(key: "schemas", value: [.string(urn)])] + body.map { .init(key: $0.0, value: $0.1) }))
      ).id
    }
    let one = try make([("name", "secret"), ("codes", ["secret"])])
    let other = try make([("place", ["floor": "secret"])])
    let snapshot = try client.send("GET /Badges").json
    let reply = try client.send(
      "PUT /Schemas/\(urn)",
      Samples.schema(
        urn, [name, ("codes", []), ("place", [("type", "complex"), ("subAttributes", [["name": "room"]])])])
    )
    expectError(reply, 400, "invalidValue")
    #expect(
      reply["detail"]?.stringValue
        == "2 stored resources ('\(one)', '\(other)') of the type Badge would not fit the new definition: "
        + "'codes' would not keep its value ('\(one)'); "
        + "'place.floor' has a value and is not in the new definition ('\(other)').", "\(reply)")
    let required = try client.send("PUT /Schemas/\(urn)", schema([("name", [("required", true)]), floors[1]]))
    expectError(required, 400, "invalidValue")
    #expect(
      required["detail"]?.stringValue
        == "1 stored resource ('\(other)') of the type Badge would not fit the new definition: "
        + "'name' is required and must have a value.", "\(required)")
    #expect(try client.send("GET /Badges").json == snapshot)
  }

  @Test("A change that they fit is taken, and they are indexed anew")
  func compatible() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(client, [("code", [("caseExact", true)]), ("note", [("returned", "never")])])
    let made = try client.create("/Licenses", Samples.license("Pro", ["code": "aB", "note": "x"]))
    let bare = try client.create("/Licenses", Samples.license("Bare", assignments: ["supported": true]))
    func found(_ filter: String) throws -> Int64? {
      try client.send("GET /Licenses?filter=\(Samples.licenseURN):\(filter)").total
    }
    #expect(try found("code eq \"ab\"") == 0)
    expectError(
      try client.send("GET /Licenses?filter=\(Samples.licenseURN):note eq \"x\""), 400, "invalidFilter")
    let changed = Samples.schema(
      Samples.licenseURN, [("added", []), ("note", []), ("code", [("uniqueness", "server")])])
    expect(try client.send("PUT /Schemas/\(Samples.licenseURN)", changed), 200)
    #expect(try found("code eq \"ab\"") == 1)
    #expect(try found("note eq \"x\"") == 1)
    let after = try client.send("GET /Licenses/\(made.id)")
    #expect(after.version == made.version)
    #expect(after[Samples.licenseURN] == ["note": "x", "code": "aB"], "\(after)")
    #expect(try client.send("GET /Licenses/\(bare.id)").json == bare.json)
    expectError(try client.send("POST /Licenses", Samples.license("Two", ["code": "AB"])), 409, "uniqueness")
    #expect(try client.harness?.store.makeCheck().run() == [])
    // What nobody has may go; what somebody has moves, and stays what it was.
    let less = Samples.schema(Samples.licenseURN, [("code", [("caseExact", true)]), ("note", [])])
    expect(try client.send("PUT /Schemas/\(Samples.licenseURN)", less), 200)
    #expect(try found("code eq \"ab\"") == 0)
    #expect(try found("code eq \"aB\"") == 1)
    #expect(try client.send("GET /Licenses?filter=displayName sw \"b\"").ids == [bare.id])
    #expect(try client.send("GET /Licenses/\(made.id)").version == made.version)
    _ = try client.create("/Licenses", Samples.license("Two", ["code": "AB"]))
    #expect(try client.harness?.store.makeCheck().run() == [])
  }

  @Test("Words of an attribute's own come and go: a search for a part of a text finds the same as before")
  func canonicalValues() throws {
    let client = try Tenant(Harness()).client
    let urn = "urn:acme:scim:schemas:core:1.0:Paint"
    func schema(_ words: [JSON]) -> JSON {
      Samples.schema(urn, [("colour", words.isEmpty ? [] : [("canonicalValues", .array(words))])])
    }
    _ = try client.create("/Schemas", schema(["red"]))
    _ = try client.create("/ResourceTypes", Samples.type("Paint", "/Paints", extensions: [], base: urn))
    let made = try client.create("/Paints", ["schemas": [.string(urn)], "colour": "reddish"])
    for words: [JSON] in [["red"], [], ["red", "blue"], []] {
      expect(try client.send("PUT /Schemas/\(urn)", schema(words)), 200)
      #expect(try client.send("GET /Paints?filter=colour co \"eddi\"").ids == [made.id], "\(words)")
      #expect(try client.send("GET /Paints?filter=colour ew \"dish\"").ids == [made.id], "\(words)")
      #expect(try client.harness?.store.makeCheck().run() == [], "\(words)")
    }
  }

  @Test("What a page told of a filter is not told again once letter case counts, though no document has changed")
  func pagesAfterChange() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(client, [("code", [])])
    for number in 0..<6 { _ = try client.create("/Licenses", Samples.license("L\(number)", ["code": "AB"])) }
    func totals() throws -> [Int64?] {
      try [1, 3, 5].map {
        try client.send("GET /Licenses?count=2&startIndex=\($0)&filter=\(Samples.licenseURN):code eq \"ab\"").total
      }
    }
    #expect(try totals() == [6, 6, 6])
    let exact = Samples.schema(Samples.licenseURN, [("code", [("caseExact", true)])])
    expect(try client.send("PUT /Schemas/\(Samples.licenseURN)", exact), 200)
    #expect(try totals() == [0, 0, 0])
    expect(
      try client.send("PUT /Schemas/\(Samples.licenseURN)", Samples.schema(Samples.licenseURN, [("code", [])])), 200)
    #expect(try totals() == [6, 6, 6])
  }

  @Test("A type has a thousand attributes and no more, its extensions and their sub-attributes counted")
  func attributeLimit() throws {
    let client = try Tenant(Harness()).client
    func schema(_ count: Int) -> JSON { Samples.schema(Samples.licenseURN, (0..<count).map { ("a\($0)", []) }) }
    _ = try client.create("/Schemas", schema(1001))
    let type = Samples.type("License", "/Licenses", extensions: [Samples.licenseURN])
    expectError(try client.send("POST /ResourceTypes", type), 400, "invalidValue")
    let address = "PUT /Schemas/\(Samples.licenseURN)"
    expect(try client.send(address, schema(900)), 200)
    _ = try client.create("/ResourceTypes", type)
    let content = JSONObject((0..<900).map { .init(key: "A\($0)", value: .string("v\($0)")) })
    let made = try client.create("/Licenses", Samples.license("Large", .object(content)))
    #expect(made[Samples.licenseURN]?["a899"] == "v899")
    expectError(try client.send(address, schema(1000)), 400, "invalidValue")
    expect(try client.send(address, schema(950)), 200)
    #expect(try client.send("GET /Licenses?filter=\(Samples.licenseURN):a899 eq \"V899\"").ids == [made.id])
    #expect(try client.harness?.store.makeCheck().run() == [])
  }

  @Test("Users get attributes of the organisation's own, filtered and patched like all others")
  func userExtension() throws {
    let client = try Tenant(Harness()).client
    let urn = "urn:acme:scim:schemas:extension:hr:1.0:User"
    _ = try client.create("/Users", ["schemas": [.string(Samples.user)], "userName": "old"])
    _ = try client.create("/Schemas", Samples.schema(urn, [("badge", [("uniqueness", "server")])]))
    let known = try #require(try client.send("GET /ResourceTypes/User").json?.objectValue)
    var body = known
    body["schemaExtensions"] = .array(
      (known["schemaExtensions"]?.arrayValue ?? []) + [["schema": .string(urn), "required": false]])
    expect(try client.send("PUT /ResourceTypes/User", .object(body)), 200)
    #expect(
      try client.send("GET /ResourceTypes/User")["schemaExtensions"]?.arrayValue?.last?["schema"] == .string(urn))
    let ann = try client.create(
      "/Users", ["schemas": [.string(Samples.user), .string(urn)], "userName": "ann", urn: ["badge": "7"]])
    #expect(ann[urn] == ["badge": "7"])
    expect(try client.send("PATCH /Users/\(ann.id)", PatchBody.replace("\(urn):badge", "8")), 200)
    #expect(try client.send("GET /Users?filter=\(urn):badge eq \"8\"").ids == [ann.id])

    // A built-in type stays what it is.
    var moved = body
    moved["endpoint"] = "/People"
    expectError(try client.send("PUT /ResourceTypes/User", .object(moved)), 400, "invalidValue")
    moved = body
    moved["schemaExtensions"] = [["schema": .string(urn), "required": false]]
    expectError(try client.send("PUT /ResourceTypes/User", .object(moved)), 400, "invalidValue")
    // Where the extension is required, the user without it would not fit.
    moved["schemaExtensions"] = .array(
      (known["schemaExtensions"]?.arrayValue ?? []) + [["schema": .string(urn), "required": true]])
    expectError(try client.send("PUT /ResourceTypes/User", .object(moved)), 400, "invalidValue")

    expectError(try client.send("PUT /ResourceTypes/User", .object(known)), 409)
    expect(try client.send("PUT /ResourceTypes/User?force=true", .object(known)), 200)
    let after = try client.send("GET /Users/\(ann.id)")
    #expect(after[urn] == nil && after["schemas"] == [.string(Samples.user)], "\(after)")
    #expect(after.version != ann.version)
    #expect(try client.send("DELETE /Schemas/\(urn)").status == 204)
    #expect(try client.harness?.store.makeCheck().run() == [])
  }

  @Test("Two organisations define the same type and URN differently, and see nothing of each other")
  func twoOrganisations() throws {
    let harness = try Harness()
    let one = try Tenant(harness, name: "one.example").client
    let two = try Tenant(harness, name: "two.example").client
    try Samples.defineLicenses(one, [("seats", [("type", "integer")])])
    expectError(try two.send("GET /Licenses"), 404)
    expectError(try two.send("GET /Schemas/\(Samples.licenseURN)"), 404)
    try Samples.defineLicenses(two, [("seats", []), ("region", [])])
    let first = try one.create("/Licenses", Samples.license("Pro", ["seats": 5]))
    let second = try two.create("/Licenses", Samples.license("Pro", ["seats": "five", "region": "EU"]))
    #expect(first[Samples.licenseURN] == ["seats": 5])
    #expect(second[Samples.licenseURN] == ["seats": "five", "region": "EU"])
    #expect(try one.send("GET /Licenses?filter=\(Samples.licenseURN):seats eq 5").ids == [first.id])
    expectError(try one.send("GET /Licenses?filter=\(Samples.licenseURN):region eq \"EU\""), 400, "invalidFilter")
    #expect(try two.send("GET /Licenses?filter=\(Samples.licenseURN):region eq \"eu\"").ids == [second.id])
    #expect(try one.send("DELETE /ResourceTypes/License?force=true").status == 204)
    #expect(try two.send("GET /Licenses").ids == [second.id])
    #expect(try harness.store.makeCheck().run() == [])
  }

  @Test("A type of entitlements has the extension of their limits, listed or not, and whatever else has its attribute")
  func limits() throws {
    let client = try Tenant(Harness()).client
    let own = "urn:acme:scim:schemas:extension:seats:1.0:Seat"
    _ = try client.create(
      "/Schemas",
      Samples.schema(
        own,
        [
          ("totalAssignmentsUsed", [("type", "integer")]), ("supported", [("type", "boolean")]),
          ("value", [("type", "string")]),
        ]))
    let made = try client.create(
      "/ResourceTypes", Samples.type("Seat", "/Seats", extensions: [own.uppercased().replacing("URN:", with: "urn:")]))
    #expect(
      made["schemaExtensions"]?.arrayValue?.map { $0["schema"] } == [.string(own), .string(Samples.assignments)],
      "\(made)")
    var body = try #require(
      Samples.license(
        "One", assignments: ["limitedAssignmentsPermitted": true, "totalAssignmentsPermitted": 1]
      ).objectValue)
    body[own] = ["totalAssignmentsUsed": 7, "supported": false, "value": "word"]
    let seat = try client.create("/Seats", .object(body))
    #expect(seat[own]?["totalAssignmentsUsed"] == 7)
    func user(_ name: String) -> JSON {
      [
        "schemas": [.string(Samples.user)], "userName": .string(name),
        "entitlements": [["value": "One", "type": "Seat"]],
      ]
    }
    expect(try client.send("POST /Users", user("ann")), 201, ["entitlements": [["value": .string(seat.id)]]])
    expectError(try client.send("POST /Users", user("bob")), 400, "invalidValue")
    let shown = try client.send("GET /Seats/\(seat.id)")
    #expect(shown[Samples.assignments]?["totalAssignmentsUsed"] == 1 && shown[own]?["totalAssignmentsUsed"] == 7)
    // A PUT that leaves it out does not drop it.
    let put = try client.send("PUT /ResourceTypes/Seat", Samples.type("Seat", "/Seats", extensions: [own]))
    expect(put, 200)
    #expect(put["schemaExtensions"]?.arrayValue?.count == 2)
  }

  @Test("What nobody is shown stays through a PUT of what was shown")
  func writeOnly() throws {
    let client = try Tenant(Harness()).client
    try Samples.defineLicenses(
      client,
      [("seats", [("type", "integer")]), ("pin", [("mutability", "writeOnly"), ("returned", "never")])])
    let made = try client.create("/Licenses", Samples.license("Pro", ["seats": 5, "pin": "1234"]))
    var body = try #require(made.json?.objectValue)
    body["meta"] = nil
    let put = try client.send("PUT /Licenses/\(made.id)", .object(body))
    expect(put, 200)
    #expect(put.version == made.version)
  }

  @Test("The name of a type has an end")
  func longName() throws {
    let client = try Tenant(Harness()).client
    let name = String(repeating: "a", count: 100)
    expectError(
      try client.send("POST /ResourceTypes", Samples.type(name + "a", "/As", extensions: [])), 400, "invalidValue")
    expect(try client.send("POST /ResourceTypes", Samples.type(name, "/As", extensions: [])), 201)
  }
}
