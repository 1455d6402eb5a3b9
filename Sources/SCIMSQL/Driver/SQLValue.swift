/// A value bound to a statement.
public enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])
}
