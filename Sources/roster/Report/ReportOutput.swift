import Glibc

/// Where a report goes: standard output, or a file that appears only once it is whole.
///
/// Bytes are gathered and written in pieces of 64 KiB. A file is written beside its place, readable by its owner alone,
/// since reports name people, and renamed when `finish` is called; without that it goes away.
final class ReportOutput {
  private static let pieceSize = 65_536

  private var descriptor: Int32
  private let path: String?
  private let partial: String?
  private var buffer: [UInt8] = []

  /// - Parameter path: nil or `-` for standard output. What is there and no ordinary file, such as a pipe, is written to
  ///   straight away.
  /// - Throws: `CommandFailure` where the file cannot be made.
  init(path: String?) throws(CommandFailure) {
    buffer.reserveCapacity(Self.pieceSize + 4096)
    guard let path, path != "-" else {
      self.path = nil
      partial = nil
      descriptor = STDOUT_FILENO
      return
    }
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      partial = nil
      descriptor = open(path, O_WRONLY)
    } else {
      let partial = "\(path).partial-\(getpid())"
      self.partial = partial
      descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    }
    if descriptor < 0 { throw Self.failure(path) }
  }

  deinit {
    guard path != nil, descriptor >= 0 else { return }
    close(descriptor)
    if let partial { unlink(partial) }
  }

  /// True where a person looks at what is written.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Lets `body` append to what is to be written.
  func append(_ body: (inout [UInt8]) -> Void) throws(CommandFailure) {
    body(&buffer)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Writes what is left and puts the file in its place.
  func finish() throws(CommandFailure) {
    try flush()
    guard let path else { return }
    let isDone = close(descriptor) == 0
    descriptor = -1
    guard let partial else { return }
    guard isDone, rename(partial, path) == 0 else {
      let failure = Self.failure(path)
      unlink(partial)
      throw failure
    }
  }

  private func flush() throws(CommandFailure) {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        bytes.baseAddress.map { Glibc.write(descriptor, $0 + start, bytes.count - start) } ?? 0
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path ?? "standard output") }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(message: "cannot write '\(path)': \(String(cString: strerror(errno)))")
  }
}
