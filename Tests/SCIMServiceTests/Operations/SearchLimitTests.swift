import SCIMCore
import SCIMSQL
import Synchronization
import Testing

@Suite("Limits of searches")
struct SearchLimitTests {
  private static let user: JSON = ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "kim"]

  @Test("A search beyond its time: 400 tooMany, without what was asked for; the next one is answered")
  func time() throws {
    // A clock that moves by a second with each look at it.
    let clock = Ticks()
    var options = SQLStoreOptions()
    options.queryTimeout = 1000
    options.clock = { clock.next() }
    let client = try Tenant(Harness(options: options)).client
    for number in 0..<20 {
      var user = Self.user.objectValue ?? JSONObject()
      user["userName"] = .string("user \(number)")
      _ = try client.create("/Users", .object(user))
    }
    let reply = try client.send("GET /Users?filter=userName co \"user\"")
    expectError(reply, 400, "tooMany")
    #expect(!reply.text.contains("user"))
    #expect(try client.send("GET /Users?filter=userName eq \"user 7\"").total == 1)
  }

  @Test("Too many waiting reads of an organisation: 429 with Retry-After")
  func waiting() throws {
    let client = try Tenant(Harness(workersRefuse: .tooManyWaiting)).client
    _ = try client.create("/Users", Self.user)
    let reply = try client.send("GET /Users?filter=title co \"x\"")
    expectError(reply, 429)
    #expect(reply.header("Retry-After") == "1")
    #expect(try client.send("GET /Users?filter=userName eq \"x\"").status == 200)
  }

  /// Seconds as nanoseconds, one more each time.
  private final class Ticks: Sendable {
    private let now = Atomic<UInt64>(0)
    func next() -> UInt64 { now.add(1_000_000_000, ordering: .relaxed).newValue }
  }
}
