import SCIMCore
import SCIMSQL
import SCIMService
import Testing

/// What clients are told while the disk is full, and what they find afterwards.
struct FullDiskTests {
  @Test func writesAreRefusedForNowAndNothingOfThemIsLeft() throws {
    let meter = WorkMeter()
    let tenant = try Tenant(Harness(meter: meter))
    let client = tenant.client
    let core = "urn:ietf:params:scim:schemas:core:2.0:User"
    func user(_ name: String) -> JSON {
      ["schemas": [.string(core)], "userName": .string(name), "nickName": .string("nick " + name)]
    }
    let bulk: JSON = [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
      "Operations": [["method": "POST", "path": "/Users", "bulkId": "1", "data": user("bulk")]],
    ]
    meter.isDiskFull = true
    for (path, body) in [("/Users", user("ada")), ("/Bulk", bulk)] {
      let answer = try client.send("POST \(path)", body)
      #expect(answer.status == 503, "\(path)")
      #expect(answer.header("Retry-After") != nil, "\(path)")
      #expect(answer["detail"] == "The disk is full.", "\(path)")
    }
    #expect(try client.send("GET /Users").status == 200)
    meter.isDiskFull = false
    // Other attributes first: nobody has a number that was taken back.
    #expect(
      try client.send(
        "POST /Groups", ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "zeta"]
      ).status == 201)
    for name in ["ada", "bulk"] { #expect(try client.send("POST /Users", user(name)).status == 201) }
    for filter in ["nickName eq \"nick ada\"", "nickName co \"bulk\"", "userName eq \"ada\""] {
      #expect(try client.send("GET /Users?count=0&filter=\(filter)").total == 1, "\(filter)")
    }
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }
}
