import Foundation
import SCIMCore
import Testing

@testable import roster

@Suite struct KeyCommandTests {
  let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    _ = try runner.run("org", "create", "acme.example")
  }

  func keys() throws -> [JSON] { try runner.run("key", "list", "acme.example", "--json").json?.arrayValue ?? [] }

  @Test func createPrintsTheSecretOnceAndListNever() throws {
    let made = try runner.run(
      "key", "create", "acme.example", "--role", "admin", "--profile", "strict", "--label", "x", "--json")
    let secret = try #require(made.json?["key"]?.stringValue)
    #expect(secret.hasPrefix("rst_"))
    #expect(made.json?["organization"] == "acme.example")
    let list = try runner.run("key", "list", "acme.example", "--json")
    #expect(!list.output.contains(secret))
    let key = try #require(list.json?.arrayValue?.first)
    #expect(key["role"] == "admin")
    #expect(key["profile"] == "strict")
    #expect(key["label"] == "x")
    #expect(key["state"] == "valid")
    #expect(key["id"] == made.json?["id"])
  }

  @Test func theSecretStandsAloneOnTheFirstLine() throws {
    let made = try runner.run("key", "create", "acme.example")
    let first = made.output.split(separator: "\n").first.map(String.init) ?? ""
    #expect(first.hasPrefix("rst_") && !first.contains(" "))
    #expect(try keys().first?["role"] == "provisioner")
  }

  @Test func anExpiryToComeIsTakenAndAnotherRefused() throws {
    let made = try runner.run("key", "create", "acme.example", "--expires", "2999-01-31", "--json")
    #expect(made.json?["expires"] == "2999-01-31T00:00:00.000Z")
    for (bad, reason) in [
      ("2001-01-01", "lies in the past"), ("0d", "or is now"), ("soon", "s, m, h, d, w"), ("1y", "s, m, h, d, w"),
    ] {
      let refused = try runner.run("key", "create", "acme.example", "--expires", bad)
      #expect(refused.code == 2 && refused.error.contains(reason), "\(refused.error)")
    }
    #expect(try keys().count == 1)
  }

  @Test(arguments: [["--role", "king"], ["--profile", "lax"], ["--rolle", "admin"]])
  func badChoicesAreUsageErrors(_ options: [String]) throws {
    let outcome = try runner.run("key", "create", "acme.example", options[0], options[1])
    #expect(outcome.code == 2)
    #expect(try keys().isEmpty)
  }

  @Test func revokeByIdOrLabel() throws {
    _ = try runner.run("key", "create", "acme.example", "--label", "a")
    #expect(try runner.run("key", "revoke", "acme.example", "a").code == 0)
    #expect(try keys().first?["state"] == "revoked")
    #expect(try runner.run("key", "revoke", "acme.example", "a").code == 1)
    #expect(try runner.run("key", "revoke", "acme.example", "key_none").code == 1)
  }

  @Test func rotateKeepsTheOldKeyUntilItIsTimeAndRevokingItSoonerWins() throws {
    _ = try runner.run("key", "create", "acme.example", "--label", "a", "--role", "admin")
    let rotated = try runner.run("key", "rotate", "acme.example", "a", "--revoke-old-after", "1h", "--json")
    #expect(rotated.json?["role"] == "admin")
    #expect(rotated.json?["label"] == "a")
    #expect(try keys().map { $0["state"] } == ["valid", "ending"])
    let old = try #require(try keys().last?["id"]?.stringValue)
    _ = try runner.run("key", "revoke", "acme.example", old)
    #expect(try keys().map { $0["state"] } == ["valid", "revoked"])
  }

  @Test func aRotatedKeyEndsWithTheOldOneUnlessToldOtherwise() throws {
    _ = try runner.run("key", "create", "acme.example", "--label", "a", "--expires", "2999-01-31")
    let first = try #require(try keys().first?["id"]?.stringValue)
    let rotated = try runner.run("key", "rotate", "acme.example", first, "--json")
    #expect(rotated.json?["expires"] == "2999-01-31T00:00:00.000Z")
    let told = try runner.run("key", "rotate", "acme.example", first, "--expires", "2999-12-31", "--json")
    #expect(told.json?["expires"] == "2999-12-31T00:00:00.000Z")
    #expect(
      try runner.run("key", "rotate", "acme.example", first, "--expires", "never", "--json").json?["expires"] == .null)
  }

  @Test func rotateWithoutATimeLeavesTheOldKeyAlone() throws {
    _ = try runner.run("key", "create", "acme.example", "--label", "a")
    _ = try runner.run("key", "rotate", "acme.example", "a")
    #expect(try keys().map { $0["state"] } == ["valid", "valid"])
    // The label names two keys now.
    #expect(try runner.run("key", "revoke", "acme.example", "a").code == 1)
  }

  @Test func aKeyThatIsEndingLeavesItsLabelToItsSuccessor() throws {
    _ = try runner.run("key", "create", "acme.example", "--label", "a")
    let old = try #require(try keys().first?["id"]?.stringValue)
    let rotated = try runner.run("key", "rotate", "acme.example", "a", "--revoke-old-after", "1h")
    let end = try #require(try keys().last?["revoked"]?.stringValue)
    #expect(rotated.output.hasSuffix("The old key \(old) ends at \(end).\n"), "\(rotated.output)")
    let again = try runner.run("key", "rotate", "acme.example", "a", "--json")
    #expect(again.code == 0, "\(again.error)")
    #expect(again.json?["replaces"]?["revoked"] == .null)
    let newest = try #require(again.json?["id"]?.stringValue)
    _ = try runner.run("key", "revoke", "acme.example", newest)
    #expect(try runner.run("key", "revoke", "acme.example", "a").code == 0)
    #expect(try keys().map { $0["state"] } == ["revoked", "revoked", "ending"])
    // No other has the label by now.
    #expect(try runner.run("key", "revoke", "acme.example", "a").code == 0)
  }

  @Test(
    "a key whose secret could not be written is not valid, and the one that it replaces does not end",
    arguments: [["create"], ["rotate", "a", "--revoke-old-after", "0s"]])
  func lostSecret(_ words: [String]) throws {
    _ = try runner.run("key", "create", "acme.example", "--label", "a")
    let process = runner.process(["key", words[0], "acme.example"] + words.dropFirst())
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(
      try keys().map { $0["state"] }.sorted { ($0?.stringValue ?? "") < ($1?.stringValue ?? "") } == [
        "revoked", "valid",
      ])
    #expect(try keys().last?["revoked"] == .null)
  }
}
