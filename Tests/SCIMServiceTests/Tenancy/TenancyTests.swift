import SCIMCore
import Testing

/// Two organisations on one server: what belongs to B does not exist for A.
@Suite("Tenancy")
struct TenancyTests {
  /// A and B, with an instance of every registered type in B that is linked with the others, and the same names in A.
  private struct Pair {
    let registry = BuiltInSchemas.registry
    let a: Tenant
    let b: Tenant
    /// By type name: the id of B's instance.
    let ofB: [String: String]

    init(catalog: Organization.Catalog = .open) throws {
      let harness = try Harness()
      a = try Tenant(harness, name: "a.example", catalog: catalog)
      b = try Tenant(harness, name: "b.example")
      ofB = try Self.fill(b.client, registry: registry, mark: "bravo")
    }

    /// Creates one of every type; the user holds everything of the catalogue, and each group its user.
    static func fill(_ client: Client, registry: SchemaRegistry, mark: String) throws -> [String: String] {
      var ids: [String: String] = [:]
      // What others refer to first.
      let order = registry.types.filter(\.isCatalog) + registry.types.filter { !$0.isCatalog && $0.name != "Group" }
      for type in order + registry.types.filter({ $0.name == "Group" }) {
        var body = try #require(SampleResource(type: type, mark: mark).full.objectValue)
        for link in type.links {
          switch link.kind {
          case .catalog(let schema):
            body[link.attribute] = .array(
              registry.catalogTypes(schema: schema).compactMap { ids[$0.name] }.map { ["value": .string($0)] })
          case .members(let types):
            body[link.attribute] = .array(types.compactMap { ids[$0] }.map { ["value": .string($0)] })
          case .memberOf: continue
          }
        }
        ids[type.name] = try client.create(type.endpoint, .object(body)).id
      }
      return ids
    }
  }

  private static let types = BuiltInSchemas.registry.types.map(\.name)

  @Test("B's ids are unknown to A, by every verb, in the same words", arguments: types)
  func verbs(_ name: String) throws {
    let pair = try Pair()
    let type = try #require(pair.registry.type(named: name))
    let foreign = try #require(pair.ofB[name])
    let before = try pair.b.client.snapshot()
    let sample = SampleResource(type: type, mark: "alpha")
    let attribute = try #require(sample.nameAttribute).name
    let patch = PatchBody.replace(attribute, "stolen")
    let conditions: [[(String, String)]] = [
      [], [("If-Match", "*")], [("If-Match", "W/\"1\"")], [("If-None-Match", "W/\"1\"")],
    ]
    for headers in conditions {
      for query in ["", "?attributes=id", "?excludedAttributes=\(attribute)"] {
        for (verb, body) in [("GET", nil), ("HEAD", nil), ("PUT", sample.full), ("PATCH", patch), ("DELETE", nil)]
          as [(String, JSON?)]
        {
          let theirs = try pair.a.client.send("\(verb) \(type.endpoint)/\(foreign)\(query)", body, headers: headers)
          let nobodys = try pair.a.client.send(
            "\(verb) \(type.endpoint)/00000000-0000-7000-8000-000000000000\(query)", body, headers: headers)
          #expect(theirs.status == 404, "\(theirs)")
          #expect(theirs.answer.body == nobodys.answer.body, "\(theirs)")
          #expect(theirs.answer.headers == nobodys.answer.headers, "\(theirs)")
        }
      }
    }
    func bulk(_ id: String) throws -> Reply {
      let path = JSON.string("\(type.endpoint)/\(id)")
      return try pair.a.client.send(
        "POST /Bulk",
        [
          "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
          "Operations": [
            ["method": "PUT", "path": path, "data": sample.full], ["method": "PATCH", "path": path, "data": patch],
            ["method": "DELETE", "path": path],
          ],
        ])
    }
    let theirs = try bulk(foreign)
    #expect(theirs["Operations"]?.arrayValue?.map { $0["status"] } == ["404", "404", "404"], "\(theirs)")
    #expect(theirs.text == (try bulk("nobody")).text.replacing("nobody", with: foreign))
    #expect(try pair.b.client.snapshot() == before)
    #expect(try pair.a.client.send("GET /").total == 0)
  }

  @Test("B's ids under other types' addresses are unknown to B as well", arguments: types)
  func otherType(_ name: String) throws {
    let pair = try Pair()
    let id = try #require(pair.ofB[name])
    for type in pair.registry.types where type.name != name {
      expectError(try pair.b.client.send("GET \(type.endpoint)/\(id)"), 404)
      expectError(try pair.b.client.send("DELETE \(type.endpoint)/\(id)"), 404)
    }
    #expect(try pair.b.client.snapshot()["totalResults"] == .integer(Int64(pair.registry.types.count)))
  }

  @Test(
    "The same names and external ids in both; lists, filters, totals and sorts of A never hold B's", arguments: types)
  func lists(_ name: String) throws {
    let pair = try Pair()
    let type = try #require(pair.registry.type(named: name))
    let foreign = try #require(pair.ofB[name])
    let before = try pair.b.client.snapshot()
    let sample = SampleResource(type: type, mark: "bravo")
    // Nothing of B is found before A has anything.
    let leaves = sample.leaves
    for leaf in leaves {
      for filter in ["\(leaf.path) eq \(leaf.literal.plainInQuery)", "\(leaf.path) pr", "\(leaf.path) ne \"x\""] {
        let found = try pair.a.client.send("GET \(type.endpoint)?filter=\(filter)")
        guard found.status == 200 else { continue }
        #expect(found.total == 0 && found.resources.isEmpty, "\(found)")
      }
    }
    let own = try pair.a.client.create(type.endpoint, sample.full)
    #expect(own.id != foreign)
    var requests = [
      type.endpoint, "/", "\(type.endpoint)?sortBy=id&sortOrder=descending", "\(type.endpoint)?cursor=&count=1",
      "\(type.endpoint)?count=1", "\(type.endpoint)?filter=id ne \"x\"", "\(type.endpoint)?filter=not (id eq \"x\")",
      "/?filter=meta.resourceType eq \"\(name)\"", "\(type.endpoint)?filter=externalId eq \"bravo-externalId\"",
    ]
    requests += leaves.map { "\(type.endpoint)?filter=\($0.path) eq \($0.literal.plainInQuery)&sortBy=\($0.path)" }
    for request in requests {
      let list = try pair.a.client.send("GET \(request)")
      #expect(list.status == 200 && list.total == 1 && list.ids == [own.id], "\(list)")
      #expect(list["nextCursor"] == nil)
    }
    for (request, total) in [("\(type.endpoint)?count=0", 1), ("\(type.endpoint)?filter=id eq \"\(foreign)\"", 0)] {
      let list = try pair.a.client.send("GET \(request)")
      #expect(list.total == Int64(total) && list.ids.isEmpty, "\(list)")
    }
    #expect(try pair.b.client.snapshot() == before)
    #expect(try pair.a.client.send("DELETE \(type.endpoint)/\(own.id)").status == 204)
    #expect(try pair.b.client.snapshot() == before)
  }

  @Test("B's members, named by A, are unknown: POST, PUT, PATCH, Bulk")
  func members() throws {
    let pair = try Pair()
    let before = try pair.b.client.snapshot()
    let group = try pair.a.client.create("/Groups", ["schemas": [Self.groupURN], "displayName": "Ours"])
    for type in ["User", "Group"] {
      let foreign = try #require(pair.ofB[type])
      func replies(_ id: String) throws -> [Reply] {
        let member: JSON = ["value": .string(id)]
        let body: JSON = ["schemas": [Self.groupURN], "displayName": "Theirs", "members": [member]]
        return [
          try pair.a.client.send("POST /Groups", body),
          try pair.a.client.send("PUT /Groups/\(group.id)", body),
          try pair.a.client.send("PATCH /Groups/\(group.id)", PatchBody.make([("add", "members", [member])])),
          try pair.a.client.send("PATCH /Groups/\(group.id)", PatchBody.make([("replace", "members", [member])])),
          try pair.a.client.send("PATCH /Groups/\(group.id)", PatchBody.make([("add", nil, ["members": [member]])])),
          try pair.a.client.send(
            "PATCH /Groups/\(group.id)", PatchBody.make([("replace", "members[value eq \"\(id)\"]", member)])),
          try pair.a.client.send(
            "POST /Bulk",
            [
              "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
              "Operations": [
                ["method": "POST", "path": "/Groups", "data": body],
                ["method": "PUT", "path": .string("/Groups/\(group.id)"), "data": body],
                [
                  "method": "PATCH", "path": .string("/Groups/\(group.id)"),
                  "data": PatchBody.make([("add", "members", [member])]),
                ],
              ],
            ]),
        ]
      }
      let unknown = "00000000-0000-7000-8000-000000000000"
      for (theirs, nobodys) in zip(try replies(foreign), try replies(unknown)) {
        #expect(theirs.status == nobodys.status, "\(theirs)")
        #expect(theirs.text == nobodys.text.replacing(unknown, with: foreign), "\(theirs)")
        #expect(theirs.status == 400 || theirs["Operations"]?.arrayValue?.allSatisfy { $0["status"] == "400" } == true)
      }
      // Removing what is not a member is no change, whoever it belongs to.
      let removed = try pair.a.client.send(
        "PATCH /Groups/\(group.id)", PatchBody.make([("remove", "members[value eq \"\(foreign)\"]", nil)]))
      #expect(removed.status == 200 && removed.version == group.version, "\(removed)")
      for path in ["/Groups", "/Users"] {
        for filter in ["members.value eq \"\(foreign)\"", "groups.value eq \"\(foreign)\""] {
          let found = try pair.a.client.send("GET \(path)?filter=\(filter)")
          #expect(found.status == 400 || found.total == 0, "\(found)")
        }
      }
    }
    #expect(try pair.a.client.send("GET /Groups/\(group.id)").json == group.json)
    #expect(try pair.a.client.send("GET /").total == 1)
    #expect(try pair.b.client.snapshot() == before)
  }

  @Test("B's catalogue, named by A, matches nothing", arguments: [Organization.Catalog.open, .closed])
  func catalog(_ catalog: Organization.Catalog) throws {
    let pair = try Pair(catalog: catalog)
    let before = try pair.b.client.snapshot()
    let names: [(attribute: String, value: String)] = [
      ("roles", try #require(pair.ofB["Role"])), ("roles", "bravo-displayName"), ("roles", "bravo-value"),
      ("entitlements", try #require(pair.ofB["Characteristic"])), ("entitlements", "bravo-displayName"),
    ]
    let plain = try pair.a.client.create("/Users", ["schemas": [Self.userURN], "userName": "plain"])
    for (number, name) in names.enumerated() {
      let elements: JSON = [["value": .string(name.value)]]
      let body: JSON = [
        "schemas": [Self.userURN], "userName": .string("user\(number)"), name.attribute: elements,
      ]
      let replies = [
        try pair.a.client.send("POST /Users", body), try pair.a.client.send("PUT /Users/\(plain.id)", body),
        try pair.a.client.send("PATCH /Users/\(plain.id)", PatchBody.make([("add", name.attribute, elements)])),
      ]
      for reply in replies {
        switch catalog {
        case .closed:
          expectError(reply, 400, "invalidValue")
          #expect(reply["detail"]?.stringValue?.contains(name.value) == true)
        case .open:
          guard reply.status == 409 || reply.status < 300 else {
            expect(reply, 200)
            continue
          }
          if reply.status < 300 {
            let element = reply[name.attribute]?.arrayValue?.first { $0["value"] == .string(name.value) }
            #expect(element != nil && element?["$ref"] == nil && element?["display"] == nil, "\(reply)")
          }
        }
      }
      if catalog == .closed { #expect(try pair.a.client.send("GET /Users/\(plain.id)").json == plain.json) }
    }
    #expect(try pair.b.client.snapshot() == before)
  }

  @Test("B's cursor is none of A's")
  func cursor() throws {
    let pair = try Pair()
    for tenant in [pair.a, pair.b] {
      for number in 0..<5 {
        _ = try tenant.client.create(
          "/Users", ["schemas": [Self.userURN], "userName": .string("user\(number)@\(tenant.organization.name)")])
      }
    }
    for query in ["", "&sortBy=userName", "&filter=userName pr"] {
      let page = try pair.b.client.send("GET /Users?cursor=&count=2\(query)")
      let cursor = try #require(page["nextCursor"]?.stringValue)
      expect(try pair.b.client.send("GET /Users?cursor=\(cursor)&count=2\(query)"), 200)
      expectError(try pair.a.client.send("GET /Users?cursor=\(cursor)&count=2\(query)"), 400, "invalidCursor")
    }
    var seen: [String] = []
    var cursor: String? = ""
    while let text = cursor, seen.count < 20 {
      let page = try pair.a.client.send("GET /Users?cursor=\(text)&count=2")
      #expect(page.total == 5 && !page.text.contains("b.example"))
      seen += page.ids
      cursor = page["nextCursor"]?.stringValue
    }
    #expect(seen.count == 5 && Set(seen).count == 5)
  }

  @Test("No answer to A holds anything of B")
  func leaks() throws {
    let pair = try Pair()
    _ = try Pair.fill(pair.a.client, registry: pair.registry, mark: "alpha")
    let before = try pair.b.client.snapshot()
    var requests = ["GET /", "GET /?cursor=", "GET /?sortBy=id", "GET /Schemas", "GET /ResourceTypes"]
    for type in pair.registry.types {
      requests += [
        "GET \(type.endpoint)", "GET \(type.endpoint)?sortBy=meta.lastModified&sortOrder=descending",
        "GET \(type.endpoint)?filter=id pr", "GET \(type.endpoint)?filter=meta.created gt \"2000-01-01T00:00:00Z\"",
      ]
    }
    for request in requests {
      let reply = try pair.a.client.send(request)
      #expect(reply.status == 200, "\(reply)")
      #expect(!reply.text.contains("bravo"), "\(reply)")
      for id in pair.ofB.values { #expect(!reply.text.contains(id), "\(reply)") }
    }
    // And the other way round.
    #expect(!String(decoding: before.encoded(), as: UTF8.self).contains("alpha"))
    #expect(try pair.b.client.snapshot() == before)
  }

  static let userURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:User"
  static let groupURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:Group"
}
