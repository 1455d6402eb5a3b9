import Foundation
import SCIMCore
import Testing

/// The server's stderr is a pipe that nobody reads.
@Suite struct StalledLogTests {
  @Test func requestsAndWritesGoOnAndTheServerStops() throws {
    let runner = try CommandRunner()
    #expect(try runner.run("org", "create", "acme.example").code == 0)
    let made = try runner.run("key", "create", "acme.example", "--role", "admin", "--label", "a", "--json")
    let key = try #require(made.json?["key"]?.stringValue)
    let stalled = Pipe()
    let server = try RunningServer(runner, ["--log", "json"], standardError: stalled)
    let client = try RawClient(base: server.base)
    let fields = "Host: h\r\nAuthorization: Bearer \(key)\r\n"
    let get = "GET /scim/v2/Users/nobody HTTP/1.1\r\n\(fields)\r\n"
    // Ten times what the pipe and the server's buffer hold.
    for _ in 0..<100 { #expect(try client.statuses(of: String(repeating: get, count: 100), count: 100) == [404: 100]) }
    let body = #"{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ann"}"#
    let post =
      "POST /scim/v2/Users HTTP/1.1\r\n\(fields)Content-Type: application/scim+json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    #expect(try client.statuses(of: post, count: 1) == [201: 1])
    // Once somebody reads, the lines that are missing are told.
    var text = ""
    while !text.contains("log-dropped") {
      let data = stalled.fileHandleForReading.availableData
      if data.isEmpty { break }
      text = String(text.suffix(200)) + String(decoding: data, as: UTF8.self)
    }
    #expect(text.contains(#""event":"log-dropped","count":"#))
    #expect(server.stop() == 0)
  }

  @Test func aStopDoesNotWaitForTheReader() throws {
    let runner = try CommandRunner()
    let stalled = Pipe()
    let server = try RunningServer(runner, ["--log", "logfmt"], standardError: stalled)
    let client = try RawClient(base: server.base)
    let get = "GET /scim/v2/Users HTTP/1.1\r\nHost: h\r\nX-Request-Id: \(String(repeating: "x", count: 64))\r\n\r\n"
    for _ in 0..<20 { #expect(try client.statuses(of: String(repeating: get, count: 100), count: 100) == [401: 100]) }
    #expect(server.stop() == 0)
  }

  @Test(arguments: [SIGHUP, SIGTERM, SIGINT])
  func eachSignalStopsItInOrder(_ signal: Int32) throws {
    let runner = try CommandRunner()
    let server = try RunningServer(runner)
    kill(server.process.processIdentifier, signal)
    server.process.waitUntilExit()
    #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
  }
}
