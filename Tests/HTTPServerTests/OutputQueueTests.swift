import Glibc
import Testing

@testable import HTTPServer

@Suite("What waits for a socket")
struct OutputQueueTests {
  /// A pair of sockets of which the sending one takes little at a time.
  private struct Pair: ~Copyable {
    let sender: Int32
    let receiver: Int32

    init() {
      var pair: [Int32] = [-1, -1]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair)
      sender = pair[0]
      receiver = pair[1]
      var size: Int32 = 4096
      setsockopt(sender, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
      close(sender)
      close(receiver)
    }

    func take() -> [UInt8] {
      var room = [UInt8](repeating: 0, count: 3001)
      let count = recv(receiver, &room, room.count, 0)
      return count > 0 ? Array(room[..<count]) : []
    }
  }

  private func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ seed) }
  }

  @Test(
    "Copied pieces and long bodies go out in their order, whatever the socket takes",
    arguments: [0, 1, 100_000, 3 << 20])
  func order(_ length: Int) {
    let pair = Pair()
    var queue = OutputQueue()
    var expected: [UInt8] = []
    func copy(_ piece: [UInt8], _ queue: inout OutputQueue) {
      piece.withUnsafeBufferPointer { if let base = $0.baseAddress { queue.append(base, $0.count) } }
      expected += piece
    }
    copy(bytes(500, 1), &queue)
    queue.append(bytes(length, 2))
    expected += bytes(length, 2)
    copy(bytes(700, 3), &queue)
    var other = OutputQueue()
    other.front.append(bytes(300, 4))
    other.append(bytes(200_000, 5))
    expected += bytes(300, 4) + bytes(200_000, 5)
    queue.takeAll(of: &other, keeping: 0)
    let (rest, all) = (other.count, queue.count)
    #expect(rest == 0 && all == expected.count)
    var received: [UInt8] = []
    while !queue.isEmpty {
      let isOpen = queue.send(to: pair.sender)
      #expect(isOpen)
      while true {
        let piece = pair.take()
        if piece.isEmpty { break }
        received += piece
      }
      let left = queue.count
      #expect(received.count + left == expected.count)
    }
    #expect(received == expected)
  }

  @Test("A connection that is broken is told, and emptying the queue lets go of all")
  func broken() {
    let pair = Pair()
    var queue = OutputQueue()
    queue.append(bytes(100_000, 1))
    shutdown(pair.receiver, Int32(SHUT_RDWR))
    close(pair.receiver)
    let isOpen = queue.send(to: pair.sender)
    #expect(!isOpen)
    queue.removeAll()
    let isEmpty = queue.isEmpty
    #expect(isEmpty)
  }
}
