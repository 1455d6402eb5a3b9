import SCIMCore
import SCIMService
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

  private static func group(_ name: String, member: String?) -> JSON {
    [
      "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": .string(name),
      "members": .array(member.map { [["value": .string($0)]] } ?? []),
    ]
  }
}
