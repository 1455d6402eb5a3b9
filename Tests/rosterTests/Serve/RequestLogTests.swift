import Foundation
import SCIMSQL
import SCIMService
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

  @Test func theEndOfATroubleIsNoError() throws {
    let pipe = Pipe()
    let log = RequestLog(format: .logfmt, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    log.store(StoreNote(message: "full", isOver: false))
    log.store(StoreNote(message: "no longer: full", isOver: true))
    log.finish(within: 10)
    let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ").dropFirst().prefix(2) } == [
        ["level=error", "event=store"], ["level=info", "event=store"],
      ])
  }

  @Test func whatIsIgnoredIsNoFault() throws {
    let pipe = Pipe()
    let log = RequestLog(format: .logfmt, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    log.fault(FaultRecord(message: "broken"))
    log.fault(FaultRecord(.ignored, message: "passed over"))
    log.finish(within: 10)
    let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ").dropFirst().prefix(2) } == [
        ["level=error", "event=fault"], ["level=warning", "event=ignored"],
      ])
  }

  @Test func aLineSteersNoTerminal() {
    #expect(RequestLog.line(.logfmt, [("a", .text("x\u{9B}2J"))]) == #"a="x\u009B2J""#)
    #expect(RequestLog.line(.json, [("a", .text("x\u{9B}2J"))]) == #"{"a":"x\u009B2J"}"#)
  }
}
