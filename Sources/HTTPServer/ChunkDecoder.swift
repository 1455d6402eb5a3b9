import HTTPMessage

/// Decodes a chunked body (RFC 9112 section 7.1) piece by piece; extensions and trailer fields are checked and dropped.
struct ChunkDecoder {
  enum Outcome: Equatable {
    case more, done
    case fault(Fault)
  }

  private enum State {
    case size, extensions, sizeFeed, data, dataReturn, dataFeed
    case trailerStart, trailerName, trailerValue, trailerFeed, endFeed, done
  }

  /// The longest body in bytes.
  let limit: Int
  /// The longest trailer section in bytes, with all line ends.
  let maxTrailerBytes: Int
  let maxTrailers: Int
  /// The most bytes of chunk extensions, over all chunks: nobody needs them, and one byte of data could bring many.
  private let maxExtensionBytes = 16 << 10

  private var state = State.size
  private var digits = 0
  private var size = 0
  private var total = 0
  private var extensionBytes = 0
  private var trailerBytes = 0
  private var trailers = 0

  init(limit: Int, maxTrailerBytes: Int, maxTrailers: Int) {
    self.limit = limit
    self.maxTrailerBytes = maxTrailerBytes
    self.maxTrailers = maxTrailers
  }

  /// Reads from `base` and appends the data to `body`; `used` is how many bytes belonged to this body.
  mutating func decode(
    _ base: UnsafePointer<UInt8>, _ count: Int, into body: inout [UInt8], used: inout Int
  ) -> Outcome {
    var at = 0
    defer { used = at }
    while at < count {
      if state == .data {
        let piece = min(size, count - at)
        body.append(contentsOf: UnsafeBufferPointer(start: base + at, count: piece))
        size -= piece
        at += piece
        if size == 0 { state = .dataReturn }
        continue
      }
      let fault = take(base[at])
      at += 1
      if let fault { return .fault(fault) }
      if state == .done { return .done }
    }
    return .more
  }

  /// Takes one byte outside of a chunk's data.
  private mutating func take(_ c: UInt8) -> Fault? {
    switch state {
    case .size: return takeSize(c)
    case .extensions:
      if c == 0x0D {
        state = .sizeFeed
      } else {
        extensionBytes += 1
        guard !Characters.isBarredFromValue(c), extensionBytes <= maxExtensionBytes else { return .chunk }
      }
    case .sizeFeed:
      guard c == 0x0A else { return .chunk }
      digits = 0
      state = size == 0 ? .trailerStart : .data
    case .dataReturn:
      guard c == 0x0D else { return .chunk }
      state = .dataFeed
    case .dataFeed:
      guard c == 0x0A else { return .chunk }
      state = .size
    case .trailerStart, .trailerName, .trailerValue, .trailerFeed: return takeTrailer(c)
    case .endFeed:
      guard c == 0x0A else { return .chunk }
      state = .done
    case .data, .done: break
    }
    return nil
  }

  private mutating func takeSize(_ c: UInt8) -> Fault? {
    if let digit = Characters.hexadecimal(c) {
      // Fifteen digits fit into an Int, and say more than any limit; leading zeros count as digits.
      digits += 1
      guard digits <= 15 else { return size == 0 ? .chunk : .bodyTooLarge }
      size = size << 4 | Int(digit)
      return nil
    }
    guard digits > 0, c == 0x0D || c == UInt8(ascii: ";") else { return .chunk }
    guard size <= limit - total else { return .bodyTooLarge }
    total += size
    state = c == 0x0D ? .sizeFeed : .extensions
    return nil
  }

  private mutating func takeTrailer(_ c: UInt8) -> Fault? {
    trailerBytes += 1
    guard trailerBytes <= maxTrailerBytes else { return .trailersTooLarge }
    switch state {
    case .trailerStart:
      if c == 0x0D {
        // The line feed behind it belongs to the fields as well.
        guard trailerBytes < maxTrailerBytes else { return .trailersTooLarge }
        state = .endFeed
        return nil
      }
      trailers += 1
      guard trailers <= maxTrailers else { return .trailersTooLarge }
      guard Characters.isToken(c) else { return .field }
      state = .trailerName
    case .trailerName:
      if c == UInt8(ascii: ":") {
        state = .trailerValue
      } else if !Characters.isToken(c) {
        return .field
      }
    case .trailerValue:
      if c == 0x0D {
        state = .trailerFeed
      } else if Characters.isBarredFromValue(c) {
        return .field
      }
    default:
      guard c == 0x0A else { return .field }
      state = .trailerStart
    }
    return nil
  }
}
