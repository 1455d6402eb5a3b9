/// What a document may hold before the parser refuses it.
public struct JSONLimits: Sendable, Hashable {
  /// The deepest nesting a parser accepts from anyone, since each level takes a frame of the stack.
  public static let deepest = 512

  /// How many arrays and objects may be open at once: `[[1]]` has depth 2. Values are clamped to 0...`deepest`.
  public var depth: Int {
    didSet { depth = Self.clamped(depth) }
  }

  /// Whether two names of one object must differ in more than the case of ASCII letters, as SCIM attribute names do
  /// (RFC 7643 section 2.1). Off, only names equal byte by byte are refused.
  public var distinctIgnoringCase: Bool

  public init(depth: Int = 32, distinctIgnoringCase: Bool = true) {
    self.depth = Self.clamped(depth)
    self.distinctIgnoringCase = distinctIgnoringCase
  }

  /// Depth 32, names distinct in any letter case.
  public static let standard = JSONLimits()

  private static func clamped(_ depth: Int) -> Int { min(max(depth, 0), deepest) }
}
