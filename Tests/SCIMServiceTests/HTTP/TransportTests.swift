import Foundation
import SCIMCore
import Testing

@testable import HTTPServer

/// What only a real connection shows: compression, targets as they are written, media types, time.
@Suite("Over the wire")
struct TransportTests {
  private static let user: JSON = [
    "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann \"the\" boss+1@acme.example",
  ]

  private static func serving(_ body: (Client) throws -> Void) throws {
    let harness = try Harness()
    let key = try harness.key(of: harness.organization("acme.example"))
    let server = try harness.serve()
    defer { server.stop() }
    try body(Client(wire: SocketWire(port: server.port), key: key))
  }

  @Test("gzip both ways: the same content")
  func gzip() throws {
    try Self.serving { client in
      let gzip = Gzip()
      let packed = try #require(gzip.compress(Self.user.encoded()))
      let made = try client.send("POST /Users", bytes: packed, headers: [("Content-Encoding", "gzip")])
      expect(made, 201, ["userName": Self.user["userName"] ?? .null])
      let plain = try client.send("GET /Schemas")
      #expect(plain.header("Content-Encoding") == nil)
      let small = try client.send("GET /Schemas", headers: [("Accept-Encoding", "gzip")])
      #expect(small.status == 200 && small.header("Content-Encoding") == "gzip")
      #expect(small.header("Vary")?.lowercased().contains("accept-encoding") == true)
      #expect(small.header("Content-Type") == "application/scim+json")
      #expect(small.answer.body.count < plain.answer.body.count / 2)
      #expect(try gzip.expand(small.answer.body, limit: 1 << 22).get() == plain.answer.body)
      let none = try client.send("GET /Schemas", headers: [("Accept-Encoding", "gzip;q=0")])
      #expect(none.header("Content-Encoding") == nil)
    }
  }

  @Test("Credentials in two fields are 400, the same twice too, and no key is asked for")
  func twoCredentials() throws {
    try Self.serving { client in
      let key = try #require(client.key)
      for other in [key, "nobody"] {
        let reply = try client.send(
          "GET /Users", headers: [("Authorization", "Bearer \(key)"), ("authorization", "Bearer \(other)")])
        #expect(reply.status == 400, "\(reply)")
        #expect(reply.header("WWW-Authenticate") == nil)
      }
      expect(try client.send("GET /Users"), 200)
    }
  }

  @Test("A small gzip body that unpacks to more than the limit: 413, nothing stored")
  func bomb() throws {
    try Self.serving { client in
      let gzip = Gzip()
      var body = Array(#"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":""#.utf8)
      body += [UInt8](repeating: 0x61, count: 8 << 20)
      body += Array(#""}"#.utf8)
      let packed = try #require(gzip.compress(body))
      #expect(packed.count < 64 << 10)
      expectError(try client.send("POST /Users", bytes: packed, headers: [("Content-Encoding", "gzip")]), 413)
      expectError(
        try client.send("POST /Users", bytes: Array(packed.prefix(100)), headers: [("Content-Encoding", "gzip")]), 400)
      expectError(
        try client.send("POST /Users", bytes: packed, headers: [("Content-Encoding", "br")]), 415)
      // A client that is not known learns nothing of its body, since nothing is inflated for it.
      let stranger = Client(wire: client.wire, key: "nobody")
      for body in [packed, Array(packed.prefix(100))] {
        expectError(try stranger.send("POST /Users", bytes: body, headers: [("Content-Encoding", "gzip")]), 401)
      }
      #expect(try client.send("GET /Users").total == 0)
    }
  }

  @Test("Raw quotes in a filter are taken as if encoded; + and %20 are blanks, %2B is a plus, decoded once")
  func quotes() throws {
    try Self.serving { client in
      let made = try client.create("/Users", Self.user)
      for (filter, isFound) in [
        (#"userName%20eq%20"ann%20\"the\"%20boss%2B1@acme.example""#, true),
        (#"userName+eq+"ann+\"the\"+boss%2B1@acme.example""#, true),
        (#"userName%20eq%20%22ann%20%5C%22the%5C%22%20boss%2B1%40acme.example%22"#, true),
        (#"userName%20eq%20"ann%20\"the\"%20boss+1@acme.example""#, false),
        (#"userName%20eq%20"ann%2520\"the\"%20boss%2B1@acme.example""#, false),
      ] {
        let reply = try client.sendRaw("GET", target: "/scim/v2/Users?filter=\(filter)")
        #expect(reply.status == 200 && reply.ids == (isFound ? [made.id] : []), "\(reply)")
      }
    }
  }

  @Test(
    "The answer's type follows Accept; a body's type may carry parameters",
    arguments: [
      ("application/scim+json", "application/scim+json"), ("application/json", "application/json"),
      ("*/*", "application/scim+json"), ("application/json, application/scim+json", "application/scim+json"),
      ("text/html", "application/scim+json"), ("application/json;q=0.5, text/html", "application/json"),
    ])
  func mediaTypes(_ accept: String, expected: String) throws {
    try Self.serving { client in
      for request in ["GET /Users", "GET /Users/nobody", "GET /ServiceProviderConfig", "GET /Nothing"] {
        let reply = try client.send(request, headers: [("Accept", accept)])
        #expect(reply.header("Content-Type") == expected, "\(reply)")
      }
      let made = try client.send(
        "POST /Users", Self.user,
        headers: [("Accept", accept), ("Content-Type", "Application/JSON; charset=\"UTF-8\"")])
      #expect(made.status == 201 && made.header("Content-Type") == expected, "\(made)")
    }
  }

  @Test("OPTIONS and HEAD")
  func otherMethods() throws {
    try Self.serving { client in
      let made = try client.create("/Users", Self.user)
      let options = try client.send("OPTIONS /Users/\(made.id)")
      #expect(options.status == 204 && options.header("Allow")?.contains("PATCH") == true)
      let head = try client.send("HEAD /Users/\(made.id)")
      let get = try client.send("GET /Users/\(made.id)")
      #expect(head.status == 200 && head.header("ETag") == get.header("ETag"))
      #expect(head.header("Content-Length") == get.header("Content-Length"))
      #expect(head.answer.body.isEmpty)
      // RFC 9110 section 9.3.7: of the server as a whole.
      #expect(try client.sendRaw("OPTIONS", target: "*").status == 204)
      #expect(try client.sendRaw("GET", target: "*").status == 400)
    }
  }

  @Test("Times are right instants in UTC, wherever the server runs")
  func timeZone() async throws {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "Asia/Kolkata", 1)
      tzset()
      let client = try Tenant(Harness()).client
      let before = Timestamp.now
      let made = try client.create(
        "/Users", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann"])
      let after = Timestamp.now
      let text = try #require(made["meta"]?["created"]?.stringValue)
      let created = try #require(Timestamp(parsing: text))
      try #require(text.hasSuffix("Z") && before <= created && created <= after)
      let seconds = Int(Date().timeIntervalSince1970)
      try #require(abs(Int(created.milliseconds / 1000) - seconds) < 60)
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      let oracle = try #require(formatter.date(from: text))
      try #require(abs(Int(oracle.timeIntervalSince1970) - seconds) < 60)
    }
  }
}
