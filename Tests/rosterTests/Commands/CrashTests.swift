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
    #expect(try runner.run("check").output == "Nothing is wrong.\n")

    let restarted = try RunningServer(runner)
    for id in acknowledged {
      #expect(try await restarted.get("/Users/\(id)", key: key).status == 200)
    }
    #expect(restarted.stop() == 0)
  }
}
