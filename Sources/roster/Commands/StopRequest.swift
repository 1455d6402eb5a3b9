import Glibc

/// Lets long work end in order when it is to stop: SIGINT (Ctrl-C) and SIGTERM are looked at between steps.
struct StopRequest {
  private var set = sigset_t()

  /// Blocks the signals in this thread and in all that it starts; to be called before the first one is.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// True once one of the signals has come. From then on they have their usual effect: a second one ends the process at
  /// once.
  mutating func isPending() -> Bool {
    var pending = sigset_t()
    sigpending(&pending)
    guard sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 else { return false }
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    return true
  }
}
