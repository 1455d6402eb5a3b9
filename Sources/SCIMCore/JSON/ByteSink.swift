import Foundation

/// Collects the bytes of a JSON text in raw memory that grows as needed: an array would check its owner and its bounds
/// for each of the many short pieces.
struct ByteSink: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  /// An empty sink with room for so many bytes before it has to grow.
  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  mutating func append(_ byte: UInt8) {
    tail(1).pointee = byte
    count += 1
  }

  mutating func append(_ word: StaticString) {
    append(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    guard let address = source.baseAddress else { return }
    tail(source.count).update(from: address, count: source.count)
    count += source.count
  }

  /// The text as a JSON string, quotes included.
  mutating func appendString(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // Nearly every text needs no escapes.
      if Self.needsEscapes(bytes) {
        var quoted: [UInt8] = []
        JSON.appendString(bytes, to: &quoted)
        quoted.withUnsafeBufferPointer { append($0) }
      } else {
        append(UInt8(ascii: "\""))
        append(bytes)
        append(UInt8(ascii: "\""))
      }
    }
  }

  /// True where a byte cannot stand in a JSON string as it is; looks at eight at a time.
  static func needsEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return false }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    let quotes = ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = ones &* UInt64(UInt8(ascii: "\\"))
    var found: UInt64 = 0
    var at = 0
    while at + 8 <= bytes.count {
      let word = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      // Each has the high bit of some byte set if and only if there is one below U+0020, a quote, a backslash.
      found |= (word &- (ones << 5)) & ~word
      found |= ((word ^ quotes) &- ones) & ~(word ^ quotes)
      found |= ((word ^ backslashes) &- ones) & ~(word ^ backslashes)
      at += 8
    }
    if found & highs != 0 { return true }
    for byte in bytes[at...] {
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
    }
    return false
  }

  /// The text as one segment of a URI's path.
  mutating func appendSegment(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // All are looked at, which the compiler turns into a few instructions for many bytes.
      var others: UInt8 = 0
      for byte in bytes { others |= URISegment.isWordOrDash(byte) ^ 1 }
      if others == 0 {
        append(bytes)
      } else {
        var encoded: [UInt8] = []
        URISegment.append(bytes, to: &encoded)
        encoded.withUnsafeBufferPointer { append($0) }
      }
    }
  }

  /// The instant as its text, without quotes.
  mutating func append(_ time: Timestamp) {
    time.write(to: UnsafeMutableBufferPointer(start: tail(Timestamp.textLength), count: Timestamp.textLength))
    count += Timestamp.textLength
  }

  mutating func append(_ number: Int64) {
    if (0...9).contains(number) { return append(UInt8(ascii: "0") + UInt8(number)) }
    var digits: [UInt8] = []
    JSON.appendInteger(number, to: &digits)
    digits.withUnsafeBufferPointer { append($0) }
  }

  /// Room for `length` bytes behind the end, which may hold anything.
  private mutating func tail(_ length: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < length { grow(length) }
    return base + count
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
