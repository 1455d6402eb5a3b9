import SCIMCore

/// The program: reads the command line, runs the command, turns failures into messages and exit codes.
enum Program {
  static let version = "0.1.0"

  static let root = Command(
    name: "roster", summary: "a SCIM 2.0 server with roles and entitlements",
    details: "Exit codes: 0 success, 1 failure (the reason is on stderr), 2 the command line is wrong. With --json the"
      + " reason is a JSON object as well.",
    commands: [
      ServeCommand.command, SeedCommand.command, OrganizationCommand.command, KeyCommand.command,
      TypeCommand.command, InspectCommand.command, ReportCommand.command, CheckCommand.command, versionCommand,
    ])

  private static let versionCommand = Command(
    name: "version", summary: "show the version", options: [.json],
    run: { invocation in
      invocation.print(json: ["name": "roster", "version": .string(version)], orText: "roster \(version)\n")
    })

  /// Runs the command line, program name left off; gives the exit code.
  static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
    let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
    func fail(_ message: String, _ details: JSONObject = JSONObject()) { self.fail(message, details, isJSON: isJSON) }
    do {
      switch try ArgumentParser(root: root, environment: environment).parse(arguments) {
      case .run(let command, let invocation): try command.run?(invocation)
      case .help(let command, let path): Console.output.write(HelpText(command: command, path: path).text)
      case .version: Console.output.writeLine("roster \(version)")
      }
      guard Console.hasLostOutput else { return 0 }
      fail("not all of the output could be written")
    } catch let error as UsageError {
      fail(error.message)
      return 2
    } catch let error as CommandFailure where error.hasPlaces && !isJSON {
      Console.error.writeLine(DisplayWidth.escaped(error.message))
    } catch let error as CommandFailure {
      fail(error.message, error.details)
    } catch let error as SCIMError {
      fail(error.detail)
    } catch {
      fail(String(describing: error))
    }
    return 1
  }

  /// Messages quote files and arguments, which others may have written: they must not steer the terminal.
  private static func fail(_ message: String, _ details: JSONObject, isJSON: Bool) {
    guard isJSON else {
      Console.error.writeLine("roster: " + DisplayWidth.escaped(message))
      return
    }
    Console.error.writeJSON(.object(JSONObject([.init(key: "error", value: .string(message))] + details.members)))
  }
}
