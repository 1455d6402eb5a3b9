import HTTPMessage

/// Collects the body of one request, as its head frames it.
struct BodyReader {
  private enum Source {
    case length(remaining: Int)
    case chunks(ChunkDecoder)
  }

  private var source: Source
  private(set) var bytes: [UInt8] = []

  /// A reader of exactly `length` bytes.
  init(length: Int) {
    source = .length(remaining: length)
    // What the client announces is not believed before it comes: a connection costs no more than it has sent.
    bytes.reserveCapacity(min(length, 64 << 10))
  }

  init(chunks: ChunkDecoder) { source = .chunks(chunks) }

  /// Takes from the `count` bytes at `base` what belongs to the body, `used` bytes.
  mutating func take(_ base: UnsafePointer<UInt8>, _ count: Int, used: inout Int) -> ChunkDecoder.Outcome {
    switch source {
    case .length(let remaining):
      used = min(remaining, count)
      bytes.append(contentsOf: UnsafeBufferPointer(start: base, count: used))
      source = .length(remaining: remaining - used)
      return used == remaining ? .done : .more
    case .chunks(var decoder):
      // No second owner while it works: the state is put back afterwards.
      let outcome = decoder.decode(base, count, into: &bytes, used: &used)
      source = .chunks(decoder)
      return outcome
    }
  }
}
