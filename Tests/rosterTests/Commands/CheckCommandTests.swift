import Foundation
import SCIMCore
import Testing

@testable import roster

@Suite struct CheckCommandTests {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test func aSoundDatabaseIsSound() throws {
    _ = try runner.run("seed", SeedCommandTests.shipped("gridco.json"), SeedCommandTests.shipped("acme.json"))
    let outcome = try runner.run("check")
    #expect(outcome.code == 0)
    #expect(outcome.output == "No problems found.\n")
    #expect(try runner.run("check", "--json").json == ["sound": true, "problems": []])
  }

  @Test func damageIsFound() throws {
    _ = try runner.run("seed", "--generate", "200")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: runner.database))
    // Past the pages that hold the schema; every database of this size has pages of data there.
    try file.seek(toOffset: 40 * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 20 * 4096))
    try file.close()
    let outcome = try runner.run("check")
    #expect(outcome.code == 1)
    #expect(!outcome.error.isEmpty)
    #expect(!outcome.output.contains("No problems"))
  }

  @Test func whatIsNoDatabaseIsSaidSo() throws {
    let file = try runner.file("text.db", String(repeating: "this is no database ", count: 100))
    let outcome = try runner.run("check", "--db", file)
    #expect(outcome.code == 1)
    #expect(outcome.error.hasPrefix("roster: "))
    #expect(try runner.run("check", "--db", "nowhere.db").code == 1)
  }
}
