import Foundation
import SCIMCore
import Testing

/// Runs the built program as scripts do, on a database of its own.
final class CommandRunner {
  struct Outcome {
    var code: Int32
    var output: String
    var error: String

    var json: JSON? { try? JSON(parsing: Array(output.utf8)) }
  }

  let directory: URL
  var database: String { directory.appendingPathComponent("roster.db").path }

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("roster-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// The program stands beside the tests' own executable.
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("roster")

  func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = environment.merging(["ROSTER_DB": database]) { given, _ in given }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Runs the program to its end.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments: arguments, environment: environment)
  }

  func run(arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    let process = process(arguments, environment: environment)
    // Files and not pipes: nothing has to be read while the program runs.
    let output = directory.appendingPathComponent("out-\(UUID().uuidString)")
    let error = directory.appendingPathComponent("err-\(UUID().uuidString)")
    for file in [output, error] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      error: try String(contentsOf: error, encoding: .utf8))
  }

  /// Writes a file into the runner's directory and gives its path.
  func file(_ name: String, _ text: String) throws -> String {
    let url = directory.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }
}
