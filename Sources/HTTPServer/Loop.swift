import CSystem
import Glibc
import HTTPMessage

/// One epoll loop with its listening socket, its connections and its responder; everything runs on one thread.
final class Loop {
  static let inboxSize = 64 << 10
  static let keptOutbox = 128 << 10
  private static let listenerToken = UInt64.max
  private static let mailboxToken = UInt64.max - 1

  let configuration: ServerConfiguration
  let epoll: Int32
  let mailbox: Mailbox
  let responder: any Responder
  let writer: ResponseWriter
  /// Where sockets are read into; a connection copies what it cannot use at once.
  let inbox = UnsafeMutablePointer<UInt8>.allocate(capacity: inboxSize)
  /// The answers of the batch that is being taken.
  var outbox = OutputQueue()
  /// What clients have not taken yet, and the request bodies that have no answer yet; over all loops.
  let unsent: ByteLedger
  let bodies: ByteLedger
  var requestIDs = RequestIDs()
  /// Gives memory back; nil where there is none to be given.
  var trimmer: MemoryTrimmer?

  /// The time of the present turn in milliseconds; tests set it.
  var now = csystem_milliseconds()
  private(set) var isDraining = false

  private let ledger: ClientLedger
  private var listener: Int32
  private var isAccepting = false
  private var slots: [Connection?] = []
  private var freeSlots: [Int] = []
  private var postponed: [Connection] = []
  private var connections = 0
  private var generation: UInt64 = 0
  private var serial: UInt64 = 0
  private let sweepInterval: Int64
  private var nextSweep: Int64 = 0
  /// When what has no answer yet is dropped.
  private var drainEnd = Int64.max
  private var hasDropped = false
  /// When the last connections are closed.
  private var end = Int64.max
  private var lastActivity: Int64 = 0
  private var isActive = false

  /// Takes over `listener`.
  init(
    _ configuration: ServerConfiguration, listener: Int32, mailbox: Mailbox, ledger: ClientLedger, bodies: ByteLedger,
    responder: any Responder
  ) throws(ServerError) {
    self.configuration = configuration
    unsent = configuration.unsent
    self.bodies = bodies
    self.listener = listener
    self.mailbox = mailbox
    self.ledger = ledger
    self.responder = responder
    writer = ResponseWriter(compresses: configuration.gzip, minimum: configuration.gzipMinimum)
    let shortest = [
      configuration.headDeadline, configuration.bodyDeadline, configuration.writeDeadline, configuration.idleDeadline,
      configuration.lingerDeadline, configuration.drainDeadline, configuration.halfClosedDeadline,
    ].min()
    sweepInterval = Int64(min(max((shortest ?? 0) / 4, 5), 500))
    epoll = csystem_epoll_create()
    guard epoll >= 0, csystem_epoll_add(epoll, mailbox.descriptor, CSYSTEM_IN, Self.mailboxToken) == 0 else {
      throw .system(doing: "creating an epoll set", reason: String(cString: strerror(errno)))
    }
    resumeAccepting()
  }

  deinit {
    close(epoll)
    if listener >= 0 { close(listener) }
    inbox.deallocate()
  }

  /// Serves until it is told to stop and all is drained, or the time for that is over; gives why it could not go on.
  func run() -> ServerError? {
    var failure: ServerError?
    let events = UnsafeMutablePointer<csystem_event>.allocate(capacity: 256)
    defer { events.deallocate() }
    while !isDraining || (connections > 0 && now < end) {
      let count = csystem_epoll_wait(epoll, events, 256, timeout())
      // Without its epoll set a loop would turn for ever, and its listener would take connections that nobody serves.
      if count < 0, errno != EINTR {
        failure = .system(doing: "waiting for events", reason: String(cString: strerror(errno)))
        break
      }
      now = csystem_milliseconds()
      writer.date.update(csystem_seconds())
      for i in 0..<Int(max(count, 0)) { dispatch(events[i]) }
      if !postponed.isEmpty { takePostponed() }
      if now >= nextSweep { sweep() }
      if now >= drainEnd { drop() }
      if isActive, now - lastActivity >= Int64(configuration.idleCallback) {
        isActive = false
        responder.idle()
        trimmer?.look(isIdle: true)
      }
    }
    for case let connection? in slots { remove(connection) }
    return failure
  }

  private func timeout() -> Int32 {
    if !postponed.isEmpty { return 0 }
    var wake = Int64.max
    if isActive { wake = lastActivity + Int64(configuration.idleCallback) }
    if connections > 0 || !isAccepting { wake = min(wake, nextSweep) }
    return wake == .max ? -1 : Int32(min(max(wake - now, 1), 60_000))
  }

  /// Lets a connection go on in the next turn, behind those that are ready then.
  func postpone(_ connection: Connection) {
    connection.isPostponed = true
    postponed.append(connection)
  }

  func takePostponed() {
    let connections = postponed
    postponed.removeAll(keepingCapacity: true)
    for connection in connections where connection.isPostponed && connection.phase != .closed {
      connection.resume(on: self)
    }
  }

  private func dispatch(_ event: csystem_event) {
    switch event.token {
    case Self.listenerToken: accept()
    case Self.mailboxToken: readMail()
    default:
      // An earlier event of this turn may have closed the connection, and the slot may be another's by now.
      guard let connection = slots[Int(event.token & 0xFFFF_FFFF)], connection.token == event.token else { return }
      connection.handle(event.ready, on: self)
    }
  }

  func readMail() {
    for message in mailbox.take() {
      switch message {
      case .answer(let slot, let serial, let answer):
        guard let connection = slots[slot], connection.phase == .waiting, connection.awaited == serial else { continue }
        connection.keep(answer, on: self)
      case .stop: drain()
      case .drop: drop()
      }
    }
  }

  /// Looks for deadlines that have passed. All connections are visited, a few times a second: cheaper than a timer each.
  func sweep() {
    nextSweep = now + sweepInterval
    trimmer?.look(isIdle: false)
    for case let connection? in slots where min(connection.deadline, connection.writeDeadline) <= now {
      connection.expire(on: self)
    }
    resumeAccepting()
  }

  // MARK: - Connections

  private func accept() {
    // A bounded number each turn, so that those who are there already get theirs.
    for _ in 0..<64 {
      var address = sockaddr_storage()
      let socket = csystem_accept(listener, &address)
      if socket >= 0 {
        admit(socket, address)
        continue
      }
      switch errno {
      case EAGAIN: return
      // One client's trouble, not the listener's.
      case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
        ENETUNREACH, EPERM:
        continue
      // Out of descriptors or memory: the next ones wait in the kernel until something has been closed.
      default: return pauseAccepting()
      }
    }
  }

  private func admit(_ socket: Int32, _ address: sockaddr_storage) {
    let (client, peer) = ClientAddress.read(address)
    guard ledger.admit(client) else { return turnAway(socket, peer: peer) }
    adopt(socket, client: client, peer: peer)
  }

  /// Takes over a connected socket that the ledger has admitted; nil where epoll will not have it.
  @discardableResult
  func adopt(_ socket: Int32, client: ClientAddress, peer: String) -> Connection? {
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    generation += 1
    let token = (generation & 0x7FFF_FFFF) << 32 | UInt64(slot)
    if connections == 0 { nextSweep = now + sweepInterval }
    connections += 1
    let connection = Connection(socket: socket, token: token, slot: slot, client: client, peer: peer, on: self)
    slots[slot] = connection
    guard csystem_epoll_add(epoll, socket, CSYSTEM_IN, token) == 0 else {
      remove(connection)
      return nil
    }
    return connection
  }

  /// Answers 503 as far as the socket's buffer takes it at once, and closes: no state is kept for one too many.
  private func turnAway(_ socket: Int32, peer: String) {
    var answer = OutputQueue()
    let request = Request(method: "", path: "", peer: peer, id: requestIDs.next())
    writer.append(
      Outgoing(responder.response(to: .tooManyConnections, head: request)),
      ResponseWriter.Context(closes: true, requestID: request.id), to: &answer)
    _ = answer.send(to: socket)
    shutdown(socket, Int32(SHUT_WR))
    // Bytes left unread would turn the close into a reset, which overtakes the answer.
    _ = recv(socket, inbox, Self.inboxSize, 0)
    close(socket)
  }

  func remove(_ connection: Connection) {
    guard connection.phase != .closed else { return }
    connection.phase = .closed
    // Once nothing goes on, the memory of what it held can be given back.
    if connection.hold != nil { noteActivity() }
    connection.letGo()
    close(connection.socket)
    ledger.release(connection.client)
    slots[connection.slot] = nil
    freeSlots.append(connection.slot)
    connections -= 1
    resumeAccepting()
  }

  private func pauseAccepting() {
    guard isAccepting else { return }
    isAccepting = false
    nextSweep = min(nextSweep, now + 100)
    _ = csystem_epoll_remove(epoll, listener)
  }

  private func resumeAccepting() {
    guard !isAccepting, listener >= 0 else { return }
    isAccepting = csystem_epoll_add(epoll, listener, CSYSTEM_IN, Self.listenerToken) == 0
  }

  // MARK: - Requests

  /// How much of a batch is written before it is sent.
  var maxBatch: Int {
    unsent.total > unsent.limit / 2 ? Connection.maxBatchWhenScarce : Connection.maxBatch
  }

  /// Has `idle` called once nothing goes on.
  func noteActivity() {
    isActive = true
    lastActivity = now
  }

  func nextSerial() -> UInt64 {
    serial += 1
    return serial
  }

  // MARK: - The end

  /// How long behind the drain deadline those who hold tickets have to give up, in milliseconds.
  private static let dropDelay: Int64 = 1000

  /// Answers 503 to what has no answer yet, and closes all connections as soon as that is sent.
  private func drop() {
    guard isDraining, !hasDropped else { return }
    hasDropped = true
    end = now + lingerTime
    for case let connection? in slots { connection.stop(on: self) }
  }

  /// How long a connection lingers; shorter while the server stops.
  var lingerTime: Int64 { Int64(isDraining ? min(configuration.lingerDeadline, 500) : configuration.lingerDeadline) }

  /// Stops accepting and lets go of connections between requests; the others are closed behind their answers.
  private func drain() {
    guard !isDraining else { return }
    // Connections that the kernel has completed would be reset by closing the listener.
    for _ in 0..<16 { accept() }
    isDraining = true
    drainEnd = now + Int64(configuration.drainDeadline) + Self.dropDelay
    isAccepting = true
    close(listener)
    listener = -1
    for case let connection? in slots {
      // What has arrived meanwhile is still served.
      connection.receive(on: self)
      if connection.phase == .head, connection.input.isEmpty, connection.output.isEmpty { remove(connection) }
    }
  }
}
