import CSystem
import Glibc

@testable import HTTPServer

/// A plain blocking client, which gives up after ten seconds.
final class Client {
  struct Failure: Error {}

  let socket: Int32
  private var received: [UInt8] = []
  /// How often something was received.
  private(set) var reads = 0
  private(set) var hasEnded = false
  private(set) var wasReset = false

  init(port: Int, v6: Bool = false, receiveBuffer: Int32? = nil) throws {
    socket = Glibc.socket(v6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw Failure() }
    if var size = receiveBuffer {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let connected: Int32
    if v6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = UInt16(port).bigEndian
      inet_pton(AF_INET6, "::1", &address.sin6_addr)
      connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    // `deinit` runs here too, and closes the socket.
    guard connected == 0 else { throw Failure() }
  }

  deinit { close(socket) }

  /// Sends all of it, as far as the connection holds; true where it did.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { csystem_send(socket, $0.baseAddress, UInt($0.count)) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Closes the connection at once, so that the server is told with a reset.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    dup2(Self.nothing, socket)
  }

  /// Takes the place of a socket that was closed before its time.
  private static let nothing = open("/dev/null", O_RDWR)

  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads once; false at the end, after a reset, or when patience has run out.
  @discardableResult
  func read() -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &room, room.count, 0)
    if count > 0 {
      received += room[..<count]
      reads += 1
      return true
    }
    if count == 0 { hasEnded = true } else if errno == ECONNRESET { wasReset = true }
    return false
  }

  /// Waits for that many answers, final ones and interim ones.
  func answers(_ count: Int, heads: Set<Int> = []) throws -> [Answer] {
    while true {
      if let answers = Answer.all(in: received, heads: heads), answers.count >= count { return answers }
      guard read() else { throw Failure() }
    }
  }

  /// Reads to the end of the connection, and gives what came.
  func rest(heads: Set<Int> = []) throws -> [Answer] {
    while read() {}
    guard hasEnded, let answers = Answer.all(in: received, heads: heads) else { throw Failure() }
    return answers
  }

  /// The next answer to a request sent now.
  func ask(_ text: String) throws -> Answer {
    received = []
    send(text)
    guard let answer = try answers(1).last else { throw Failure() }
    return answer
  }
}

/// A server on a port of its own for one test.
final class TestServer {
  let desk = Desk()
  let server: Server
  var port: Int { server.port }

  init(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
    var configuration = ServerConfiguration()
    configuration.drainDeadline = 5_000
    change(&configuration)
    let desk = self.desk
    server = Server(configuration) { _ in TestResponder(desk) }
    try server.start()
  }

  deinit { server.stop() }

  func client() throws -> Client { try Client(port: port) }

  /// Waits until that many tickets are held.
  func waitForTickets(_ count: Int) { wait { desk.held >= count } }

  /// Waits until `condition` holds, ten seconds at most.
  func wait(_ condition: () -> Bool) {
    for _ in 0..<10_000 {
      if condition() { return }
      usleep(1000)
    }
  }
}
