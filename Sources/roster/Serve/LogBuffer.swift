/// Lines that wait to be written, of which there is a bounded number of bytes; further ones are counted. For one thread
/// at a time.
struct LogBuffer {
  /// The most bytes that wait, with the end of each line.
  let limit: Int
  private var bytes: [UInt8] = []
  /// How many lines were dropped that nobody has been told of.
  private(set) var dropped = 0

  init(limit: Int) { self.limit = limit }

  /// True where there is nothing to be written or told.
  var isEmpty: Bool { bytes.isEmpty && dropped == 0 }

  /// Takes a line, or counts it as dropped, which gives false. Behind lines that were dropped there are no more before
  /// that has been told.
  mutating func append(_ line: String) -> Bool {
    guard dropped == 0, bytes.count + line.utf8.count + 1 <= limit else {
      dropped += 1
      return false
    }
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    return true
  }

  /// What waits; only where that is nothing, how many lines were dropped before.
  mutating func take() -> (bytes: [UInt8], dropped: Int) {
    let taken = bytes
    bytes = []
    // What is dropped while these go out is told with the next.
    guard taken.isEmpty else { return (taken, 0) }
    defer { dropped = 0 }
    return ([], dropped)
  }
}
