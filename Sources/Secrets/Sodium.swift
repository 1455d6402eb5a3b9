import CSodium

/// Access to libsodium after its one-time start.
enum Sodium {
  /// Starts the library on first use, from whichever thread that comes; every function of this module touches it.
  ///
  /// `sodium_init` fails only where the system has no source of randomness: nothing secret can be made then.
  static let start: Void = {
    precondition(sodium_init() >= 0, "libsodium cannot start: the system gives no random bytes")
  }()
}
