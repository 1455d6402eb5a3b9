import Glibc

/// SIGTERM, SIGINT and SIGHUP, taken one at a time by the thread that waits for them.
struct StopSignals {
  private var set = sigset_t()

  /// Blocks the signals in this thread and in all that it starts; to be called before the first one is.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    // Under nohup a terminal that is closed ends nothing.
    if !Self.isIgnored(SIGHUP) { sigaddset(&set, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Waits for one of the signals. From then on they have their usual effect: a second one ends the process at once.
  mutating func wait() {
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
