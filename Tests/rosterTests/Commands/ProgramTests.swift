import Foundation
import SCIMCore
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

  @Test func whatPrintsCanPrintJSON() {
    func check(_ command: Command, _ path: String) {
      if command.run != nil, command.name != "serve" {
        #expect(command.options.contains { $0.name == "json" }, "\(path)")
      }
      for inner in command.commands { check(inner, path + " " + inner.name) }
    }
    check(Program.root, "roster")
  }

  @Test(arguments: [
    (["org", "show", "nobody", "--json"], 1, "there is no database"),
    (["org", "shwo", "--json"], 2, "unknown command"),
    (["report", "access", "--json", "--format", "csv"], 2, "exclude each other"),
    (["seed", "--json", "nowhere.json"], 1, "nowhere.json"),
  ])
  func errorsAreJSONWhereTheOutputIs(_ words: [String], _ code: Int32, _ part: String) throws {
    let outcome = try CommandRunner().run(arguments: words)
    #expect(outcome.code == code)
    #expect(outcome.output.isEmpty)
    let error = try JSON(parsing: Array(outcome.error.utf8))
    #expect(error["error"]?.stringValue?.contains(part) == true, "\(outcome.error)")
  }

  @Test func whatCannotBeReadIsNamedWithTheReason() throws {
    let runner = try CommandRunner()
    _ = try runner.file("file", "{}")
    for (path, reason) in [
      ("none.json", "there is no such file"), (".", "it is a folder"),
      ("file/x.json", "a part of the path is not a folder"),
    ] {
      let outcome = try runner.run("seed", path)
      #expect(outcome.error == "roster: cannot read '\(path)': \(reason)\n")
    }
    #expect(InputFile.reason(EACCES) == "permission denied")
  }

  @Test(arguments: [
    ("data/my.db", "there is no folder 'data'; create it with: mkdir -p 'data'"),
    (".", "'.' is a folder, not a database"),
    ("file/my.db", "'file' is not a folder"),
  ])
  func whyADatabaseCannotBeOpened(_ path: String, _ reason: String) throws {
    let runner = try CommandRunner()
    _ = try runner.file("file", "{}")
    let outcome = try runner.run("org", "create", "a.example", "--db", path)
    #expect(outcome.code == 1)
    #expect(outcome.error == "roster: cannot open '\(path)': \(reason)\n")
  }

  // Root may write everything.
  @Test(.enabled(if: geteuid() != 0)) func aFileThatIsReadOnlyIsNamed() throws {
    let runner = try CommandRunner()
    let path = try runner.file("my.db", "")
    _ = try runner.file("my.db-wal", "")
    #expect(DatabaseObstacle.at(path) == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path + "-wal")
    #expect(DatabaseObstacle.at(path) == "'\(path)-wal' is read-only for this user")
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: path)
    #expect(DatabaseObstacle.at(path) == "'\(path)' may not be read by this user")
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
