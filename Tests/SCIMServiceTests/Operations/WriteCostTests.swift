import SCIMCore
import SCIMService
import Synchronization
import Testing

/// What one request may ask of the thread that all writes share.
@Suite("Cost of writes")
struct WriteCostTests {
  private static let core = "urn:ietf:params:scim:schemas:core:2.0:User"

  @Test("A password is hashed once for each resource, and not while the writer is held")
  func passwords() throws {
    let hashed = Mutex<[String]>([])
    let harness = try Harness { configuration in
      configuration.hashPassword = { plain in
        hashed.withLock { $0.append(plain) }
        return "hash"
      }
    }
    let client = try Tenant(harness).client
    let user = try client.create("/Users", ["schemas": [.string(Self.core)], "userName": "kim"])
    var operations = (0..<50).map { ["op": "replace", "path": "password", "value": .string("p\($0)")] as JSON }
    operations.append(["op": "add", "value": ["urn:ietf:params:scim:schemas:core:2.0:User": ["password": "last"]]])
    let reply = try client.send(
      "PATCH /Users/\(user.id)",
      ["schemas": [.string(PatchRequest.schema)], "Operations": .array(operations)])
    #expect(reply.status == 200, "\(reply)")
    #expect(hashed.withLock { $0 } == ["last"])
  }

  @Test("A document does not grow beyond its limit by PATCH, nor does a refusal change it")
  func growth() throws {
    let client = try Tenant(Harness()).client
    let user = try client.create("/Users", ["schemas": [.string(Self.core)], "userName": "kim"])
    let long = String(repeating: "x", count: ResourceWriter.maximumDocumentSize / 3)
    var statuses: [Int] = []
    for attribute in ["title", "nickName", "displayName"] {
      let reply = try client.send(
        "PATCH /Users/\(user.id)",
        [
          "schemas": [.string(PatchRequest.schema)],
          "Operations": [["op": "replace", "path": .string(attribute), "value": .string(long)]],
        ])
      statuses.append(reply.status)
      if reply.status != 200 { expectError(reply, 413) }
    }
    #expect(statuses == [200, 200, 413])
    #expect(try client.send("GET /Users/\(user.id)?attributes=displayName")["displayName"] == nil)
  }

  /// A group of 500 users.
  private func group(_ client: Client) throws -> Reply {
    let bulk = (0..<500).map { number -> JSON in
      [
        "method": "POST", "path": "/Users", "bulkId": .string("\(number)"),
        "data": ["schemas": [.string(Self.core)], "userName": .string("user \(number)")],
      ]
    }
    let made = try client.send("POST /Bulk", ["schemas": [.string(BulkRunTests.message)], "Operations": .array(bulk)])
    let ids =
      made["Operations"]?.arrayValue?.compactMap { $0["location"]?.stringValue?.split(separator: "/").last } ?? []
    return try client.create(
      "/Groups",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "all",
        "members": .array(ids.map { ["value": .string(String($0))] }),
      ])
  }

  @Test("A member filter of many conditions, again and again, is too many; nothing changes")
  func memberFilters() throws {
    let client = try Tenant(Harness()).client
    let group = try group(client)
    let filter = (0..<150).map { "display co \"q\($0)\"" }.joined(separator: " or ")
    let operations = (0..<100).map { _ in ["op": "remove", "path": .string("members[\(filter)]")] as JSON }
    let reply = try client.send(
      "PATCH /Groups/\(group.id)",
      ["schemas": [.string(PatchRequest.schema)], "Operations": .array(operations)])
    expectError(reply, 400, "tooMany")
    #expect(try client.send("GET /Groups/\(group.id)").version == group.version)
  }

  @Test("Members are read and shown anew for each filter: many filters of one condition are too many as well")
  func manyMemberFilters() throws {
    let client = try Tenant(Harness()).client
    let group = try group(client)
    func reply(_ filters: Int) throws -> Reply {
      let operations = (0..<filters).map { number -> JSON in
        ["op": "remove", "path": .string("members[display co \"q\(number)\"]")]
      }
      return try client.send(
        "PATCH /Groups/\(group.id)",
        ["schemas": [.string(PatchRequest.schema)], "Operations": .array(operations)])
    }
    expect(try reply(20), 200)
    expectError(try reply(60), 400, "tooMany")
  }
}
