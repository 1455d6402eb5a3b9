import HTTPMessage
import SCIMCore
import SCIMService
import Synchronization
import Testing

/// An organisation whose clients leave much unread: what is short goes on, what is long is not begun.
@Suite("Unread answers")
struct UnreadAnswerTests {
  private static let user: JSON = ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann"]

  /// A harness that holds back as long as the switch is on: what waits is refused at once.
  private func harness(_ isFull: Switch) throws -> Harness {
    let harness = try Harness { $0.isHeldBack = { _ in isFull.isOn } }
    harness.store.workers.holdBack(patience: 0) { _ in isFull.isOn }
    return harness
  }

  private final class Switch: Sendable {
    private let state = Atomic(false)
    var isOn: Bool {
      get { state.load(ordering: .relaxed) }
      set { state.store(newValue, ordering: .relaxed) }
    }
  }

  @Test("Short reads are answered, long ones wait in vain, writes are 429 and change nothing; then all goes on")
  func heldBack() throws {
    let isFull = Switch()
    let client = try Tenant(harness(isFull)).client
    let made = try client.create("/Users", Self.user)
    isFull.isOn = true
    expect(try client.send("GET /Users/\(made.id)"), 200)
    for (request, body) in [
      ("GET /Schemas", nil), ("POST /Users", ["schemas": Self.user["schemas"] ?? .null, "userName": "bob"]),
      ("DELETE /Users/\(made.id)", nil),
    ] as [(String, JSON?)] {
      let reply = try client.send(request, body)
      expectError(reply, 429)
      #expect(reply.header("Retry-After") != nil)
    }
    #expect(try client.send("GET /Users").total == 1)
    isFull.isOn = false
    expect(try client.send("GET /Schemas"), 200)
    expect(try client.send("DELETE /Users/\(made.id)"), 204)
  }

  @Test("A remembered answer that is long is not given either")
  func remembered() throws {
    let isFull = Switch()
    let client = try Tenant(harness(isFull)).client
    let schema = "GET /Schemas/urn:ietf:params:scim:schemas:core:2.0:User"
    for _ in 0..<2 { expect(try client.send(schema), 200) }
    isFull.isOn = true
    expectError(try client.send(schema), 429)
  }

  @Test("An answer of 4 KiB is given, one that is a byte longer is not, whether it is made or remembered")
  func shortAnswers() throws {
    let isFull = Switch()
    let client = try Tenant(harness(isFull)).client
    func resize(_ id: String, to length: Int) throws {
      let now = try client.send("GET /Users/\(id)")
      let title = now["title"]?.stringValue?.utf8.count ?? 0
      let text = String(repeating: "x", count: title + length - now.answer.body.count)
      expect(try client.send("PATCH /Users/\(id)", PatchBody.replace("title", .string(text))), 200)
      #expect(try client.send("GET /Users/\(id)").answer.body.count == length)
    }
    var user = Self.user.objectValue ?? JSONObject()
    user["title"] = .string(String(repeating: "x", count: 2000))
    let id = try client.create("/Users", .object(user)).id
    for (length, status) in [(4096, 200), (4097, 429)] {
      try resize(id, to: length)
      isFull.isOn = true
      #expect(try client.send("GET /Users/\(id)").status == status)
      isFull.isOn = false
    }
  }

  @Test("A long body is judged by its head: key, rate, and what is unread")
  func verdicts() throws {
    let isFull = Switch()
    let harness = try harness(isFull)
    let tenant = try Tenant(harness)
    let responder = try harness.service.makeResponder()
    func status(_ key: String?) -> Int {
      var head = Request(method: "POST", path: "/scim/v2/Users", authority: "h", id: "x")
      if let key { head.headers.append("Authorization", "Bearer \(key)") }
      switch responder.verdict(on: head) {
      case .read(let account): return account == tenant.organization.id.rawValue ? 200 : 0
      case .refuse(let response): return response.status
      }
    }
    let key = tenant.client.key
    #expect(status(nil) == 401 && status("nobody") == 401 && status(key) == 200)
    isFull.isOn = true
    #expect(status(key) == 429)
  }
}
