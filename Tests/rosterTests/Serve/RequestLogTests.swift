import Testing

@testable import roster

@Suite struct RequestLogTests {
  @Test func aLineStaysALine() {
    let fields = [("a", "plain"), ("b", "two words"), ("c", "x\ny\"z="), ("d", "")]
    #expect(RequestLog.line(.logfmt, fields) == #"a=plain b="two words" c="x\ny\"z=" d="""#)
    #expect(RequestLog.line(.json, fields) == #"{"a":"plain","b":"two words","c":"x\ny\"z=","d":""}"#)
  }

  @Test func aLineSteersNoTerminal() {
    #expect(RequestLog.line(.logfmt, [("a", "x\u{9B}2J")]) == #"a="x\u009B2J""#)
    #expect(RequestLog.line(.json, [("a", "x\u{9B}2J")]) == #"{"a":"x\u009B2J"}"#)
  }
}
