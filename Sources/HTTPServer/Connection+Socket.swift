import CSystem
import Glibc

/// Reading from the socket and writing to it.
extension Connection {
  /// What the loop is told of the socket.
  func handle(_ ready: UInt32, on loop: Loop) {
    if ready & (CSYSTEM_ERROR | CSYSTEM_HANGUP) != 0 { return loop.remove(self) }
    if ready & CSYSTEM_OUT != 0 {
      flush(on: loop)
      if output.isEmpty { resume(on: loop) }
    }
    if ready & CSYSTEM_IN != 0 { receive(on: loop) }
  }

  /// Whether requests that come now have to wait.
  private var isBlocked: Bool { phase == .waiting || isPostponed || !output.isEmpty }

  func receive(on loop: Loop) {
    switch phase {
    case .closed: return
    case .closing, .lingering: return drop(on: loop)
    case .waiting, .head, .body: break
    }
    if isBlocked {
      guard input.count < Self.maxBacklog else { return updateInterest(on: loop) }
      _ = receiveIntoInput(on: loop)
      updateInterest(on: loop)
    } else if input.isEmpty {
      let count = recv(socket, loop.inbox, Loop.inboxSize, 0)
      guard isData(count, on: loop) else { return }
      let used = take(loop.inbox, count, on: loop)
      if used < count, takesInput { input.append(loop.inbox + used, count - used) }
    } else if receiveIntoInput(on: loop) {
      takeInput(on: loop)
    }
  }

  /// Whether bytes that were not used are still of use.
  private var takesInput: Bool { phase == .head || phase == .body || phase == .waiting }

  private func receiveIntoInput(on loop: Loop) -> Bool {
    let room = 16 << 10
    let count = recv(socket, input.tail(room), room, 0)
    guard isData(count, on: loop) else { return false }
    input.commit(count)
    return true
  }

  /// Reads and drops what the client sends behind the last answer: closing with bytes unread would send a reset, which
  /// can destroy the answer before the client has taken it (RFC 9112 section 9.6).
  private func drop(on loop: Loop) {
    _ = isData(recv(socket, loop.inbox, Loop.inboxSize, 0), on: loop)
  }

  private func isData(_ count: Int, on loop: Loop) -> Bool {
    if count > 0 { return true }
    if count == 0 {
      end(on: loop)
    } else if errno != EAGAIN, errno != EINTR {
      loop.remove(self)
    }
    return false
  }

  private func takeInput(on loop: Loop) {
    guard let bytes = input.bytes else { return }
    let used = take(bytes, input.count, on: loop)
    if takesInput { input.consume(used) } else { input.removeAll() }
  }

  /// Goes on with requests that have waited, and sends what there is.
  func resume(on loop: Loop) {
    isPostponed = false
    if input.isEmpty || !output.isEmpty || phase == .closing {
      _ = take(loop.inbox, 0, on: loop)
    } else {
      takeInput(on: loop)
    }
    if hasEnded, !isPostponed, phase == .head || phase == .body { end(on: loop) }
    if loop.isDraining, phase == .head, input.isEmpty, output.isEmpty { loop.remove(self) }
    updateInterest(on: loop)
  }

  /// Sends the loop's batch, behind what waits here already.
  func flush(on loop: Loop) {
    guard phase != .closed else { return loop.outbox.removeAll(keeping: Loop.keptOutbox) }
    if output.isEmpty {
      // Mostly all of it goes out at once, from the loop's own memory.
      guard !loop.outbox.isEmpty else { return }
      guard loop.outbox.send(to: socket) else { return abandon(on: loop) }
      if !loop.outbox.isEmpty {
        output.takeAll(of: &loop.outbox, keeping: Loop.keptOutbox)
        writeDeadline = loop.now + Int64(loop.configuration.writeDeadline)
      }
    } else {
      output.takeAll(of: &loop.outbox, keeping: Loop.keptOutbox)
      guard output.send(to: socket) else { return abandon(on: loop) }
      if output.isEmpty { writeDeadline = .max }
    }
    loop.outbox.removeAll(keeping: Loop.keptOutbox)
    countUnsent(on: loop)
    if phase == .closing, output.isEmpty { return awaitClose(on: loop) }
    if !output.isEmpty || interest != CSYSTEM_IN { updateInterest(on: loop) }
  }

  private func abandon(on loop: Loop) {
    loop.outbox.removeAll(keeping: Loop.keptOutbox)
    loop.remove(self)
  }

  /// Counts what waits for the client.
  private func countUnsent(on loop: Loop) {
    if output.isEmpty {
      if hold != nil {
        hold = nil
        loop.noteActivity()
      }
    } else if let hold {
      hold.resize(to: output.count)
    } else {
      hold = loop.unsent.hold(output.count, for: account)
    }
  }

  /// The last answer is out: tells the client so, and waits for it to close.
  private func awaitClose(on loop: Loop) {
    input.removeAll()
    if hasEnded { return loop.remove(self) }
    shutdown(socket, Int32(SHUT_WR))
    phase = .lingering
    deadline = loop.now + loop.lingerTime
    updateInterest(on: loop)
  }

  /// Asks epoll for what the connection can use: a socket that is ready for anything else would wake the loop again
  /// and again.
  func updateInterest(on loop: Loop) {
    guard phase != .closed else { return }
    var wanted: UInt32 = 0
    if !hasEnded, !(isBlocked && input.count >= Self.maxBacklog) { wanted |= CSYSTEM_IN }
    if !output.isEmpty { wanted |= CSYSTEM_OUT }
    guard wanted != interest else { return }
    interest = wanted
    if csystem_epoll_modify(loop.epoll, socket, wanted, token) != 0 { loop.remove(self) }
  }
}
