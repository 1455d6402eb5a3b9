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
