import Foundation
import SCIMCore
import Testing

/// A folder like a fresh clone, and a shell in it that runs the blocks of one page one after the other.
///
/// What a block exports, and the folder that it changes to, holds for the blocks behind it. Four things are not as on a
/// reader's machine, so that a page can be run in seconds, beside others, and without a network:
/// - `swift` is a stand-in: `swift build` puts the program that the tests use, built in debug mode, where the release
///   would be; `swift test` does nothing, since it would run this test.
/// - Servers take a free port (`PORT` and `ROSTER_PORT` are 0, and so is what `--port` says), and `curl` connects to that one, whatever host and port an
///   address names. It keeps the Host field, so that answers show the address of the page.
/// - `curl` drops the TLS of an address, as the proxy would.
/// - `HOME` is a folder of its own.
final class DocumentShell {
  struct Outcome {
    var code: Int32
    var output: String
    var error: String
  }

  let directory: URL
  private let tools: URL
  private let home: URL
  private var server: RunningServer?

  /// - Parameter isInstalled: true where `roster` is on the PATH already; false for a page that installs it.
  init(isInstalled: Bool) throws {
    let files = FileManager.default
    let root = files.temporaryDirectory.appendingPathComponent("roster-\(UUID().uuidString)")
    directory = root.appendingPathComponent("clone")
    tools = root.appendingPathComponent("tools")
    home = root.appendingPathComponent("home")
    for folder in [directory, tools, home] { try files.createDirectory(at: folder, withIntermediateDirectories: true) }
    for part in ["Makefile", ".ci", "seed", "schemas"] {
      try files.copyItem(
        at: DocumentBlock.root.appendingPathComponent(part), to: directory.appendingPathComponent(part))
    }
    let program = CommandRunner.program.path
    try tool(
      "swift",
      """
      case "$*" in
        "build -c release --static-swift-stdlib --product roster")
          mkdir -p .build/release && ln -sf '\(program)' .build/release/roster ;;
        test) ;;
        *) echo "unexpected: swift $*" >&2; exit 1 ;;
      esac
      """)
    try tool(
      "curl",
      """
      arguments=()
      for word in "$@"; do arguments+=("${word/#https:/http:}"); done
      port=$(cat '\(tools.path)/port')
      exec "$(PATH=${PATH#*'\(tools.path)':} command -v curl)" --silent --show-error --connect-to "::127.0.0.1:$port" "${arguments[@]}"
      """)
    if isInstalled {
      try files.createSymbolicLink(
        at: tools.appendingPathComponent("roster"), withDestinationURL: CommandRunner.program)
    }
  }

  deinit { try? FileManager.default.removeItem(at: directory.deletingLastPathComponent()) }

  private func tool(_ name: String, _ script: String) throws {
    let url = tools.appendingPathComponent(name)
    try Data(("#!/bin/bash\n" + script).utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
  }

  /// A shell that does what the block says, in the state that the blocks before it left.
  ///
  /// - Parameter keepsState: false for a server, which ends when others have gone on.
  private func process(_ block: DocumentBlock, keepsState: Bool = true) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    let state = tools.appendingPathComponent("state").path
    process.arguments = [
      "-c",
      """
      if [ -f '\(state)' ]; then . '\(state)'; fi
      set -aeo pipefail
      \(block.text)
      \(keepsState ? "set +a; { export -p; printf 'cd %q\\n' \"$PWD\"; } > '\(state)'" : "")
      """,
    ]
    process.currentDirectoryURL = directory
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ROSTER_") }
    environment["PATH"] = "\(tools.path):" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["HOME"] = home.path
    environment["PORT"] = "0"
    environment["ROSTER_PORT"] = "0"
    environment["ROSTER_THREADS"] = "1"
    // `make` of a test that `make` runs must not take over what that one was told.
    for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] { environment[name] = nil }
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    return process
  }

  func run(_ block: DocumentBlock) throws -> Outcome {
    let process = process(block)
    let output = tools.appendingPathComponent("output")
    let error = tools.appendingPathComponent("error")
    for file in [output, error] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      error: try String(contentsOf: error, encoding: .utf8))
  }

  /// Runs a block that starts a server, until it answers requests. The one before is stopped.
  func serve(_ block: DocumentBlock) throws {
    stop()
    var block = block
    block.lines = block.lines.map { $0.replacing(#/--port [0-9]+/#, with: "--port 0") }
    let started = try RunningServer(process(block, keepsState: false))
    try Data(String(started.port).utf8).write(to: tools.appendingPathComponent("port"))
    server = started
  }

  /// Stops the server that runs, if any.
  func stop() {
    guard let running = server else { return }
    server = nil
    running.stopGroup()
  }

  /// Sends a request to the server that runs, past `curl`.
  func send(_ method: String, _ path: String, _ body: JSON?, key: String) async throws -> (status: Int, body: JSON?) {
    try await #require(server, "no server runs").send(method, path, body, key: key)
  }
}
