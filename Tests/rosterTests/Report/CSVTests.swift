import Testing

@testable import roster

@Suite struct CSVTests {
  @Test(
    "As RFC 4180 has it",
    arguments: [
      (["a", "b"], "a,b\r\n"), ([""], "\r\n"), (["", ""], ",\r\n"), (["a,b"], "\"a,b\"\r\n"),
      (["say \"so\""], "\"say \"\"so\"\"\"\r\n"), (["a\nb", "c\rd"], "\"a\nb\",\"c\rd\"\r\n"),
      (["=1+1", " x "], "=1+1, x \r\n"), (["né", "東京"], "né,東京\r\n"),
    ])
  func records(_ cells: [String], _ expected: String) {
    #expect(text(CSV(), cells) == expected)
    #expect(CSV().preamble.isEmpty)
  }

  @Test(
    "For spreadsheets, no cell is a formula",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""),
      ("=\"a\"", "\"'=\"\"a\"\"\""), ("＝1", "'＝1"), ("a=1", "a=1"), ("", ""), ("'x", "'x"),
    ])
  func spreadsheets(_ cell: String, _ expected: String) {
    #expect(text(CSV(isForSpreadsheets: true), ["x", cell]) == "x,\(expected)\r\n")
    #expect(CSV(isForSpreadsheets: true).preamble == [0xEF, 0xBB, 0xBF])
  }

  private func text(_ csv: CSV, _ cells: [String]) -> String {
    var bytes: [UInt8] = []
    csv.append(cells, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
