import SCIMCore
import SCIMSQL
import SCIMService
import Synchronization
import Testing

/// The order in which Bulk operations run, and what their references cost.
@Suite("Bulk run")
struct BulkRunTests {
  static let message = "urn:ietf:params:scim:api:messages:2.0:BulkRequest"

  @Test("A chain of references as long as a request is made from its end, however short the thread's stack")
  func chain() throws {
    let client = try Tenant(Harness()).client
    let count = 1000
    let operations = (0..<count).map { number -> JSON in
      var group = JSONObject()
      group["schemas"] = ["urn:ietf:params:scim:schemas:core:2.0:Group"]
      group["displayName"] = .string("group \(number)")
      if number + 1 < count { group["members"] = [["value": .string("bulkId:\(number + 1)")]] }
      return ["method": "POST", "path": "/Groups", "bulkId": .string(String(number)), "data": .object(group)]
    }
    let reply = try client.send(
      "POST /Bulk", ["schemas": [.string(Self.message)], "Operations": .array(operations)])
    let statuses = Set(reply["Operations"]?.arrayValue?.compactMap { $0["status"]?.stringValue } ?? [])
    #expect(statuses == ["201"], "\(reply)")
    #expect(try client.send("GET /Groups?count=0").total == Int64(count))
  }

  @Test("What refers to a creation that fails fails as well, through any number of steps")
  func failingChain() throws {
    let client = try Tenant(Harness()).client
    let reply = try client.send(
      "POST /Bulk",
      [
        "schemas": [.string(Self.message)],
        "Operations": [
          ["method": "POST", "path": "/Groups", "bulkId": "a", "data": Self.group("a", member: "bulkId:b")],
          ["method": "POST", "path": "/Groups", "bulkId": "b", "data": Self.group("b", member: "bulkId:c")],
          ["method": "POST", "path": "/Groups", "bulkId": "c", "data": Self.group("c", member: "nobody")],
          ["method": "POST", "path": "/Groups", "bulkId": "d", "data": Self.group("d", member: nil)],
        ],
      ])
    #expect(
      reply["Operations"]?.arrayValue?.compactMap { $0["status"]?.stringValue } == ["409", "409", "400", "201"])
  }

  @Test(
    "Where the disk is full behind the first of several commits, what was committed is told, and the rest is 503 each")
  func interrupted() throws {
    let meter = WorkMeter()
    let isArmed = Atomic(false)
    var options = SQLStoreOptions()
    options.didWrite = { _ in if isArmed.load(ordering: .relaxed) { meter.isDiskFull = true } }
    let tenant = try Tenant(Harness(meter: meter, options: options), notesUses: false)
    let client = tenant.client
    let emails = JSON.array((0..<2000).map { ["value": .string("e\($0)@a.b")] })
    let operations = (0..<6).map { number -> JSON in
      [
        "method": "POST", "path": "/Users", "bulkId": .string("u\(number)"),
        "data": [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("u\(number)"),
          "emails": emails,
        ],
      ]
    }
    let body: JSON = ["schemas": [.string(Self.message)], "Operations": .array(operations)]
    isArmed.store(true, ordering: .relaxed)
    let reply = try client.send("POST /Bulk", body)
    isArmed.store(false, ordering: .relaxed)
    meter.isDiskFull = false
    expect(reply, 200)
    let answers = reply["Operations"]?.arrayValue ?? []
    let made = answers.prefix { $0["status"] == "201" }
    #expect(answers.count == 6 && !made.isEmpty && made.count < 6)
    for answer in answers.dropFirst(made.count) {
      #expect(answer["status"] == "503" && answer["response"]?["detail"] == "The disk is full.")
      #expect(answer["bulkId"] != nil && answer["location"] == nil)
    }
    #expect(try client.send("GET /Users?count=0").total == Int64(made.count))
    for answer in made {
      let id = try #require(answer["location"]?.stringValue?.split(separator: "/").last)
      #expect(try client.send("GET /Users/\(id)").version == answer["version"]?.stringValue)
    }
    // Sent again, it does the rest.
    let again = try client.send("POST /Bulk", body)
    let statuses = again["Operations"]?.arrayValue?.compactMap { $0["status"]?.stringValue }
    #expect(
      statuses == Array(repeating: "409", count: made.count) + Array(repeating: "201", count: 6 - made.count))
    #expect(try tenant.harness.store.makeCheck().run() == [])
  }

  private static func group(_ name: String, member: String?) -> JSON {
    [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": .string(name),
      "members": .array(member.map { [["value": .string($0)]] } ?? []),
    ]
  }
}
