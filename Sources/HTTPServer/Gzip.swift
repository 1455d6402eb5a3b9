import CZlib
import HTTPMessage

/// gzip both ways (RFC 1952) with two zlib streams that are made once and used again; for one thread.
final class Gzip {
  private let deflater = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let inflater = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var deflates = false
  private var inflates = false
  private let block = 16 << 10
  /// The most gzip members of one body: empty ones cost time and give no bytes that would count.
  static let maxMembers = 256

  init() {
    deflater.initialize(to: z_stream())
    inflater.initialize(to: z_stream())
  }

  deinit {
    if deflates { deflateEnd(deflater) }
    if inflates { inflateEnd(inflater) }
    deflater.deallocate()
    inflater.deallocate()
  }

  /// The bytes compressed; nil where zlib cannot, so that they go out as they are.
  func compress(_ bytes: [UInt8]) -> [UInt8]? {
    if !deflates {
      // The cheapest level: over a network it takes most of what the higher ones would. 31: a gzip wrapper, 32 KiB.
      let made = deflateInit2_(
        deflater, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      guard made == Z_OK else { return nil }
      deflates = true
    }
    guard deflateReset(deflater) == Z_OK else { return nil }
    let bound = Int(deflateBound(deflater, UInt(bytes.count)))
    return bytes.withUnsafeBufferPointer { source in
      var finished = false
      let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
        deflater.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        deflater.pointee.avail_in = UInt32(source.count)
        deflater.pointee.next_out = target.baseAddress
        deflater.pointee.avail_out = UInt32(bound)
        finished = deflate(deflater, Z_FINISH) == Z_STREAM_END
        count = bound - Int(deflater.pointee.avail_out)
      }
      guard finished else { return nil }
      // An answer can wait long for its client: it is not to hold the room that was made for the worst case.
      guard bound - packed.count > 4 << 10 else { return packed }
      return [UInt8](unsafeUninitializedCapacity: packed.count) { target, count in
        count = packed.withUnsafeBufferPointer { target.initialize(fromContentsOf: $0) }
      }
    }
  }

  /// The content of one or more gzip members, at most `limit` bytes of it.
  func expand(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], Fault> {
    if !inflates {
      let made = inflateInit2_(inflater, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      guard made == Z_OK else { return .failure(.gzip) }
      inflates = true
    }
    guard inflateReset(inflater) == Z_OK else { return .failure(.gzip) }
    return bytes.withUnsafeBufferPointer { source in
      inflater.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      inflater.pointee.avail_in = UInt32(source.count)
      var content: [UInt8] = []
      var members = 1
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: block) { room in
        while true {
          inflater.pointee.next_out = room.baseAddress
          inflater.pointee.avail_out = UInt32(block)
          let result = inflate(inflater, Z_NO_FLUSH)
          let count = block - Int(inflater.pointee.avail_out)
          guard count <= limit - content.count else { return .failure(.bodyTooLarge) }
          content.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
          if result == Z_STREAM_END {
            if inflater.pointee.avail_in == 0 { return .success(content) }
            // Another member follows, or rubbish, which its header check finds.
            members += 1
            guard members <= Self.maxMembers, inflateReset(inflater) == Z_OK else { return .failure(.gzip) }
          } else if result != Z_OK {
            return .failure(.gzip)
          }
        }
      }
    }
  }
}
