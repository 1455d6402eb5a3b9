import CSystem
import Glibc
import HTTPMessage

/// One client's connection: its requests one after the other, and their answers in the same order.
///
/// A request behind one whose answer is still to come waits in `input`, so that a read sees the write before it. What
/// cannot be sent stops the reading. Every method runs on the thread of the loop that is passed to it.
final class Connection {
  enum Phase {
    /// Between requests, or within a head.
    case head
    /// Within a body.
    case body
    /// A ticket holds the answer.
    case waiting
    /// The last answer is on its way out.
    case closing
    /// The last answer is out: what the client still sends is dropped.
    case lingering
    case closed
  }

  /// Beyond this many bytes of answers the batch is sent before more requests are taken from it.
  static let maxBatch = 64 << 10
  /// The same while clients leave much unread: what a connection holds then is little more than one answer.
  static let maxBatchWhenScarce = 4 << 10
  /// Beyond this many bytes of requests that wait, no more are read.
  static let maxBacklog = 16 << 10
  /// So many requests are taken from one connection before the others of the loop have their turn.
  static let maxRequestsPerTurn = 64
  /// A body longer than this is not read on before the responder was asked for a refusal: a client without a valid key
  /// costs no more than that.
  static let largeBody = 4 << 10

  let socket: Int32
  /// Names the connection to epoll: its slot, and a number that no other connection of the loop has.
  let token: UInt64
  let slot: Int
  let client: ClientAddress
  let peer: String

  var phase = Phase.head
  private(set) var awaited: UInt64 = 0
  /// Tells whoever works on the answer that a ticket promised when it is no longer waited for.
  private var departure: Departure?
  /// When the phase must be over, in the loop's milliseconds.
  var deadline: Int64
  /// When what waits in `output` must be gone.
  var writeDeadline = Int64.max

  var input = ByteBuffer()
  var output = OutputQueue()
  /// Counts what waits in `output`.
  var hold: ByteLedger.Hold?
  /// Whose the last answer is.
  private(set) var account: Int64?
  /// The client has closed its sending side.
  var hasEnded = false
  /// Requests wait in `input` for the loop's next turn.
  var isPostponed = false
  var interest: UInt32 = CSYSTEM_IN

  private var parser: RequestParser
  private var isWithinHead = false
  private var pending: RequestHead?
  private var body = BodyReader(length: 0)
  /// Whose the body is, and what counts it.
  private var bodyAccount: Int64?
  private var bodyHold: ByteLedger.Hold?
  private var bodyLimit = 0
  private var hasAskedForRefusal = false
  private var context = ResponseWriter.Context()

  init(socket: Int32, token: UInt64, slot: Int, client: ClientAddress, peer: String, on loop: Loop) {
    self.socket = socket
    self.token = token
    self.slot = slot
    self.client = client
    self.peer = peer
    parser = RequestParser(maxBytes: loop.configuration.maxHeadBytes, maxFields: loop.configuration.maxFields)
    deadline = loop.now + Int64(loop.configuration.headDeadline)
  }

  // MARK: - Requests

  /// Takes requests from the `count` bytes at `base`, answers them, and sends the answers in one piece; returns how
  /// many bytes were used.
  func take(_ base: UnsafePointer<UInt8>, _ count: Int, on loop: Loop) -> Int {
    var used = 0
    var requests = 0
    while true {
      let isFull = takeBatch(base, count, &used, &requests, on: loop)
      flush(on: loop)
      guard isFull, output.isEmpty else { break }
      if requests >= Self.maxRequestsPerTurn {
        if used < count { loop.postpone(self) }
        break
      }
    }
    if phase == .head {
      if used == count || parser.isBlank(count - used) {
        isWithinHead = false
        deadline = loop.now + Int64(loop.configuration.idleDeadline)
      } else if !isWithinHead {
        isWithinHead = true
        deadline = loop.now + Int64(loop.configuration.headDeadline)
      }
    }
    return used
  }

  /// Takes requests until more bytes, an answer or the end is waited for; true where only the batch was full.
  private func takeBatch(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ used: inout Int, _ requests: inout Int, on loop: Loop
  ) -> Bool {
    while requests < Self.maxRequestsPerTurn {
      // Nothing goes behind a long body before it has been sent, nor behind a full batch.
      if loop.outbox.hasBody || loop.outbox.front.count > loop.maxBatch { break }
      switch phase {
      case .head:
        guard used < count else { return false }
        switch parser.parse(base + used, count - used) {
        case .incomplete: return false
        case .fault(let fault): refuse(fault, on: loop)
        case .head(let head, let length):
          used += length
          requests += 1
          begin(head, hasMore: used < count, on: loop)
        }
      case .body:
        var taken = 0
        let outcome = body.take(base + used, count - used, used: &taken)
        used += taken
        switch outcome {
        case .more:
          judgeBody(on: loop)
          return false
        case .fault(let fault): refuse(fault, pending?.request, on: loop)
        case .done:
          // Whether it is asked about must not depend on how the bytes were cut.
          judgeBody(on: loop)
          if phase == .body { finishBody(on: loop) }
        }
      case .waiting, .closing, .lingering, .closed: return false
      }
    }
    return phase == .head || phase == .body
  }

  /// Judges a head, and waits for its body if there is to be one.
  private func begin(_ head: consuming RequestHead, hasMore: Bool, on loop: Loop) {
    head.request.peer = peer
    if head.request.id.isEmpty { head.request.id = loop.requestIDs.next() }
    isWithinHead = false
    context = ResponseWriter.Context(
      isHead: head.request.method == "HEAD", closes: head.closes || loop.isDraining,
      acceptEncoding: head.acceptEncoding, requestID: head.request.id)
    bodyAccount = nil
    bodyHold = nil
    if head.expectation == .unknown { return refuse(.expectation, head.request, on: loop) }
    if head.framing == .none || head.framing == .length(0) { return respond(to: head.request, on: loop) }
    if head.coding == .unknown { return refuse(.contentCoding, head.request, on: loop) }

    bodyLimit = loop.responder.bodyLimit(for: head.request)
    var isLarge = false
    switch head.framing {
    case .length(let length):
      guard length <= bodyLimit else { return refuse(.bodyTooLarge, head.request, on: loop) }
      isLarge = length > Self.largeBody
      body = BodyReader(length: length)
    case .chunked, .none:
      let decoder = ChunkDecoder(
        limit: bodyLimit, maxTrailerBytes: loop.configuration.maxHeadBytes, maxTrailers: loop.configuration.maxFields)
      body = BodyReader(chunks: decoder)
    }
    // Nothing is inflated for a client that is not known: a kilobyte can become a thousand.
    hasAskedForRefusal = isLarge || head.expectation == .continue || head.coding == .gzip
    if hasAskedForRefusal {
      switch loop.responder.verdict(on: head.request) {
      case .read(let account): bodyAccount = account
      case .refuse(let refusal):
        context.closes = true
        return answer(Outgoing(refusal), on: loop)
      }
    }
    if head.expectation == .continue, !hasMore { loop.outbox.front.append("HTTP/1.1 100 Continue\r\n\r\n") }
    pending = consume head
    phase = .body
    deadline = loop.now + Int64(loop.configuration.bodyDeadline)
  }

  /// Asks about a body without an announced length once it has become large, and counts what has come of it.
  private func judgeBody(on loop: Loop) {
    guard body.bytes.count > Self.largeBody, let request = pending?.request else { return }
    if !hasAskedForRefusal {
      hasAskedForRefusal = true
      switch loop.responder.verdict(on: request) {
      case .read(let account): bodyAccount = account
      case .refuse(let refusal):
        context.closes = true
        dropBody()
        return answer(Outgoing(refusal), on: loop)
      }
    }
    count(body.bytes.count, of: request, on: loop)
  }

  /// Counts bytes of the body, which stay counted until there is an answer; refuses it where there are too many.
  private func count(_ bytes: Int, of request: Request, on loop: Loop) {
    guard !loop.bodies.isFull(for: bodyAccount) else { return refuse(.tooManyBodies, request, on: loop) }
    if let bodyHold {
      bodyHold.resize(to: bytes)
    } else {
      bodyHold = loop.bodies.hold(bytes, for: bodyAccount)
    }
  }

  private func dropBody() {
    pending = nil
    body = BodyReader(length: 0)
    bodyHold = nil
  }

  private func finishBody(on loop: Loop) {
    guard var head = pending.take() else { return }
    var bytes = body.bytes
    body = BodyReader(length: 0)
    if head.coding == .gzip {
      switch loop.writer.gzip.expand(bytes, limit: bodyLimit) {
      case .success(let expanded): bytes = expanded
      case .failure(let fault):
        // The body was read to its end, so that the connection can go on.
        bodyHold = nil
        return answer(Outgoing(loop.responder.response(to: fault, head: head.request)), on: loop)
      }
      if bytes.count > Self.largeBody {
        count(bytes.count, of: head.request, on: loop)
        guard phase == .body else { return }
      }
    }
    head.request.body = bytes
    respond(to: head.request, on: loop)
  }

  private func respond(to request: Request, on loop: Loop) {
    loop.noteActivity()
    awaited = 0
    deadline = .max
    let response = loop.responder.respond(to: request) {
      awaited = loop.nextSerial()
      let departure = Departure()
      self.departure = departure
      return Ticket(
        Promise(
          Promise.Place(
            mailbox: loop.mailbox, slot: slot, serial: awaited,
            acceptEncoding: loop.writer.compresses ? context.acceptEncoding : nil, unsent: loop.unsent,
            departure: departure, bodyHold: bodyHold)))
    }
    bodyHold = nil
    if let response {
      awaited = 0
      departure = nil
      answer(Outgoing(response), on: loop)
    } else if awaited != 0 {
      phase = .waiting
    } else {
      answer(Outgoing(loop.responder.response(to: .unanswered, head: request)), on: loop)
    }
  }

  // MARK: - Answers

  /// Writes an answer into the loop's batch.
  private func answer(_ answer: Outgoing, on loop: Loop) {
    if answer.response.closesConnection || loop.isDraining { context.closes = true }
    loop.writer.append(answer, context, to: &loop.outbox)
    account = answer.response.account
    phase = context.closes ? .closing : .head
    deadline = .max
  }

  /// Answers a fault behind which the connection cannot go on.
  private func refuse(_ fault: Fault, _ head: Request? = nil, on loop: Loop) {
    var request = head ?? Request(method: "", path: "", peer: peer)
    if head == nil {
      request.id = loop.requestIDs.next()
      context = ResponseWriter.Context(requestID: request.id)
    }
    context.closes = true
    dropBody()
    answer(Outgoing(loop.responder.response(to: fault, head: request)), on: loop)
  }

  /// The answer that a ticket promised has come; nil where there will be none.
  func keep(_ promised: Outgoing?, on loop: Loop) {
    awaited = 0
    loop.noteActivity()
    departure = nil
    if let promised {
      if let counted = promised.hold { hold = counted }
      answer(promised, on: loop)
    } else {
      let request = Request(method: "", path: "", peer: peer, id: context.requestID)
      let fault: Fault = loop.isDraining ? .stopping : .unanswered
      answer(Outgoing(loop.responder.response(to: fault, head: request)), on: loop)
    }
    resume(on: loop)
  }

  /// The server stops, and nobody works on the request any more.
  func stop(on loop: Loop) {
    switch phase {
    case .waiting:
      awaited = 0
      departure?.note()
      departure = nil
      refuse(.stopping, Request(method: "", path: "", peer: peer, id: context.requestID), on: loop)
      flush(on: loop)
    case .body:
      refuse(.stopping, pending?.request, on: loop)
      flush(on: loop)
    case .head: loop.remove(self)
    // The answer is on its way.
    case .closing, .lingering, .closed: break
    }
  }

  /// The connection is closed: nothing of it counts any more, and who works for it may stop.
  func letGo() {
    departure?.note()
    departure = nil
    output.removeAll()
    input.removeAll()
    hold = nil
    dropBody()
  }

  /// The client has sent its last byte.
  func end(on loop: Loop) {
    hasEnded = true
    switch phase {
    case .head where output.isEmpty && !isPostponed:
      if input.isEmpty || parser.isBlank(input.count) { return loop.remove(self) }
      refuse(.cutShort, on: loop)
      flush(on: loop)
    case .body where output.isEmpty && !isPostponed:
      refuse(.cutShort, pending?.request, on: loop)
      flush(on: loop)
    case .lingering: loop.remove(self)
    case .waiting:
      // It may still take the answer, or have closed: the kernel says no more than this.
      deadline = loop.now + Int64(loop.configuration.halfClosedDeadline)
      updateInterest(on: loop)
    default: updateInterest(on: loop)
    }
  }

  /// A deadline has passed.
  func expire(on loop: Loop) {
    if writeDeadline <= loop.now {
      // What the kernel still holds for a client that does not read is dropped with the connection.
      var reset = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
      return loop.remove(self)
    }
    switch phase {
    case .head where isWithinHead:
      refuse(.tooSlow, on: loop)
      flush(on: loop)
    case .body:
      refuse(.tooSlow, pending?.request, on: loop)
      flush(on: loop)
    default: loop.remove(self)
    }
  }
}
