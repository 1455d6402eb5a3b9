import HTTPMessage
import SCIMCore
import Testing

@testable import HTTPServer

/// How long a body may be where nothing is set: exactly that long, and one byte longer.
@Suite("Limits of bodies")
struct BodyLimitTests {
  private static let limit = 1 << 20

  /// A message with blanks behind it, so many bytes in all.
  private static func padded(_ text: String, _ count: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count)
  }

  private static func user(_ name: String) -> String {
    #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"\#(name)"}"#
  }

  private static let requests: [(request: String, text: String, status: Int)] = [
    ("POST /Users", user("bob"), 201), ("PUT /Users/ID", user("ann"), 200),
    (
      "PATCH /Users/ID",
      #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[]}"#, 200
    ),
    ("POST /Users/.search", #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:SearchRequest"]}"#, 200),
    (
      "POST /Bulk", #"{"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],"Operations":[]}"#, 200
    ),
  ]

  @Test("A body of 1 MiB is taken, plain and unpacked; of one byte more it is 413, and nothing changes")
  func oneMebibyte() throws {
    let harness = try Harness()
    let key = try harness.key(of: harness.organization("acme.example"))
    let server = try harness.serve()
    defer { server.stop() }
    let client = Client(wire: SocketWire(port: server.port), key: key)
    let id = try client.send("POST /Users", text: Self.user("ann")).id
    for (request, text, status) in Self.requests {
      let request = request.replacing("ID", with: id)
      let before = try client.snapshot()
      for excess in [1, 0] {
        for isPacked in [true, false] {
          let body = Self.padded(text, Self.limit + excess)
          let bytes = isPacked ? try #require(Gzip().compress(body)) : body
          let reply = try client.send(
            request, bytes: bytes, headers: isPacked ? [("Content-Encoding", "gzip")] : [])
          if excess == 1 {
            expectError(reply, 413)
            #expect(try client.snapshot() == before, "\(request)")
            if request == "POST /Bulk" {
              #expect(
                reply["detail"] == "The body is longer than maxPayloadSize (1048576 bytes).", "\(reply)")
            }
          } else {
            // What the second one creates has the name of the first.
            #expect(reply.status == status || reply.status == 409 && !isPacked, "\(reply)")
          }
        }
      }
    }
  }

  @Test("What the transport refuses for now is a SCIM error with Retry-After")
  func forNow() throws {
    let harness = try Harness()
    let responder = try harness.service.makeResponder()
    let head = Request(method: "POST", path: "/scim/v2/Users", authority: "h", id: "x")
    for fault in [Fault.tooManyConnections, .tooManyBodies, .stopping] {
      let response = responder.response(to: fault, head: head)
      #expect(response.status == 503)
      #expect(response.headers.contains { $0.name == "Retry-After" && $0.value == "1" })
      let body = try JSON(parsing: response.body)
      #expect(body["status"] == "503" && body["detail"]?.stringValue == fault.reason)
    }
    for fault in [Fault.targetTooLong, .headTooLarge, .tooManyFields, .bodyTooLarge, .tooSlow, .gzip] {
      let response = responder.response(to: fault, head: head)
      #expect(!response.headers.contains { $0.name == "Retry-After" })
      #expect(try JSON(parsing: response.body)["status"] == .string(String(fault.status)))
    }
  }
}
