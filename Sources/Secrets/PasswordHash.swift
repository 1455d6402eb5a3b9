import CSodium

/// Hashes of passwords by Argon2id (RFC 9106), a function that costs memory as well as time.
public enum PasswordHash {
  /// Passes over the memory, as OWASP's cheat sheet on password storage advises together with `memory`.
  public static let operations: UInt64 = 2
  /// The memory that one hash takes, in bytes: 19 MiB.
  public static let memory = 19 * 1024 * 1024

  /// Hashes a password with a fresh salt; gives the PHC string `$argon2id$v=19$m=…,t=…,p=1$salt$hash`.
  ///
  /// Takes some 20 ms and `memory` bytes. Throws `SecretsError.outOfMemory` where these are not to be had.
  public static func make(_ password: String) throws(SecretsError) -> String {
    Sodium.start
    var password = password
    var output = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let result = password.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty password has no address of its own; libsodium wants one all the same.
        withUnsafePointer(to: CChar(0)) { empty in
          crypto_pwhash_str_alg(
            &output, characters.baseAddress ?? empty, UInt64(characters.count), operations, memory,
            crypto_pwhash_alg_argon2id13())
        }
      }
    }
    guard result == 0 else { throw .outOfMemory }
    return String(decoding: output.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// True where the hash was made from this password; false for another one and for text that is no such hash.
  public static func verify(_ password: String, against hash: String) -> Bool {
    Sodium.start
    // The C function reads a string that ends in NUL and is at most STRBYTES long.
    guard hash.utf8.count < crypto_pwhash_strbytes(), !hash.utf8.contains(0) else { return false }
    var password = password
    return password.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafePointer(to: CChar(0)) { empty in
          crypto_pwhash_str_verify(hash, characters.baseAddress ?? empty, UInt64(characters.count)) == 0
        }
      }
    }
  }
}

/// What can go wrong in this module.
public enum SecretsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The memory that a password hash needs is not to be had.
  case outOfMemory

  public var description: String {
    switch self {
    case .outOfMemory: "not enough memory to hash a password"
    }
  }
}
