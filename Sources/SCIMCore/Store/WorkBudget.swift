/// How much work one request may ask of the thread that it runs on: a loop and the writer serve all organisations, and
/// one request must not hold up the others.
///
/// A step is about one comparison of a short value, some 20 nanoseconds; what costs more takes more steps. A budget is for
/// one thread at a time, and for all that one request does there.
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
  /// What ends the work before its steps are spent, such as a deadline; nil while it may go on.
  private let interruption: (() -> SCIMError?)?
  // Without the check for overlapping accesses: nothing is called while one lasts, and steps are taken very often.
  @exclusivity(unchecked)
  public private(set) var spent = 0
  /// Up to so many steps there is nothing to look at: the limit, or less where the interruption is to be asked for.
  @exclusivity(unchecked)
  private var quiet: Int

  /// - Parameter interruption: asked now and then, each `stepsPerLook` steps or so; what it gives is thrown.
  public init(limit: Int, exhaustion: Exhaustion, interruption: (() -> SCIMError?)? = nil) {
    self.limit = limit
    self.exhaustion = exhaustion
    self.interruption = interruption
    quiet = interruption == nil ? limit : 0
  }

  /// No bound: for reports, and for what has a bound of its own.
  public static var unlimited: WorkBudget { WorkBudget(limit: .max, exhaustion: .isRefused) }

  /// The budget of a write.
  public static var write: WorkBudget { WorkBudget(limit: writeLimit, exhaustion: .isRefused) }

  /// The budget of a request on a loop.
  public static var loop: WorkBudget { WorkBudget(limit: loopLimit, exhaustion: .movesToWorker) }

  /// The steps of one write.
  public static let writeLimit = 2_000_000

  /// The steps of one request on a loop: some 0.4 ms. What it has begun is lost where it moves to a worker.
  public static let loopLimit = 16 << 10

  /// How many steps are taken between two looks at what may end the work: some 0.1 ms.
  private static let stepsPerLook = 4096

  /// True where what costs too much is done by another thread.
  public var movesToWorker: Bool { exhaustion == .movesToWorker }

  /// How many steps are left.
  public var left: Int { limit - spent }

  /// Takes steps that are about to be made.
  ///
  /// - Throws: `tooMany` or `tooCostly` where there are not so many left; what interrupts the work.
  public func take(_ steps: Int) throws(SCIMError) {
    let (sum, overflow) = spent.addingReportingOverflow(steps)
    if !overflow, sum <= quiet {
      spent = sum
      return
    }
    guard !overflow, sum <= limit else {
      // A request that is refused has used all of it: those that share a commit with it are to count that.
      if exhaustion == .isRefused { spent = max(spent, limit) }
      throw exhausted
    }
    spent = sum
    try look()
  }

  /// Counts steps that were made under another budget, whether there were so many left or not.
  public func note(_ steps: Int) { spent = spent.addingReportingOverflow(steps).overflow ? .max : spent + steps }

  /// Takes steps that cannot be told beforehand, such as reading the members of a group: more than are left may be
  /// taken once, so that one operation is possible on a list of any length.
  ///
  /// - Throws: `tooMany` or `tooCostly` where none is left.
  public func takeOnce(_ steps: () throws(SCIMError) -> Int) throws(SCIMError) {
    guard spent < limit else { throw exhausted }
    spent += try steps()
  }

  /// Takes nothing, but ends what moves to a worker in any case before it is begun here.
  ///
  /// - Throws: `tooCostly` where there are not so many steps left.
  public func expect(_ steps: Int) throws(SCIMError) {
    if movesToWorker, steps > left { throw exhausted }
  }

  /// Asks for work whose steps nobody can tell or count, such as running a statement made of a filter.
  ///
  /// - Throws: `tooCostly` where others wait for the thread.
  public func expectUnbounded() throws(SCIMError) {
    if movesToWorker { throw exhausted }
  }

  private func look() throws(SCIMError) {
    let (sum, overflow) = spent.addingReportingOverflow(Self.stepsPerLook)
    quiet = overflow ? limit : min(limit, sum)
    if let error = interruption?() { throw error }
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
