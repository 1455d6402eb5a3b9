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
