import CSystem
import Glibc
import HTTPMessage

@testable import HTTPServer

/// One connection on a loop that does not run: the test does what the loop's turns would do, so that how the bytes are
/// cut is the test's choice and not the kernel's.
final class Rig {
  struct Failure: Error {}

  let desk = Desk()
  let loop: Loop
  let connection: Connection
  let client: Int32
  private var isOpen = true

  init(_ configuration: ServerConfiguration = ServerConfiguration(), bodies: ByteLedger? = nil) throws {
    var pair: [Int32] = [-1, -1]
    guard let mailbox = Mailbox(),
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair) == 0
    else { throw Failure() }
    client = pair[0]
    let ledger = ClientLedger(maxTotal: 10, maxPerClient: 10)
    let (address, _) = ClientAddress.read(sockaddr_storage())
    _ = ledger.admit(address)
    loop = try Loop(
      configuration, listener: -1, mailbox: mailbox, ledger: ledger,
      bodies: bodies ?? ByteLedger(limit: configuration.maxBodyBytes), responder: TestResponder(desk))
    loop.writer.date.update(0)
    guard let adopted = loop.adopt(pair[1], client: address, peer: "test") else { throw Failure() }
    connection = adopted
  }

  deinit {
    loop.remove(connection)
    close(client)
  }

  func feed(_ text: String) { feed(Array(text.utf8)[...]) }

  /// Sends a piece and lets the connection read it.
  func feed(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { csystem_send(client, $0.baseAddress, UInt($0.count)) }
      if sent > 0 { rest = rest.dropFirst(sent) }
      turn()
      if sent <= 0, connection.phase == .closed { return }
    }
  }

  /// Closes the client's sending side.
  func finish() {
    shutdown(client, Int32(SHUT_WR))
    turn()
  }

  /// What the loop does when something has arrived.
  func turn() {
    loop.readMail()
    loop.takePostponed()
    while connection.interest & CSYSTEM_IN != 0, isReadable, connection.phase != .closed {
      connection.receive(on: loop)
    }
    loop.readMail()
  }

  /// What the loop does when the client has taken something.
  func write() {
    guard connection.phase != .closed, connection.interest & CSYSTEM_OUT != 0 else { return }
    connection.handle(CSYSTEM_OUT, on: loop)
  }

  /// What the loop does once so much time has passed.
  func pass(milliseconds: Int) {
    loop.now += Int64(milliseconds)
    loop.sweep()
  }

  private var isReadable: Bool {
    var poll = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLIN) != 0
  }

  /// Everything that the connection has sent so far.
  func output() -> [UInt8] {
    var all: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(client, &room, room.count, 0)
      guard count > 0 else { return all }
      all += room[..<count]
    }
  }

  /// The statuses of what the connection has sent since it was last looked at; nil where the last answer is not whole.
  func statuses() -> [Int]? { Answer.all(in: output())?.map(\.status) }

  /// Whether the connection takes more requests.
  var takesMore: Bool { connection.phase == .head || connection.phase == .body || connection.phase == .waiting }
}
