import Foundation
import Glibc

/// Files that a command is told to read.
enum InputFile {
  /// All bytes of the file at `path`.
  ///
  /// - Throws: `CommandFailure` with the file and the reason.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
    CommandFailure(message: "cannot read '\(path)': \(reason(code))")
  }

  /// What a code of the system means for a file that was to be read.
  static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of the path is not a folder"
    case EACCES: "permission denied"
    default: String(cString: strerror(code))
    }
  }
}
