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

  /// A client that writes requests as they are.
  private final class RawClient {
    private let socket: Int32

    init(base: String) throws {
      let port = try #require(URL(string: base)?.port)
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(result == 0)
      var patience = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Sends requests and gives how many answers of each status come.
    func statuses(of requests: String, count: Int) throws -> [Int: Int] {
      let bytes = Array(requests.utf8)
      try #require(bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) } == bytes.count)
      var statuses: [Int: Int] = [:]
      var text = ""
      while statuses.values.reduce(0, +) < count {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        let received = recv(socket, &room, room.count, 0)
        try #require(received > 0)
        text += String(decoding: room[..<received], as: UTF8.self)
        while let found = text.firstRange(of: "HTTP/1.1 "), text[found.upperBound...].utf8.count >= 3 {
          statuses[Int(text[found.upperBound...].prefix(3)) ?? 0, default: 0] += 1
          text = String(text[found.upperBound...])
        }
      }
      return statuses
    }
  }
}
