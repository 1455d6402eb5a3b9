import SCIMCore

/// What an engine could not do.
public struct SQLError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// A row with that key is there already.
    case unique
    /// Another connection holds the database for longer than the timeout.
    case busy
    /// The connection's deadline has passed.
    case interrupted
    case other
  }

  public var kind: Kind
  /// The engine's most precise code.
  public var code: Int32
  /// The engine's words; they name tables and columns, never values.
  public var message: String

  public init(kind: Kind, code: Int32, message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }
}

extension SQLError {
  /// What the store answers: `unavailable` while others hold the database, `tooMany` for a search that met its deadline,
  /// else `internalError`, for the log alone.
  var storeError: SCIMError {
    switch kind {
    case .busy: SCIMError(.unavailable, "The database is busy.")
    case .interrupted: .searchTooLong
    case .unique, .other: SCIMError(.internalError, "database: \(message) (\(code))")
    }
  }
}
