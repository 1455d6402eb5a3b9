import Testing

@testable import roster

@Suite struct RequestLogTests {
  @Test func aLineStaysALine() {
    let fields: [RequestLog.Field] = [
      ("a", .text("plain")), ("b", .text("two words")), ("c", .text("x\ny\"z=")), ("d", .text("")), ("e", .number(-7)),
    ]
    #expect(RequestLog.line(.logfmt, fields) == #"a=plain b="two words" c="x\ny\"z=" d="" e=-7"#)
    #expect(RequestLog.line(.json, fields) == #"{"a":"plain","b":"two words","c":"x\ny\"z=","d":"","e":-7}"#)
  }

  @Test func aLineSteersNoTerminal() {
    #expect(RequestLog.line(.logfmt, [("a", .text("x\u{9B}2J"))]) == #"a="x\u009B2J""#)
    #expect(RequestLog.line(.json, [("a", .text("x\u{9B}2J"))]) == #"{"a":"x\u009B2J"}"#)
  }
}
