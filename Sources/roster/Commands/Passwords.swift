import Foundation
import SCIMCore
import Secrets

/// Password hashing as the service asks for it.
enum Passwords {
  /// How many a server hashes at a time: with half of the cores, so that requests go on, and with memory for no more than
  /// four.
  static let threads = min(max(ProcessInfo.processInfo.activeProcessorCount / 2, 1), 4)

  @Sendable static func hash(_ password: String) throws(SCIMError) -> String {
    do throws(SecretsError) {
      return try PasswordHash.make(password)
    } catch {
      throw SCIMError(.unavailable, "There is not enough memory to hash the password. Try again later.")
    }
  }
}

/// Public names of keys.
enum KeyID {
  static func make() -> String { "key_" + ResourceID.make().filter { $0 != "-" } }
}
