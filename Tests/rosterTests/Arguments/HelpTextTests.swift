import Testing

@testable import roster

@Suite struct HelpTextTests {
  @Test func namesOptionsDefaultsAndVariables() {
    let command = Command(
      name: "serve", summary: "answer requests",
      operands: [Operand(name: "FILE", help: "A file.", isRequired: false, isRepeated: true)],
      options: [.value("port", "N", "The port.", default: "8080", variable: true), .flag("json", "Print JSON.")])
    #expect(
      HelpText(command: command, path: ["roster", "serve"]).text == """
        roster serve: answer requests

        Usage: roster serve [FILE ...] [options]

        Arguments:
          FILE  A file.

        Options:
          --port N    The port. (default: 8080; variable: ROSTER_PORT)
          --json      Print JSON.
          -h, --help  Show this help.

        """)
  }

  @Test func longTextIsWrappedAtBlanks() {
    #expect(HelpText.wrap("one two three", width: 7) == ["one two", "three"])
    #expect(HelpText.wrap("unbreakable", width: 4) == ["unbreakable"])
    #expect(HelpText.wrap("", width: 4) == [""])
  }
}
