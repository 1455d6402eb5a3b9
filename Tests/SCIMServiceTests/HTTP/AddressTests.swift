import Foundation
import SCIMCore
import SCIMService
import Testing

/// Where the URIs in answers come from.
@Suite("Addresses")
struct AddressTests {
  private static let userURN: JSON = "urn:ietf:params:scim:schemas:core:2.0:User"

  /// Every URI that answers hold: of users with groups and roles, groups with members, lists, Bulk, discovery.
  private static func uris(_ client: Client, headers: [(String, String)]) throws -> [String] {
    let role = try client.send(
      "POST /Roles", ["schemas": ["urn:okta:scim:schemas:core:1.0:Role"], "displayName": "Clerk"], headers: headers)
    let user = try client.send(
      "POST /Users",
      ["schemas": [userURN], "userName": "ann", "roles": [["value": .string(role.id)]]], headers: headers)
    let group = try client.send(
      "POST /Groups",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "All",
        "members": [["value": .string(user.id)]],
      ], headers: headers)
    let bulk = try client.send(
      "POST /Bulk",
      [
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
        "Operations": [
          ["method": "POST", "path": "/Users", "data": ["schemas": [userURN], "userName": "bob"]],
          ["method": "PATCH", "path": .string("/Users/\(user.id)"), "data": PatchBody.replace("title", "x")],
          ["method": "DELETE", "path": "/Users/nobody"],
        ],
      ], headers: headers)
    var replies = [role, user, group, bulk]
    for request in [
      "GET /", "GET /Users", "GET /Users/\(user.id)", "GET /Groups/\(group.id)", "GET /Schemas", "GET /ResourceTypes",
      "GET /ServiceProviderConfig", "GET /ResourceTypes/User",
      "GET /Users/\(user.id)?attributes=roles,groups,meta.location",
    ] {
      replies.append(try client.send(request, headers: headers))
    }
    for reply in replies { #expect(reply.status < 300, "\(reply)") }
    var found = replies.compactMap { $0.header("Location") }
    // Three made, three read by themselves.
    #expect(found.count == 6)
    func collect(_ value: JSON) {
      switch value {
      case .array(let items): items.forEach(collect)
      case .object(let object):
        for member in object.members {
          if ["$ref", "location"].contains(member.key), let text = member.value.stringValue { found.append(text) }
          collect(member.value)
        }
      default: break
      }
    }
    for reply in replies { collect(reply.json ?? .null) }
    #expect(found.count > 30)
    return found
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var baseURL: String?
    var trustsProxy = false
    var headers: [(String, String)] = []
    var expected: String

    var testDescription: String { name }
  }

  static let forwarded = [
    ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "scim.acme.example"), ("X-Forwarded-Prefix", "/x/"),
  ]
  static let rows: [Row] = [
    Row(name: "the request's Host", expected: "http://evil.acme.example:8080/scim/v2/"),
    Row(
      name: "a base URL whatever Host says", baseURL: "https://scim.acme.example/x/scim/v2",
      expected: "https://scim.acme.example/x/scim/v2/"),
    Row(
      name: "a base URL whatever a proxy says", baseURL: "https://scim.acme.example/x/scim/v2", trustsProxy: true,
      headers: [("X-Forwarded-Host", "other.example")], expected: "https://scim.acme.example/x/scim/v2/"),
    Row(name: "X-Forwarded without trust", headers: forwarded, expected: "http://evil.acme.example:8080/scim/v2/"),
    Row(
      name: "X-Forwarded with trust", trustsProxy: true, headers: forwarded,
      expected: "https://scim.acme.example/x/scim/v2/"),
    Row(
      name: "the first of several proxies", trustsProxy: true,
      headers: [("X-Forwarded-Proto", "https, http"), ("X-Forwarded-Host", "scim.acme.example, inner:81")],
      expected: "https://scim.acme.example/scim/v2/"),
    Row(
      name: "forwarded rubbish with trust", trustsProxy: true,
      headers: [
        ("X-Forwarded-Proto", "javascript"), ("X-Forwarded-Host", "a\"b/<c>"), ("X-Forwarded-Prefix", "//evil.example"),
      ], expected: "http://evil.acme.example:8080/scim/v2/"),
  ]

  @Test(
    "A forwarded prefix that leads elsewhere, or a host that is none, is not taken",
    arguments: [
      ("X-Forwarded-Prefix", "/../.."), ("X-Forwarded-Prefix", "/a/../b"), ("X-Forwarded-Prefix", "/./a"),
      ("X-Forwarded-Prefix", "/a//b"), ("X-Forwarded-Prefix", "a"), ("X-Forwarded-Prefix", "/a b"),
      ("X-Forwarded-Host", "a:99999"), ("X-Forwarded-Host", ":80"), ("X-Forwarded-Host", "a:b:c"),
      ("X-Forwarded-Host", "[::1"), ("X-Forwarded-Host", "a/../b"), ("X-Forwarded-Proto", "ftp"),
    ])
  func forwardedRubbish(_ name: String, _ value: String) throws {
    let harness = try Harness { $0.trustsProxy = true }
    let client = try Tenant(harness, wire: MemoryWire(service: harness.service, authority: "acme.example:8080")).client
    for uri in try Self.uris(client, headers: [(name, value)]) {
      #expect(uri.hasPrefix("http://acme.example:8080/scim/v2/"), "\(uri)")
    }
  }

  @Test("All URIs begin with", arguments: rows)
  func base(_ row: Row) throws {
    let harness = try Harness {
      $0.baseURL = row.baseURL
      $0.trustsProxy = row.trustsProxy
    }
    let wire = try MemoryWire(service: harness.service, authority: "evil.acme.example:8080")
    let client = try Tenant(harness, wire: wire).client
    for uri in try Self.uris(client, headers: row.headers) {
      #expect(uri.hasPrefix(row.expected), "\(uri)")
      #expect(!uri.dropFirst(8).contains("//"), "\(uri)")
    }
  }

  @Test("A service under a base URL answers at that path and at its own")
  func paths() throws {
    let harness = try Harness { $0.baseURL = "https://scim.acme.example/x/scim/v2" }
    let client = try Tenant(harness).client
    for (path, status) in [
      ("/x/scim/v2/Users", 200), ("/scim/v2/Users", 200), ("/scim/v2/Users/", 200), ("/scim/v2//Users//", 200),
      ("/x/Users", 404), ("/Users", 404), ("/scim/v2Users", 404), ("/scim/vx/Users", 404), ("/scim/v/Users", 404),
      ("/", 404), ("/scim/v1/Users", 400), ("/scim/v1.1/Users", 400), ("/scim/v3", 400), ("/scim/v22/Users", 400),
    ] {
      let reply = try client.sendRaw("GET", target: path)
      #expect(reply.status == status, "\(reply)")
      if status == 404 { expectError(reply, 404) }
      if status == 400 { expectError(reply, 400, "invalidVers") }
    }
  }

  @Test("An id that needs escaping is escaped in every URI and found by it")
  func escaped() throws {
    let tenant = try Tenant(Harness())
    let type = try #require(BuiltInSchemas.registry.type(named: "Characteristic"))
    let writer = ResourceWriter(
      registry: BuiltInSchemas.registry, organization: tenant.organization, profile: .interop, hashPassword: { $0 })
    let resource = try writer.normalize(
      ["schemas": [.string(type.schema.id)], "displayName": "Odd"], type: type)
    _ = try tenant.harness.store.tenant(tenant.organization.id).writeAndWait { (transaction) throws(SCIMError) in
      try writer.create(resource, type: type, id: "a/b c?ü", in: transaction)
    }
    let listed = try tenant.client.send("GET /Characteristics").resources.first
    let location = try #require(listed?["meta"]?["location"]?.stringValue)
    #expect(location == "http://scim.test/scim/v2/Characteristics/a%2Fb%20c%3F%C3%BC")
    let read = try tenant.client.sendRaw("GET", target: String(location.dropFirst("http://scim.test".count)))
    expect(read, 200, ["id": "a/b c?ü", "displayName": "Odd"])
  }
}
