import Foundation
import Testing

@testable import roster

@Suite struct ProgramTests {
  @Test func everyCommandHasHelp() throws {
    func check(_ command: Command, _ path: [String]) {
      let text = HelpText(command: command, path: path).text
      #expect(!command.summary.isEmpty)
      #expect(command.run != nil || !command.commands.isEmpty)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 130 }, "\(path)")
      let names = command.options.map(\.name)
      #expect(Set(names).count == names.count)
      for option in command.options { #expect(!option.help.isEmpty, "\(path) \(option.name)") }
      for inner in command.commands { check(inner, path + [inner.name]) }
    }
    check(Program.root, ["roster"])
  }

  @Test func lostOutputIsAFailure() throws {
    let runner = try CommandRunner()
    let process = runner.process(["version"])
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    try process.run()
    process.waitUntilExit()
    withExtendedLifetime(runner) {}
    #expect(process.terminationStatus == 1)
  }

  @Test func whatIsNoDatabaseIsNamedAndLeftAsItIs() throws {
    let runner = try CommandRunner()
    let path = try runner.file("notes.db", "what is to be bought")
    let refused = try runner.run("org", "create", "acme.example", "--db", path)
    #expect(refused.code == 1)
    #expect(refused.error.hasPrefix("roster: cannot open '\(path)': "))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "what is to be bought")
  }

  @Test func versionAndUsage() throws {
    let runner = try CommandRunner()
    #expect(try runner.run("version").output == "roster \(Program.version)\n")
    #expect(try runner.run("--version").output == "roster \(Program.version)\n")
    #expect(try runner.run("version", "--json").json?["version"]?.stringValue == Program.version)
    let wrong = try runner.run("orgg")
    #expect(wrong.code == 2)
    #expect(wrong.output.isEmpty)
    #expect(wrong.error.hasPrefix("roster: unknown command 'orgg'; did you mean 'org'?\n"))
  }
}
