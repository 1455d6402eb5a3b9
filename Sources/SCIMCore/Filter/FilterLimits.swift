/// The bounds of what a filter may cost; beyond each the filter is refused with `invalidFilter`.
public enum FilterLimits {
  /// The length of a filter, or of a PATCH path, in bytes of UTF-8.
  public static let bytes = 8 * 1024
  /// The number of comparisons and `pr` tests.
  public static let terms = 200
  /// The number of parentheses and brackets open at once.
  public static let depth = 50
}
