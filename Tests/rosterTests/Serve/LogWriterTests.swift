import Foundation
import Testing

@testable import roster

/// Lines into a pipe whose reader stalls.
@Suite struct LogWriterTests {
  /// Reads whole lines of a pipe.
  private final class Reader {
    let pipe = Pipe()
    private var rest: [UInt8] = []

    var descriptor: Int32 { pipe.fileHandleForWriting.fileDescriptor }

    func next() -> String? {
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest.removeSubrange(...end) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { return nil }
        rest += data
      }
    }
  }

  @Test func linesComeInTheirOrder() {
    let reader = Reader()
    let writer = LogWriter(descriptor: reader.descriptor) { "dropped \($0)" }
    for number in 0..<100 { writer.writeLine("line \(number)") }
    for number in 0..<100 { #expect(reader.next() == "line \(number)") }
    writer.finish(within: 10)
    #expect(writer.untold == 0)
  }

  @Test func whatDoesNotFitIsDroppedAndCounted() throws {
    let reader = Reader()
    let writer = LogWriter(descriptor: reader.descriptor, limit: 64 << 10) { "dropped \($0)" }
    let padding = String(repeating: "x", count: 90)
    // The pipe takes 64 KiB and nobody reads: these return all the same.
    for number in 0..<10_000 { writer.writeLine("\(number) \(padding)") }
    var numbers: [Int] = []
    var dropped = 0
    // How many are told of at a time is up to the threads: in the end each line is there or counted.
    while numbers.count + dropped < 10_000, let line = reader.next() {
      let words = line.split(separator: " ")
      if words.first == "dropped" { dropped += words.last.flatMap { Int($0) } ?? 0 }
      if let number = words.first.flatMap({ Int($0) }) { numbers.append(number) }
    }
    #expect(dropped > 0)
    #expect(numbers.count + dropped == 10_000)
    #expect(numbers == numbers.sorted())
    writer.writeLine("again")
    #expect(reader.next() == "again")
  }

  @Test func aLineThatIsTooLongIsToldOfAndTheNextIsWritten() {
    let reader = Reader()
    let writer = LogWriter(descriptor: reader.descriptor, limit: 100) { "dropped \($0)" }
    writer.writeLine(String(repeating: "x", count: 100))
    #expect(reader.next() == "dropped 1")
    writer.writeLine("next")
    #expect(reader.next() == "next")
  }

  @Test func anEndDoesNotWaitForAStalledReader() {
    let reader = Reader()
    let writer = LogWriter(descriptor: reader.descriptor) { "dropped \($0)" }
    for _ in 0..<2000 { writer.writeLine(String(repeating: "x", count: 100)) }
    writer.finish(within: 0)
    // To the last line: the thread must be done with the pipe before that is closed.
    for _ in 0..<2000 { #expect(reader.next()?.count == 100) }
    writer.finish(within: 10)
  }

  @Test func aReaderThatHasGoneEndsNothing() throws {
    signal(SIGPIPE, SIG_IGN)
    let reader = Reader()
    let writer = LogWriter(descriptor: reader.descriptor) { "dropped \($0)" }
    try reader.pipe.fileHandleForReading.close()
    for _ in 0..<100 { writer.writeLine("nobody reads this") }
    writer.finish(within: 10)
    #expect(writer.untold == 0)
  }
}
