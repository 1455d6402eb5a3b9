import Foundation
import SCIMCore
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `roster serve` on a free port, until it is told to stop.
final class RunningServer: Sendable {
  /// The address at which this machine reaches SCIM.
  let base: String
  let process: Process
  private let session: URLSession
  private let output = Pipe()

  convenience init(
    _ runner: CommandRunner, _ arguments: [String] = [], log: URL? = nil, standardError: Pipe? = nil
  ) throws {
    try self.init(
      runner.process(["serve", "--port", "0", "--threads", "1"] + arguments), log: log, standardError: standardError)
  }

  /// Runs a process that serves, until requests are answered.
  init(_ process: Process, log: URL? = nil, standardError: Pipe? = nil) throws {
    self.process = process
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 200
    session = URLSession(configuration: configuration)
    process.standardOutput = output
    if let log {
      _ = FileManager.default.createFile(atPath: log.path, contents: nil)
      process.standardError = try FileHandle(forWritingTo: log)
    } else if let standardError {
      process.standardError = standardError
    } else {
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    // The line is written once requests are answered.
    var text = ""
    var found: String?
    while found == nil {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
      found = text.firstMatch(of: #/(?m)^(?:SCIM base URL|Listening on): +(http://(?:127\.|0\.)[^\n]+)\n/#).map {
        String($0.1)
      }
    }
    base = try #require(found, "\(text)").replacing("0.0.0.0", with: "127.0.0.1")
  }

  var port: Int { URL(string: base)?.port ?? 0 }

  deinit {
    session.invalidateAndCancel()
    if process.isRunning { process.terminate() }
  }

  /// Sends SIGTERM and gives the exit code.
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Sends SIGTERM to the process and all that it has started, and waits until the last one has ended.
  func stopGroup() {
    let id = process.processIdentifier
    // A shell of its own group has the server as its child.
    if getpgid(id) == id { Foundation.kill(-id, SIGTERM) } else { process.terminate() }
    process.waitUntilExit()
    while !output.fileHandleForReading.availableData.isEmpty {}
  }

  /// Sends SIGKILL.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func send(
    _ method: String, _ path: String, _ body: JSON? = nil, key: String
  ) async throws -> (status: Int, body: JSON?) {
    try await send(method, to: base + path, body, key: key)
  }

  /// Sends a request to any address.
  func send(
    _ method: String, to address: String, _ body: JSON? = nil, key: String
  ) async throws -> (status: Int, body: JSON?) {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = method
    request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
    if let body {
      request.httpBody = body.data()
      request.setValue("application/scim+json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await session.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, try? JSON(parsing: data))
  }

  func get(_ path: String, key: String) async throws -> (status: Int, body: JSON?) {
    try await send("GET", path, key: key)
  }
}
