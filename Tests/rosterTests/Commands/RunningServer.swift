import Foundation
import SCIMCore
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `roster serve` on a free port, until it is told to stop.
final class RunningServer: Sendable {
  let base: String
  let process: Process
  private let session: URLSession

  init(_ runner: CommandRunner, _ arguments: [String] = [], log: URL? = nil) throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 200
    session = URLSession(configuration: configuration)
    process = runner.process(["serve", "--port", "0", "--threads", "1"] + arguments)
    let output = Pipe()
    process.standardOutput = output
    if let log {
      _ = FileManager.default.createFile(atPath: log.path, contents: nil)
      process.standardError = try FileHandle(forWritingTo: log)
    } else {
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    // The line is written once requests are answered.
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first ?? ""
    try #require(line.hasPrefix("SCIM base URL: "))
    base = String(line.dropFirst("SCIM base URL: ".count)).replacing("0.0.0.0", with: "127.0.0.1")
  }

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

  /// Sends SIGKILL.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func send(
    _ method: String, _ path: String, _ body: JSON? = nil, key: String
  ) async throws -> (status: Int, body: JSON?) {
    var request = URLRequest(url: try #require(URL(string: base + path)))
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
