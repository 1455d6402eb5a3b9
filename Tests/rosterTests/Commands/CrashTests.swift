import SCIMCore
import Testing

@testable import roster

/// What was acknowledged is there after a crash.
@Suite struct CrashTests {
  @Test func everyAcknowledgedUserSurvivesAKill() async throws {
    let runner = try CommandRunner()
    _ = try runner.run("org", "create", "acme.example")
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let server = try RunningServer(runner)

    let acknowledged = await withTaskGroup(of: String?.self) { group in
      for number in 0..<200 {
        group.addTask {
          let body: JSON = [
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("user\(number)"),
          ]
          guard let answer = try? await server.send("POST", "/Users", body, key: key), answer.status == 201 else {
            return nil
          }
          return answer.body?["id"]?.stringValue
        }
      }
      var ids: [String] = []
      for await id in group {
        guard let id else { continue }
        ids.append(id)
        // In the middle: the rest is under way or waits.
        if ids.count == 50 { server.kill() }
      }
      return ids
    }
    #expect(acknowledged.count >= 50)
    #expect(try runner.run("check").output == "No problems found.\n")

    let restarted = try RunningServer(runner)
    for id in acknowledged {
      #expect(try await restarted.get("/Users/\(id)", key: key).status == 200)
    }
    #expect(restarted.stop() == 0)
  }

  /// A Bulk request is one transaction: a role, its ten holders, and the team of them.
  @Test func bulkRequestsAreThereWholeOrNotAtAll() async throws {
    let runner = try CommandRunner()
    _ = try runner.run("org", "create", "acme.example")
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let server = try RunningServer(runner)

    let acknowledged = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<60 {
        group.addTask {
          let answer = try? await server.send("POST", "/Bulk", Self.team(number), key: key)
          let operations = answer?.body?["Operations"]?.arrayValue ?? []
          return operations.count { $0["status"] == "201" } == 12 ? number : nil
        }
      }
      var numbers: Set<Int> = []
      for await number in group {
        guard let number else { continue }
        numbers.insert(number)
        if numbers.count == 15 { server.kill() }
      }
      return numbers
    }
    #expect(acknowledged.count >= 15)
    #expect(try runner.run("check").output == "No problems found.\n")

    let restarted = try RunningServer(runner)
    func total(_ path: String) async throws -> Int64? {
      let answer = try await restarted.get(path, key: key)
      guard case .integer(let total)? = answer.body?["totalResults"] else { return nil }
      return total
    }
    for number in 0..<60 {
      let users = try await total("/Users?count=0&filter=userName%20sw%20%22t\(number)-%22")
      let members = try await total("/Users?count=0&filter=groups.display%20eq%20%22Team\(number)%22")
      let holders = try await total("/Users?count=0&filter=roles.display%20eq%20%22Role\(number)%22")
      let isThere = users != 0
      #expect(isThere || !acknowledged.contains(number), "\(number)")
      #expect([users, members, holders] == (isThere ? [10, 10, 10] : [0, 0, 0]), "\(number)")
    }
    #expect(restarted.stop() == 0)
  }

  /// A role, ten users who hold it, and a group of them, by their bulkIds.
  private static func team(_ number: Int) -> JSON {
    let core = "urn:ietf:params:scim:schemas:core:2.0:"
    var operations: [JSON] = [
      [
        "method": "POST", "path": "/Roles", "bulkId": "role",
        "data": ["schemas": [.string("urn:okta:scim:schemas:core:1.0:Role")], "displayName": .string("Role\(number)")],
      ]
    ]
    for user in 0..<10 {
      operations.append([
        "method": "POST", "path": "/Users", "bulkId": .string("u\(user)"),
        "data": [
          "schemas": [.string(core + "User")], "userName": .string("t\(number)-\(user)"),
          "roles": [["value": "bulkId:role"]],
        ],
      ])
    }
    let members = (0..<10).map { user -> JSON in ["value": .string("bulkId:u\(user)")] }
    operations.append([
      "method": "POST", "path": "/Groups", "bulkId": "team",
      "data": [
        "schemas": [.string(core + "Group")], "displayName": .string("Team\(number)"), "members": .array(members),
      ],
    ])
    return [
      "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], "Operations": .array(operations),
    ]
  }
}
