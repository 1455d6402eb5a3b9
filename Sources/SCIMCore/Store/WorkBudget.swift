/// How much work one request may ask of the thread that it runs on: a loop and the writer serve all organisations, and
/// one request must not hold up the others.
///
/// A step is about one comparison of a short value, or a fraction of a microsecond; what costs more takes more steps. A
/// budget is for one thread at a time, and for all that one request does there.
public final class WorkBudget {
  /// What becomes of a request whose budget is spent.
  public enum Exhaustion: Sendable {
    /// It begins anew where it may take longer: `tooCostly`, which no client sees.
    case movesToWorker
    /// It is refused with 400 `tooMany`, and changes nothing.
    case isRefused
  }

  /// The steps of a whole request.
  public let limit: Int
  private let exhaustion: Exhaustion
  public private(set) var spent = 0

  public init(limit: Int, exhaustion: Exhaustion) {
    self.limit = limit
    self.exhaustion = exhaustion
  }

  /// The budget of a request on a worker, whose bound is its deadline.
  public static var unlimited: WorkBudget { WorkBudget(limit: .max, exhaustion: .isRefused) }

  /// The budget of a write.
  public static var write: WorkBudget { WorkBudget(limit: writeLimit, exhaustion: .isRefused) }

  /// The steps of one write.
  public static let writeLimit = 2_000_000

  /// Takes steps that are about to be made.
  ///
  /// - Throws: `tooMany` or `tooCostly` where there are not so many left.
  public func take(_ steps: Int) throws(SCIMError) {
    let (sum, overflow) = spent.addingReportingOverflow(steps)
    guard !overflow, sum <= limit else { throw exhausted }
    spent = sum
  }

  /// Takes steps that cannot be told beforehand, such as reading the members of a group: more than are left may be
  /// taken once, so that one operation is possible on a list of any length.
  ///
  /// - Throws: `tooMany` or `tooCostly` where none is left.
  public func takeOnce(_ steps: () throws(SCIMError) -> Int) throws(SCIMError) {
    guard spent < limit else { throw exhausted }
    spent += try steps()
  }

  private var exhausted: SCIMError {
    switch exhaustion {
    case .movesToWorker: SCIMError(.tooCostly, "The request is too costly for the thread that it runs on.")
    case .isRefused:
      SCIMError(
        .tooMany, "The request looks at or changes more values than one request may. Send it in several requests.")
    }
  }
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
