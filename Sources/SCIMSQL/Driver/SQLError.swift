import SCIMCore

/// What an engine could not do.
public struct SQLError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// A row with that key is there already.
    case unique
    /// Another connection holds the database for longer than the timeout.
    case busy
    /// Whoever watches the connection has ended what ran.
    case interrupted
    /// There is no room left for the files of the database.
    case full
    /// The system could not read or write a file.
    case io
    /// There is not enough memory.
    case memory
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
  /// What the store answers: `unavailable` where it may be tried again (others hold the database, the disk or the memory
  /// is full), else `internalError`, for the log alone.
  var storeError: SCIMError {
    switch kind {
    case .busy: SCIMError(.unavailable, "The database is busy.")
    case .full: SCIMError(.unavailable, "The disk is full.")
    case .memory: SCIMError(.unavailable, "There is not enough memory. Try again later.")
    case .unique, .interrupted, .io, .other: SCIMError(.internalError, "database: \(message) (\(code))")
    }
  }

  /// As `storeError`, for what was to be written: a write has no deadline.
  var writeError: SCIMError {
    kind == .interrupted ? SCIMError(.unavailable, "The write was interrupted. Try again.") : storeError
  }
}
