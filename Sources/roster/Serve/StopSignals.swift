import Glibc

/// SIGTERM and SIGINT, taken one at a time by the thread that waits for them.
struct StopSignals {
  private var set = sigset_t()

  /// Blocks the signals in this thread and in all that it starts; to be called before the first one is.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the signals. From then on they have their usual effect: a second one ends the process at once.
  mutating func wait() {
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
