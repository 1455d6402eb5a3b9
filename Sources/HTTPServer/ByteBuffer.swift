import Glibc

/// A growable run of bytes, added to at the end and taken from the front.
///
/// An empty one holds no memory until something is added; raw memory, since the loop's hot path copies into it what
/// the kernel is to have, and an array would clear each byte first.
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  private var start = 0
  private var end = 0

  deinit { free(base) }

  var count: Int { end - start }
  var isEmpty: Bool { end == start }

  /// The bytes held; valid until the next change, and nil only where nothing was ever added.
  var bytes: UnsafePointer<UInt8>? { base.map { UnsafePointer($0 + start) } }

  /// Room for at least `room` bytes behind the end; what is written there counts once it is `commit`ted.
  mutating func tail(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    if let base, capacity - end >= room { return base + end }
    return grow(room)
  }

  mutating func commit(_ written: Int) { end += written }

  mutating func append(_ source: UnsafePointer<UInt8>, _ length: Int) {
    tail(length).update(from: source, count: length)
    end += length
  }

  mutating func append(_ text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { source in
      if let address = source.baseAddress { append(address, source.count) }
    }
  }

  /// Drops `length` bytes at the front.
  mutating func consume(_ length: Int) {
    start += length
    if start == end { removeAll() }
  }

  /// Empties the buffer, and gives its memory back where that is more than `keeping` bytes.
  mutating func removeAll(keeping: Int = 0) {
    start = 0
    end = 0
    if capacity > keeping {
      free(base)
      base = nil
      capacity = 0
    }
  }

  @inline(never)
  private mutating func grow(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    let held = end - start
    if let base, start > 0 {
      memmove(base, base + start, held)
      start = 0
      end = held
      if capacity - held >= room { return base + held }
    }
    let wanted = max(held + room, min(capacity * 2, held + room + (1 << 20)), 512)
    guard let larger = realloc(base, wanted) else {
      // Swift's own allocations end the process here too: there is nothing left to answer with.
      preconditionFailure("out of memory")
    }
    let bytes = larger.assumingMemoryBound(to: UInt8.self)
    base = bytes
    capacity = wanted
    return bytes + held
  }
}
