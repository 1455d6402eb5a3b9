import Glibc

/// The file that a process is writing under a name of its own, and that a signal which ends the process removes.
enum PartialFile {
  // A handler of signals may neither lock nor allocate: it finds a C string here. Set by the thread that writes the
  // report, before the file exists, and never while a handler could free it: what was set before is not freed.
  private nonisolated(unsafe) static var name: UnsafeMutablePointer<CChar>?

  /// Removes the file of that name when the process is ended by SIGINT, SIGTERM or SIGHUP.
  static func removeOnSignal(_ path: String) {
    name = strdup(path)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        PartialFile.remove()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Removes the file, if it exists.
  static func remove() {
    if let name { unlink(name) }
  }

  /// The file has its own name now.
  static func forget() { name = nil }
}
