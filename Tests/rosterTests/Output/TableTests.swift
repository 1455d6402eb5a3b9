import Foundation
import Testing

@testable import roster

@Suite struct TableTests {
  @Test func columnsAreAlignedByDisplayWidth() {
    var table = Table("USER", "N", "NAME", trailing: ["N"])
    table.rows = [["a", "1", "Ana"], ["王小明", "20", "x"], ["Zoe\u{308}", "300", ""]]
    #expect(
      table.text(hasStyle: false) == """
        USER      N  NAME
        a         1  Ana
        王小明   20  x
        Zoe\u{308}     300

        """)
  }

  @Test func aLongCellPushesNothingOutOfSight() {
    var table = Table("A", "B")
    table.rows = [[String(repeating: "x", count: 5000), "b"], [String(repeating: "王", count: 40), "c"]]
    let long = String(repeating: "x", count: Table.maximumWidth - 1) + "…"
    let wide = String(repeating: "王", count: 40)
    let title = "A" + String(repeating: " ", count: Table.maximumWidth - 1)
    #expect(table.text(hasStyle: false) == "\(title)  B\n\(long)  b\n\(wide)  c\n")
  }

  @Test(
    "a line fits the terminal: long texts are cut first, ids and numbers last",
    arguments: [
      (84, ["0193-4567-89ab", "a.long.name@acme.example", "1000000", "An even longer description of it"]),
      (60, ["0193-4567-89ab", "a.long.name@acm…", "1000000", "An even longer d…"]),
      (44, ["0193-4567-89ab", "a.long.…", "1000000", "An even …"]),
      (20, ["0193…", "a.lo…", "1000…", "An e…"]),
    ])
  func fits(_ width: Int, _ expected: [String]) {
    var table = Table("ID", "USERNAME", "COUNT", "DESCRIPTION", trailing: ["COUNT"])
    table.rows = [["0193-4567-89ab", "a.long.name@acme.example", "1000000", "An even longer description of it"]]
    let lines = table.text(hasStyle: false, width: width).split(separator: "\n")
    #expect(lines[1].split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) } == expected, "\(lines[1])")
    if width > 26 { for line in lines { #expect(DisplayWidth.of(String(line)) <= width, "\(line)") } }
  }

  @Test func onlyTheTitlesAreStyled() {
    var table = Table("A")
    table.rows = [["b"]]
    #expect(table.text(hasStyle: true) == "\u{1B}[1mA\u{1B}[0m\nb\n")
  }

  @Test func storedTextCannotSteerTheTerminal() {
    var table = Table("A")
    table.rows = [["x\u{1B}[2J\ny\u{202E}z"]]
    #expect(table.text(hasStyle: false) == "A\nx\u{FFFD}[2J\u{FFFD}y\u{FFFD}z\n")
  }
}
