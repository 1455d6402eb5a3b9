import CSystem
import Glibc

/// Bytes on their way to a socket: pieces that were copied together, and between them at most one long body that was
/// handed over and is not copied.
struct OutputQueue: ~Copyable {
  /// A body at least this long is handed over; copying a shorter one costs less than a piece of its own.
  static let handedOver = 16 << 10
  /// Of a body that is longer than this, what has been sent is freed once it is the half.
  private static let worthCutting = 1 << 20

  /// What goes out first.
  var front = ByteBuffer()
  private var body: [UInt8] = []
  /// How much of `body` has been sent.
  private var sent = 0
  private var back = ByteBuffer()

  var count: Int { front.count + (body.count - sent) + back.count }
  var isEmpty: Bool { front.isEmpty && body.isEmpty && back.isEmpty }
  /// True where nothing can be written into `front` any more.
  var hasBody: Bool { !body.isEmpty }

  mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    if body.isEmpty { front.append(bytes, length) } else { back.append(bytes, length) }
  }

  /// Takes over a body.
  mutating func append(_ bytes: consuming [UInt8]) {
    if !body.isEmpty {
      back.append(bytes)
    } else if !bytes.isEmpty {
      body = bytes
    }
  }

  /// Takes over all of another queue, behind what is here.
  mutating func takeAll(of other: inout OutputQueue, keeping: Int) {
    if let bytes = other.front.bytes, !other.front.isEmpty { append(bytes, other.front.count) }
    if !other.body.isEmpty {
      if body.isEmpty {
        body = other.body
        sent = other.sent
      } else {
        other.body.withUnsafeBufferPointer { source in
          if let base = source.baseAddress { back.append(base + other.sent, source.count - other.sent) }
        }
      }
    }
    if let bytes = other.back.bytes, !other.back.isEmpty { append(bytes, other.back.count) }
    other.removeAll(keeping: keeping)
  }

  /// Sends what the socket takes at once; false where the connection is broken.
  mutating func send(to socket: Int32) -> Bool {
    let wanted = front.count + body.count - sent
    let result: Int
    if body.isEmpty {
      guard let bytes = front.bytes, !front.isEmpty else { return true }
      result = csystem_send(socket, bytes, UInt(front.count))
    } else {
      result = body.withUnsafeBufferPointer { source in
        csystem_send_two(
          socket, front.bytes, UInt(front.count), source.baseAddress.map { $0 + sent }, UInt(source.count - sent))
      }
    }
    guard result >= 0 else { return errno == EAGAIN || errno == EINTR }
    consume(result)
    guard result == wanted, !isEmpty else { return true }
    return send(to: socket)
  }

  private mutating func consume(_ length: Int) {
    let fromFront = min(length, front.count)
    front.consume(fromFront)
    sent += length - fromFront
    if sent == body.count {
      body = []
      sent = 0
      if front.isEmpty, !back.isEmpty { swap(&front, &back) }
    } else if body.count >= Self.worthCutting, sent >= body.count / 2 {
      // The half is copied, so that in all no byte is copied more than once.
      body = Array(body[sent...])
      sent = 0
    }
  }

  /// Empties the queue, and gives its memory back where that is more than `keeping` bytes.
  mutating func removeAll(keeping: Int = 0) {
    front.removeAll(keeping: keeping)
    back.removeAll()
    body = []
    sent = 0
  }
}
