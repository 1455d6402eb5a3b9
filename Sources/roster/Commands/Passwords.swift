import SCIMCore
import Secrets

/// Password hashing as the service asks for it.
enum Passwords {
  @Sendable static func hash(_ password: String) throws(SCIMError) -> String {
    do throws(SecretsError) {
      return try PasswordHash.make(password)
    } catch {
      throw SCIMError(.unavailable, "There is not enough memory to take the password now; try again later.")
    }
  }
}

/// Public names of keys.
enum KeyID {
  static func make() -> String { "key_" + ResourceID.make().filter { $0 != "-" } }
}
