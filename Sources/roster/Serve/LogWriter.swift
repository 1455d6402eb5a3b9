import Foundation
import Glibc

/// Writes lines on a thread of its own, so that nobody waits for who reads them.
///
/// What waits is bounded: while the reader stalls, further lines are dropped and counted, and the count is told once it
/// goes on.
///
/// `@unchecked Sendable`: what changes is touched with `condition` locked.
final class LogWriter: @unchecked Sendable {
  /// The most bytes that wait; as many again may be on their way out.
  static let defaultLimit = 1 << 20

  private let descriptor: Int32
  private let dropNote: @Sendable (Int) -> String
  private let condition = NSCondition()
  private var buffer: LogBuffer
  private var isWriting = false

  /// Starts the thread.
  ///
  /// - Parameter dropNote: the line that tells how many have been dropped.
  init(
    descriptor: Int32, limit: Int = LogWriter.defaultLimit, dropNote: @escaping @Sendable (Int) -> String
  ) {
    self.descriptor = descriptor
    buffer = LogBuffer(limit: limit)
    self.dropNote = dropNote
    let thread = Thread { [self] in run() }
    thread.name = "log"
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// How many lines have been dropped that have not been told yet.
  var untold: Int {
    condition.lock()
    defer { condition.unlock() }
    return buffer.dropped
  }

  /// Has a line written, or drops it; never waits for the reader.
  func writeLine(_ line: String) {
    condition.lock()
    defer { condition.unlock() }
    // Also where it was dropped: a line that is too long for the buffer is told of at once.
    _ = buffer.append(line)
    if !isWriting { condition.broadcast() }
  }

  /// Waits until everything is written, no longer than so many seconds.
  func finish(within seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while isWriting || !buffer.isEmpty {
      guard condition.wait(until: end) else { return }
    }
  }

  private func run() {
    condition.lock()
    while true {
      while buffer.isEmpty { condition.wait() }
      isWriting = true
      let (bytes, note) = buffer.take()
      condition.unlock()
      write(bytes)
      if note > 0 { write(Array((dropNote(note) + "\n").utf8)) }
      condition.lock()
      isWriting = false
      condition.broadcast()
    }
  }

  /// Writes all of it, however long the reader takes; what nobody can take any more is dropped.
  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&ready, 1, -1)
        } else if errno != EINTR {
          return
        }
      }
    }
  }
}
