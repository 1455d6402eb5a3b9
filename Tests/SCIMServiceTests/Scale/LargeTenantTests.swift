import SCIMCore
import Testing

/// Looking something up costs the same however much there is, and so does a page however far down.
@Suite("Large organisations")
struct LargeTenantTests {
  static let lookups = [
    "/Users?filter=userName eq \"u7\"", "/Users?filter=externalId eq \"x-u7\"",
    "/Users?filter=emails.value eq \"u7@acme.example\"",
    "/Users?filter=emails[type eq \"work\" and value eq \"u7@acme.example\"]", "/Groups?filter=displayName eq \"Team\"",
    "/Users?filter=id eq \"u7\"", "/Users/u7",
  ]

  @Test("A look-up among 100 users and among 2,000")
  func lookUp() throws {
    let (small, large) = (try LargeTenant(users: 100), try LargeTenant(users: 2_000))
    for request in Self.lookups {
      var costs: [Int] = []
      for tenant in [small, large] {
        if try tenant.client.send("GET /Groups").total == 0 { _ = try tenant.group("Team", of: ["u7"]) }
        var least = Int.max
        // Statements are prepared at first, and a checkpoint makes readers forget what they knew of links.
        for _ in 0..<4 {
          let cost = try tenant.meter.work {
            let reply = try tenant.client.send("GET \(request)")
            #expect(reply.status == 200 && (reply.total ?? 1) == 1, "\(reply)")
          }
          least = min(least, cost)
        }
        costs.append(least)
      }
      #expect(costs[0] > 0 && costs[1] <= costs[0] + costs[0] / 4, "\(request): \(costs)")
    }
  }

  /// A walk by index in another order than that of creation counts off what stands before the page.
  @Test(
    "Pages by cursor and by index cost the same from the first to the last",
    arguments: [("", 0), ("&sortBy=userName", 6)])
  func pages(_ sort: String, eachSkipped: Int) throws {
    let tenant = try LargeTenant(users: 2_000)
    var cursor = ""
    var costs: [Int] = []
    for _ in 0..<20 {
      costs.append(
        try tenant.meter.work {
          let reply = try tenant.client.send("GET /Users?count=100\(sort)&cursor=\(cursor)")
          #expect(reply.status == 200 && reply.resources.count == 100, "\(reply)")
          cursor = reply["nextCursor"]?.stringValue ?? ""
        })
    }
    #expect(cursor.isEmpty)
    #expect((costs.last ?? 0) <= (costs[1] * 3) / 2, "by cursor: \(costs)")
    costs = try (0..<20).map { page in
      try tenant.meter.work {
        let reply = try tenant.client.send("GET /Users?count=100\(sort)&startIndex=\(1 + page * 100)")
        #expect(reply.status == 200 && reply.resources.count == 100 && reply.total == 2_000, "\(reply)")
      }
    }
    #expect((costs.last ?? 0) <= costs[0] * 3 + eachSkipped * 1_900, "by index, each behind the one before: \(costs)")
  }
}
