import Glibc

/// Where a report goes: standard output, or a file that appears only once it is complete.
///
/// Bytes are gathered and written in pieces of 64 KiB. Reports name people, so that a file is readable by its owner alone,
/// and has no name until `finish` is called: however the process ends before, nothing of it stays. Where the file system
/// has no such files it is written under another name beside its place, which a signal removes.
final class ReportOutput {
  private static let pieceSize = 65_536
  /// `O_TMPFILE`, which is a macro that Swift does not import.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  private enum Target {
    case standardOutput
    /// Something that is there and no ordinary file, such as a pipe.
    case special
    case unnamed
    case partial(String)
  }

  private var descriptor: Int32
  private let path: String
  private let target: Target
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - path: nil or `-` for standard output. What is there and no ordinary file is written to straight away.
  ///   - hasUnnamedFiles: false where the file system is to be taken for one without such files.
  /// - Throws: `CommandFailure` where the file cannot be created.
  init(path: String?, hasUnnamedFiles: Bool = true) throws(CommandFailure) {
    buffer.reserveCapacity(Self.pieceSize + 4096)
    guard let path, path != "-" else {
      self.path = "standard output"
      target = .standardOutput
      descriptor = STDOUT_FILENO
      return
    }
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      target = .special
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      let unnamed = hasUnnamedFiles ? open(Self.folder(of: path), Self.unnamed | O_WRONLY | O_CLOEXEC, 0o600) : -1
      if unnamed >= 0 {
        target = .unnamed
        descriptor = unnamed
      } else {
        let partial = Self.partialName(path)
        PartialFile.removeOnSignal(partial)
        target = .partial(partial)
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      }
    }
    if descriptor < 0 { throw Self.failure(path) }
  }

  deinit {
    guard descriptor > STDERR_FILENO else { return }
    close(descriptor)
    if case .partial = target { PartialFile.remove() }
  }

  /// True where a person looks at what is written.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Lets `body` append to what is to be written.
  func append(_ body: (inout [UInt8]) -> Void) throws(CommandFailure) {
    body(&buffer)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Writes what is left and gives the file its name.
  func finish() throws(CommandFailure) {
    try flush()
    switch target {
    case .standardOutput: return
    case .special: break
    case .unnamed:
      // A name can only be given where none is; renaming then takes the place of an older report in one step.
      let partial = Self.partialName(path)
      PartialFile.removeOnSignal(partial)
      guard fsync(descriptor) == 0,
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, partial, AT_SYMLINK_FOLLOW) == 0,
        rename(partial, path) == 0
      else { throw refusal() }
    case .partial(let partial):
      guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw refusal() }
    }
    PartialFile.forget()
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isClosed else { throw Self.failure(path) }
  }

  private func refusal() -> CommandFailure {
    let failure = Self.failure(path)
    PartialFile.remove()
    return failure
  }

  private func flush() throws(CommandFailure) {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        bytes.baseAddress.map { Glibc.write(descriptor, $0 + start, bytes.count - start) } ?? 0
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path) }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private static func partialName(_ path: String) -> String { "\(path).partial-\(getpid())" }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(message: "cannot write '\(path)': \(String(cString: strerror(errno)))")
  }
}
