import Foundation
import HTTPMessage
import HTTPServer
import SCIMCore
import SCIMService
import Synchronization
import Testing

/// Own types as their clients meet them, over a real socket.
@Suite("Own types over a socket")
struct OrganizationsWalkTests {
  private typealias Samples = DefinitionSamples

  /// What a client that knows no type by name finds: /ResourceTypes, their /Schemas, and each endpoint, page by page.
  private func discover(_ client: Client, page: Int = 2) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for type in try client.send("GET /ResourceTypes").resources {
      let endpoint = try #require(type["endpoint"]?.stringValue)
      let urns = [type["schema"]] + (type["schemaExtensions"]?.arrayValue ?? []).map { $0["schema"] }
      for urn in urns.compactMap({ $0?.stringValue }) {
        let schema = try client.send("GET /Schemas/\(urn)")
        expect(schema, 200)
        #expect(schema["attributes"]?.arrayValue?.isEmpty == false)
      }
      var names: [String] = []
      var total: Int64
      repeat {
        let reply = try client.send("GET \(endpoint)?startIndex=\(names.count + 1)&count=\(page)")
        total = try #require(reply.total)
        #expect(reply["itemsPerPage"] == .integer(Int64(reply.resources.count)))
        names += reply.resources.compactMap { ($0["displayName"] ?? $0["userName"])?.stringValue }
        if reply.resources.isEmpty { break }
      } while names.count < total
      #expect(Int64(names.count) == total)
      found[endpoint] = names
    }
    return found
  }

  /// Who holds what, as a reader key finds it over SCIM: all users by cursor, and what each catalogue entry contains.
  private func accessReport(_ reader: Client) throws -> [String] {
    var rows: [String] = []
    var cursor: String? = ""
    while let place = cursor {
      let page = try reader.send("GET /Users?cursor=\(place)&count=1&attributes=userName,entitlements")
      expect(page, 200)
      for user in page.resources {
        for held in user["entitlements"]?.arrayValue ?? [] where held["$ref"] != nil {
          rows.append(
            [user["userName"], held["type"], held["display"]].map { $0?.stringValue ?? "-" }.joined(separator: " "))
        }
      }
      cursor = page["nextCursor"]?.stringValue
    }
    return rows
  }

  @Test("Two organisations with types of the same names: discovered, assigned, renamed, retired, nothing leaks")
  func walk() throws {
    let harness = try Harness()
    let server = try harness.serve()
    defer { server.stop() }
    let wire = SocketWire(port: server.port)
    let one = try Tenant(harness, name: "one.example", wire: wire)
    let two = try Tenant(harness, name: "two.example", wire: wire)
    let profileURN = "urn:two:scim:schemas:extension:app:1.0:Profile"

    try Samples.defineLicenses(one.client, [("seats", [("type", "integer")])])
    _ = try one.client.create("/ResourceTypes", Samples.type("Profile", "/Profiles", extensions: [Samples.assignments]))
    try Samples.defineLicenses(two.client, [("region", [("required", true)])])
    _ = try two.client.create("/Schemas", Samples.schema(profileURN, [("level", [("type", "decimal")])]))
    _ = try two.client.create(
      "/ResourceTypes", Samples.type("Profile", "/Profiles", extensions: [profileURN, Samples.assignments]))

    var entitlements: [JSON] = []
    for name in ["Pro", "Lite", "Free"] {
      let made = try one.client.create("/Licenses", Samples.license(name, ["seats": 5]))
      entitlements.append(["value": .string(made.id), "type": "License"])
    }
    let profile = try one.client.create("/Profiles", Samples.license("Admin"))
    entitlements.append(["value": .string(profile.id), "type": "Profile"])
    expectError(try two.client.send("POST /Licenses", Samples.license("Pro", ["region": ""])), 400, "invalidValue")
    let foreign = try two.client.create("/Licenses", Samples.license("Pro", ["region": "EU"]))

    let provisioner = try one.client(role: .provisioner)
    #expect(
      try discover(provisioner) == [
        "/Users": [], "/Groups": [], "/Roles": [], "/Characteristics": [], "/Licenses": ["Pro", "Lite", "Free"],
        "/Profiles": ["Admin"],
      ])
    #expect(try discover(two.client)["/Licenses"] == ["Pro"])

    // As Okta assigns: the whole user with entitlements of several types.
    let user = try provisioner.create("/Users", ["schemas": [.string(Samples.user)], "userName": "ann"])
    let whole: JSON = [
      "schemas": [.string(Samples.user)], "userName": "ann", "entitlements": .array(entitlements),
    ]
    let assigned = try provisioner.send("PUT /Users/\(user.id)", whole)
    #expect(
      assigned["entitlements"]?.arrayValue?.compactMap { $0["display"]?.stringValue } == [
        "Pro", "Lite", "Free", "Admin",
      ])
    let pro = try #require(entitlements[0]["value"]?.stringValue)
    // The id of another organisation's licence is a word like any other: it stays unlinked.
    let stranger = try provisioner.create(
      "/Users",
      ["schemas": [.string(Samples.user)], "userName": "bob", "entitlements": [["value": .string(foreign.id)]]])
    #expect(
      stranger["entitlements"]?[0]?["$ref"] == nil && stranger["entitlements"]?[0]?["display"] == nil, "\(stranger)")

    expect(try one.client.send("PATCH /Licenses/\(pro)", PatchBody.replace("displayName", "Professional")), 200)
    let reader = try one.client(role: .reader)
    let holders = "GET /Users?filter=entitlements[type eq \"License\" and display eq \"professional\"]"
    #expect(try reader.send(holders).ids == [user.id])
    #expect(
      try reader.send("GET /Licenses?filter=\(Samples.assignments):totalAssignmentsUsed eq 0").total == 0)
    #expect(
      try accessReport(reader) == [
        "ann License Professional", "ann License Lite", "ann License Free", "ann Profile Admin",
      ])
    #expect(try accessReport(two.client(role: .reader)) == [])
    expectError(try reader.send("DELETE /Licenses/\(pro)"), 403)
    expectError(try two.client.send("GET /Licenses/\(pro)"), 404)
    #expect(try two.client.send("GET /Users").total == 0)

    expectError(try one.client.send("DELETE /ResourceTypes/License"), 409)
    #expect(try one.client.send("DELETE /ResourceTypes/License?force=true").status == 204)
    let after = try reader.send("GET /Users/\(user.id)")
    #expect(after["entitlements"]?.arrayValue?.compactMap { $0["display"]?.stringValue } == ["Admin"], "\(after)")
    expectError(try reader.send("GET /Licenses"), 404)
    #expect(try discover(two.client)["/Licenses"] == ["Pro"])
    #expect(try harness.store.makeCheck().run() == [])
  }

  @Test("A limit of 100 under 32 clients that assign 200 users: exactly 100 hold it")
  func limit() throws {
    let harness = try Harness()
    let server = try harness.serve()
    defer { server.stop() }
    let client = try Tenant(harness, wire: SocketWire(port: server.port)).client
    try Samples.defineLicenses(client)
    let license = try client.create(
      "/Licenses",
      Samples.license(
        "Pro", assignments: ["limitedAssignmentsPermitted": true, "totalAssignmentsPermitted": 100]))
    let users = try Parallel.map(200) { index in
      try client.create("/Users", ["schemas": [.string(Samples.user)], "userName": .string("user\(index)")]).id
    }
    let element: JSON = ["value": .string(license.id), "type": "License"]
    let replies = try Parallel.map(200, threads: 32) { index in
      try client.send("PATCH /Users/\(users[index])", PatchBody.make([("add", "entitlements", [element])]))
    }
    #expect(replies.count { $0.status == 200 } == 100)
    for reply in replies where reply.status != 200 { expectError(reply, 400, "invalidValue") }
    #expect(
      try client.send("GET /Licenses/\(license.id)")[Samples.assignments]?["totalAssignmentsUsed"] == 100)
    let holders = try client.send("GET /Users?count=0&filter=entitlements.value eq \"\(license.id)\"")
    #expect(holders.total == 100)
  }

  @Test("20,000 entries of one type: each page holds what it says, and all are there once")
  func paging() throws {
    let harness = try Harness()
    let tenant = try Tenant(harness)
    let client = tenant.client
    try Samples.defineLicenses(client)
    let organization = tenant.organization
    for start in stride(from: 0, to: 20_000, by: 500) {
      try harness.store.tenant(organization.id).writeAndWait { (transaction) throws(SCIMError) in
        let registry = try transaction.registry()
        guard let type = registry.type(named: "License") else { throw SCIMError(.internalError, "no type") }
        let writer = ResourceWriter(registry: registry, organization: organization, profile: .strict) { $0 }
        for number in start..<start + 500 {
          let resource = try writer.normalize(Samples.license("L\(number)"), type: type)
          _ = try writer.create(resource, type: type, in: transaction)
        }
      }
    }
    var names: Set<String> = []
    var next = 1
    while next <= 20_000 {
      let count = next == 1 ? 999 : 1000
      let reply = try client.send("GET /Licenses?startIndex=\(next)&count=\(count)")
      #expect(reply.total == 20_000)
      #expect(reply["startIndex"] == .integer(Int64(next)))
      #expect(reply["itemsPerPage"] == .integer(Int64(min(count, 20_001 - next))))
      try #require(!reply.resources.isEmpty)
      for resource in reply.resources { names.insert(resource["displayName"]?.stringValue ?? "") }
      next += reply.resources.count
    }
    #expect(names.count == 20_000)
    expect(
      try client.send("GET /Licenses?startIndex=20001&count=10"), 200, ["totalResults": 20_000, "itemsPerPage": 0])
  }

  @Test("A write that was read by definitions which change before its turn is read anew")
  func outdated() throws {
    let harness = try Harness()
    let tenant = try Tenant(harness)
    try Samples.defineLicenses(tenant.client)
    let license = try tenant.client.create("/Licenses", Samples.license("Pro"))
    let writer = DefinitionWriter(base: BuiltInSchemas.registry)
    let organization = tenant.organization.id
    let isRunning = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    harness.store.tenant(organization).write(
      weight: 1,
      { (transaction) throws(SCIMError) in
        isRunning.signal()
        mayGo.wait()
        let schema = try transaction.definitions().first { $0.kind == .schema }
        guard var changed = schema else { throw SCIMError(.internalError, "no schema") }
        changed.document["attributes"] = [["name": "seats", "type": "integer"], ["name": "color", "type": "string"]]
        try writer.apply(.init(put: [changed]), in: transaction)
      }, completion: { _ in done.signal() })
    isRunning.wait()
    // Read, checked and queued by the definitions of before, which know no colour and would leave it out.
    let responder = try harness.service.makeResponder()
    var headers = HeaderFields()
    headers.append("Authorization", "Bearer \(tenant.client.key ?? "")")
    let request = Request(
      method: "PUT", path: "/scim/v2/Licenses/\(license.id)", query: nil, authority: "scim.test", headers: headers,
      body: Samples.license("Pro", ["color": "red"]).encoded())
    let answer = Mutex<Response?>(nil)
    let answered = DispatchSemaphore(value: 0)
    let ticket = Ticket { response in
      answer.withLock { $0 = response }
      answered.signal()
    }
    let immediate = responder.respond(to: request, later: { ticket })
    #expect(immediate == nil)
    if immediate != nil { answered.signal() }
    responder.idle()
    mayGo.signal()
    done.wait()
    answered.wait()
    let response = try #require(answer.withLock { $0 })
    #expect(response.status == 200)
    #expect(try JSON(parsing: response.body)[Samples.licenseURN] == ["color": "red"])
  }
}
