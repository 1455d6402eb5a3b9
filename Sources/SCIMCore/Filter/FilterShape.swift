/// A filter with the texts in double quotes taken out of it; filters of one shape differ in nothing else.
struct FilterShape {
  /// The filter with nothing between its quotes.
  let frame: [UInt8]
  /// What stood between them, in its order.
  let texts: [String]

  /// Nil for a filter with anything but ASCII, with escapes in a text, or with a single quote, which may itself hold
  /// double ones; nil where a quote is not closed.
  init?(_ filter: String) {
    var filter = filter
    var texts: [String] = []
    let frame: [UInt8]? = filter.withUTF8 { source in
      var isPlain = true
      let frame = [UInt8](unsafeUninitializedCapacity: source.count) { frame, count in
        var at = 0
        while at < source.count {
          let byte = source[at]
          frame[count] = byte
          count += 1
          at += 1
          guard byte != UInt8(ascii: "'"), byte < 0x80 else { return isPlain = false }
          guard byte == UInt8(ascii: "\"") else { continue }
          let start = at
          while at < source.count, source[at] != UInt8(ascii: "\"") {
            guard source[at] >= 0x20, source[at] < 0x7F, source[at] != UInt8(ascii: "\\") else {
              return isPlain = false
            }
            at += 1
          }
          guard at < source.count else { return isPlain = false }
          texts.append(String(decoding: UnsafeBufferPointer(rebasing: source[start..<at]), as: UTF8.self))
          frame[count] = byte
          count += 1
          at += 1
        }
      }
      return isPlain ? frame : nil
    }
    guard let frame else { return nil }
    self.frame = frame
    self.texts = texts
  }
}
