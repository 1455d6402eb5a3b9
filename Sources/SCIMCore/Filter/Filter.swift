/// A filter as it was written (RFC 7644 section 3.4.2.2): names are unresolved, values have the type of their literal.
///
/// `FilterParser` makes it, `FilterResolver` resolves it against a resource type. A value path with a sub-attribute
/// behind it (`emails[type eq "work"].value eq "x"`) is already one filter inside the brackets. Filters are equal when
/// they say the same, wherever their parts stood in the text.
public indirect enum Filter: Sendable, Equatable {
  /// At least two filters, all of which hold.
  case and([Filter])
  /// At least two filters, one of which holds.
  case or([Filter])
  case not(Filter)
  /// `attribute op value`.
  case compare(Located<String>, ComparisonOperator, Located<Literal>)
  /// `attribute pr`.
  case present(Located<String>)
  /// `attribute[filter]`.
  case element(Located<String>, Filter)
}

extension Filter {
  /// The value of a comparison as it was written.
  public enum Literal: Sendable, Equatable {
    case string(String)
    /// The text of a JSON number, so that no digit is lost before the attribute's type is known.
    case number(String)
    case boolean(Bool)
    case null
  }

  /// A part of a filter with the place where it begins.
  public struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
    public var value: Value
    /// The character (Unicode scalar) of the text, counted from 1; 0 for a part that comes from no text.
    public var position: Int

    public init(_ value: Value, at position: Int = 0) {
      self.value = value
      self.position = position
    }

    public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
  }
}
