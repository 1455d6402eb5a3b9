/// How much work the PATCH operations of one request may ask for; all writes share one thread, which a few long lists
/// and filters could otherwise hold for minutes.
///
/// A step is about one comparison of a short value. A budget is for one thread.
public final class PatchBudget {
  /// The steps of a whole request: a few seconds at most.
  public static let limit = 2_000_000

  private var spent = 0

  public init() {}

  /// Takes steps that an operation is about to make. Throws `tooMany` where there are not so many left.
  public func take(_ steps: Int) throws(SCIMError) {
    let (sum, overflow) = spent.addingReportingOverflow(steps)
    guard !overflow, sum <= Self.limit else { throw Self.exhausted }
    spent = sum
  }

  /// Takes steps that cannot be told beforehand, such as reading the members of a group: more than are left may be
  /// taken once, so that one operation is possible on a list of any length. Throws `tooMany` where none is left.
  public func takeOnce(_ steps: () throws(SCIMError) -> Int) throws(SCIMError) {
    guard spent < Self.limit else { throw Self.exhausted }
    spent += try steps()
  }

  private static let exhausted = SCIMError(
    .tooMany, "The operations look at more values than one request may; send them in several requests.")
}

extension JSON {
  /// About how many steps it takes to compare this value once.
  var steps: Int {
    switch self {
    case .string(let text): 1 + text.utf8.count / 64
    case .array(let elements): elements.reduce(1) { $0 + $1.steps }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.steps }
    default: 1
    }
  }
}

extension ResolvedFilter {
  /// The number of conditions.
  public var terms: Int {
    switch self {
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.terms }
    case .not(let part), .element(_, let part): part.terms
    case .compare, .present, .constant: 1
    }
  }
}
