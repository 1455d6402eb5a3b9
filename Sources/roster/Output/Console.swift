import Glibc
import SCIMCore
import Synchronization

/// One of the process's output streams.
///
/// Writes go straight to the descriptor: nothing is buffered, so that a line is out when the call returns.
struct Console: Sendable {
  static let output = Console(descriptor: STDOUT_FILENO)
  static let error = Console(descriptor: STDERR_FILENO)

  /// True once something could not be written although its reader is still there, as on a full disk.
  static var hasLostOutput: Bool { lostOutput.load(ordering: .relaxed) }
  private static let lostOutput = Atomic(false)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// True where colours and weights may be used: a terminal that can show them, and nobody asked for none
  /// (https://no-color.org).
  func hasStyle(environment: [String: String]) -> Bool {
    isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Writes JSON over several lines, without characters that could steer a terminal.
  @discardableResult
  func writeJSON(_ json: JSON) -> Bool { writeLine(DisplayWidth.escaped(json.pretty())) }

  @discardableResult
  func writeLine(_ text: String) -> Bool { write(text + "\n") }

  /// Writes all of the text; what cannot be written is dropped, and noted unless the reader has gone.
  ///
  /// - Returns: true where all of it was written.
  @discardableResult
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = Glibc.write(descriptor, base, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else {
          if errno != EPIPE { Self.lostOutput.store(true, ordering: .relaxed) }
          return false
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
  }

  /// The columns of the terminal; 80 where it does not say.
  var width: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
