import Testing

@testable import roster

@Suite struct ArgumentParserTests {
  static let root = Command(
    name: "roster", summary: "test",
    commands: [
      Command(
        name: "key", summary: "keys",
        commands: [
          Command(
            name: "create", summary: "make", operands: [Operand(name: "ORG", help: "")],
            options: [
              .value("role", "ROLE", "", default: "provisioner"), .value("base-url", "URL", "", variable: true),
              .flag("json", ""), .flag("trust-proxy", "", variable: true), .value("port", "N", "", variable: true),
            ])
        ]),
      Command(
        name: "seed", summary: "seed",
        operands: [Operand(name: "FILE", help: "", isRequired: false, isRepeated: true)]),
    ])

  static func parse(_ line: String, _ environment: [String: String] = [:]) throws(UsageError) -> Parsed {
    try ArgumentParser(root: root, environment: environment).parse(line.split(separator: " ").map(String.init))
  }

  static func invocation(_ line: String, _ environment: [String: String] = [:]) throws -> Invocation {
    guard case .run(_, let invocation) = try parse(line, environment) else {
      Issue.record("'\(line)' does not run a command")
      return Invocation()
    }
    return invocation
  }

  @Test(
    "both forms of a value, in any place",
    arguments: [
      "key create acme --role admin --json", "key create --role=admin acme --json",
      "key create --json --role reader --role admin -- acme",
    ])
  func values(_ line: String) throws {
    let invocation = try Self.invocation(line)
    #expect(invocation.text("role") == "admin")
    #expect(invocation.flag("json"))
    #expect(invocation.operands == ["acme"])
  }

  @Test func anOptionLikeWordBehindTwoDashesIsAnOperand() throws {
    #expect(try Self.invocation("seed a.json -- --b").operands == ["a.json", "--b"])
  }

  @Test func aValueMayHoldAnEqualsSign() throws {
    #expect(try Self.invocation("key create a --base-url=http://x/?a=b").text("base-url") == "http://x/?a=b")
  }

  @Test func theCommandLineBeatsTheEnvironmentWhichBeatsTheDefault() throws {
    let environment = ["ROSTER_BASE_URL": "http://env", "ROSTER_ROLE": "ignored, since the option has no variable"]
    #expect(try Self.invocation("key create a", environment).text("base-url") == "http://env")
    #expect(try Self.invocation("key create a", environment).text("role") == "provisioner")
    #expect(try Self.invocation("key create a --base-url http://line", environment).text("base-url") == "http://line")
  }

  @Test(arguments: [("1", true), ("TRUE", true), ("yes", true), ("0", false), ("off", false), ("", false)])
  func flagsFromTheEnvironment(_ value: String, _ expected: Bool) throws {
    #expect(try Self.invocation("key create a", ["ROSTER_TRUST_PROXY": value]).flag("trust-proxy") == expected)
  }

  @Test(
    "usage errors",
    arguments: [
      ("kye", "unknown command 'kye'; did you mean 'key'?"),
      ("frobnicate", "unknown command 'frobnicate'"),
      ("--josn", "unknown option '--josn'"),
      ("key craete a", "unknown command 'craete'; did you mean 'create'?"),
      ("key create a --rloe x", "unknown option '--rloe'; did you mean '--role'?"),
      ("key create a -r x", "unknown option '-r'"),
      ("key create a --role", "--role needs a value"),
      ("key create a --json=1", "--json takes no value"),
      ("key create", "ORG is missing"),
      ("key create a b", "unexpected 'b'"),
    ])
  func refused(_ line: String, _ message: String) {
    let error = #expect(throws: UsageError.self) { try Self.parse(line) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "nothing")")
  }

  @Test func aBadVariableIsNamed() {
    let error = #expect(throws: UsageError.self) { try Self.parse("key create a", ["ROSTER_TRUST_PROXY": "maybe"]) }
    #expect(error?.message == "ROSTER_TRUST_PROXY must be true or false, not 'maybe'")
  }

  @Test func numbersAreChecked() throws {
    let good = try Self.invocation("key create a --port 8080")
    #expect(try good.integer("port", in: 1...65535) == 8080)
    for bad in ["0", "65536", "x", "99999999999999999999", ""] {
      let invocation = try Self.invocation("key create a --port=\(bad)")
      #expect(throws: UsageError(message: "--port must be a whole number from 1 to 65535, not '\(bad)'")) {
        try invocation.integer("port", in: 1...65535)
      }
    }
    let variable = try Self.invocation("key create a", ["ROSTER_PORT": "x"])
    #expect(throws: UsageError(message: "ROSTER_PORT must be a whole number from 1 to 65535, not 'x'")) {
      try variable.integer("port", in: 1...65535)
    }
  }

  @Test(
    "help at each level",
    arguments: [
      ("", ["roster"]), ("--help", ["roster"]), ("help", ["roster"]), ("key", ["roster", "key"]),
      ("key -h", ["roster", "key"]), ("key create --help", ["roster", "key", "create"]),
      ("help key create", ["roster", "key", "create"]), ("key create --role x -h", ["roster", "key", "create"]),
    ])
  func help(_ line: String, _ expected: [String]) throws {
    guard case .help(let command, let path) = try Self.parse(line) else {
      Issue.record("no help")
      return
    }
    #expect(path == expected)
    #expect(command.name == expected.last)
  }

  @Test func version() throws {
    guard case .version = try Self.parse("--version") else {
      Issue.record("no version")
      return
    }
  }
}
