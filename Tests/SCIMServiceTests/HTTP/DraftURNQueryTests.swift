import SCIMCore
import Testing

/// Other spellings of the URNs of built-in schemas are read in queries as in bodies and paths.
@Suite("Spellings of URNs in queries")
struct DraftURNQueryTests {
  private static let user = "urn:ietf:params:scim:schemas:core:2.0:User"
  private static let enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
  private static let cores = [
    user, "urn:scim:schemas:core:2.0", "urn:scim:schemas:core:2.0:User", "URN:scim:Schemas:core:2.0",
    "urn:ietf:params:scim:schemas:core:2.0User",
  ]
  private static let enterprises = [
    enterprise, "urn:scim:schemas:extension:enterprise:2.0", "urn:scim:schemas:extension:enterprise:2.0:User",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0User",
  ]

  private func tenant() throws -> (tenant: Tenant, ids: [String]) {
    let tenant = try Tenant(Harness())
    var ids: [String] = []
    for (name, department) in [("ann", "Zoo"), ("bob", "Art")] {
      ids.append(
        try tenant.client.create(
          "/Users",
          [
            "schemas": [.string(Self.user), .string(Self.enterprise)], "userName": .string(name), "title": "Dr",
            Self.enterprise: ["department": .string(department)],
          ]
        ).id)
    }
    return (tenant, ids)
  }

  @Test(
    "filter, sortBy, attributes and excludedAttributes of every place that takes them", arguments: cores, enterprises)
  func queries(core: String, enterprise: String) throws {
    let (tenant, ids) = try tenant()
    let client = tenant.client
    let simple = "\(core):userName eq \"ann\" and \(enterprise):department sw \"z\""
    #expect(try client.send("GET /Users?filter=\(simple)").ids == [ids[0]])
    #expect(try client.send("GET /?filter=\(simple)").ids == [ids[0]])
    #expect(try client.send("GET /Users?sortBy=\(enterprise):department").ids == [ids[1], ids[0]])
    #expect(try client.send("GET /Users?sortBy=\(core):userName&sortOrder=descending").ids == [ids[1], ids[0]])
    for target in ["/Users/\(ids[0])?", "/Users?filter=\(simple)&"] {
      let reply = try client.send("GET \(target)attributes=\(core):title,\(enterprise):department")
      let shown = reply.resources.first ?? reply.json
      #expect(shown?["title"] == "Dr" && shown?["userName"] == nil, "\(reply)")
      #expect(shown?[Self.enterprise] == ["department": "Zoo"], "\(reply)")
      let rest = try client.send("GET \(target)excludedAttributes=\(core):title,\(enterprise)")
      let left = rest.resources.first ?? rest.json
      #expect(left?["title"] == nil && left?["userName"] == "ann" && left?[Self.enterprise] == nil, "\(rest)")
    }
    let search = try client.send(
      "POST /Users/.search",
      [
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": .string(simple),
        "sortBy": .string("\(enterprise):department"), "attributes": [.string("\(enterprise):department")],
      ])
    #expect(search.ids == [ids[0]] && search.resources.first?["title"] == nil, "\(search)")
  }

  @Test("A filter means the same the second time, with another value, and in strict no such name is known")
  func again() throws {
    let (tenant, ids) = try tenant()
    let draft = "urn:scim:schemas:core:2.0:userName"
    for (name, id) in zip(["ann", "bob"], ids) {
      #expect(try tenant.client.send("GET /Users?filter=\(draft) eq \"\(name)\"").ids == [id])
    }
    expectError(
      try tenant.client(profile: .strict).send("GET /Users?filter=\(draft) eq \"ann\""), 400, "invalidFilter")
  }

  @Test("The draft's core URN is that of the type which is asked for")
  func types() throws {
    let client = try tenant().tenant.client
    let id = try client.create(
      "/Groups", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "Crew"]
    ).id
    #expect(try client.send("GET /Groups?filter=urn:scim:schemas:core:2.0:displayName eq \"crew\"").ids == [id])
    #expect(try client.send("GET /?filter=urn:scim:schemas:core:2.0:displayName eq \"crew\"").ids == [id])
    expectError(
      try client.send("GET /Groups?filter=urn:scim:schemas:core:2.0:User:displayName eq \"crew\""), 400,
      "invalidFilter")
  }
}
