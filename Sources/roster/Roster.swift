import Foundation

/// Where the process begins.
///
/// `main` is kept off the main actor: C callbacks and threads that start from here must not inherit its isolation.
@main
enum Roster {
  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    exit(Program.run(arguments, environment: ProcessInfo.processInfo.environment))
  }
}
