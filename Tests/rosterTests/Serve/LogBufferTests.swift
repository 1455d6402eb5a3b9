import Testing

@testable import roster

@Suite struct LogBufferTests {
  private func line(_ bytes: Int) -> String { String(repeating: "x", count: bytes - 1) }

  /// Which of the lines were taken.
  private func append(_ lines: [String], to buffer: inout LogBuffer) -> [Bool] { lines.map { buffer.append($0) } }

  @Test func oneMebibyteWaitsAndNotAByteMore() {
    var buffer = LogBuffer(limit: LogWriter.defaultLimit)
    let taken = append(Array(repeating: line(1024), count: 1023) + [line(1023)], to: &buffer)
    #expect(taken == Array(repeating: true, count: 1024))
    // One byte is left, and a line has an end.
    let oneMore = append(["x"], to: &buffer)
    #expect(oneMore == [false] && buffer.dropped == 1)
    let (bytes, dropped) = buffer.take()
    #expect(bytes.count == (1 << 20) - 1 && dropped == 0)
  }

  @Test func aLineThatFillsItIsTaken() {
    var buffer = LogBuffer(limit: LogWriter.defaultLimit)
    let first = append([line(1 << 20)], to: &buffer)
    let count = buffer.take().bytes.count
    #expect(first == [true] && count == 1 << 20)
    let second = append([line((1 << 20) + 1)], to: &buffer)
    #expect(second == [false])
  }

  @Test func howManyWereDroppedIsToldOnceBehindWhatWaited() {
    var buffer = LogBuffer(limit: 10)
    let first = append(["12345", "67890", "a"], to: &buffer)
    let untold = buffer.take().dropped
    #expect(first == [true, false, false] && untold == 0)
    // Nothing goes before the news of what is missing.
    let second = append(["b"], to: &buffer)
    #expect(second == [false] && !buffer.isEmpty)
    let (bytes, dropped) = buffer.take()
    #expect(bytes.isEmpty && dropped == 3 && buffer.isEmpty)
    let third = append(["c"], to: &buffer)
    let told = buffer.take().dropped
    #expect(third == [true] && told == 0)
  }
}
