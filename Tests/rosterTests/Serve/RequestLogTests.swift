import Testing

@testable import roster

@Suite struct RequestLogTests {
  @Test func aLineStaysALine() {
    let fields = [("a", "plain"), ("b", "two words"), ("c", "x\ny\"z="), ("d", "")]
    #expect(RequestLog.line(.logfmt, fields) == #"a=plain b="two words" c="x\ny\"z=" d="""#)
    #expect(RequestLog.line(.json, fields) == #"{"a":"plain","b":"two words","c":"x\ny\"z=","d":""}"#)
  }
}
