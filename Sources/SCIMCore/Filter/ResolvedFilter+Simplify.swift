extension ResolvedFilter {
  /// An equal filter in its plainest form: no constant but alone or as all that brackets hold, no `and` or `or` of
  /// fewer than two parts or directly inside another of its kind, no `not` around a `not`, an `eq` or a `ne`.
  public func simplified() -> ResolvedFilter {
    switch self {
    case .and(let parts): Self.joined(parts, isAnd: true)
    case .or(let parts): Self.joined(parts, isAnd: false)
    case .not(let part): part.simplified().complement
    case .element(let reference, let part):
      switch part.simplified() {
      case .constant(false): .constant(false)
      case let part: .element(reference, part)
      }
    case .compare, .present, .constant: self
    }
  }

  private static func joined(_ parts: [ResolvedFilter], isAnd: Bool) -> ResolvedFilter {
    var result: [ResolvedFilter] = []
    for part in parts {
      switch part.simplified() {
      case .constant(isAnd): continue
      case .constant(let value): return .constant(value)
      case .and(let inner) where isAnd: result += inner
      case .or(let inner) where !isAnd: result += inner
      case let part: result.append(part)
      }
    }
    switch result.count {
    case 0: return .constant(isAnd)
    case 1: return result[0]
    default: return isAnd ? .and(result) : .or(result)
    }
  }

  /// `not` of a simplified filter.
  private var complement: ResolvedFilter {
    switch self {
    case .not(let part): part
    case .constant(let value): .constant(!value)
    case .compare(let reference, .eq, let operand): .compare(reference, .ne, operand)
    case .compare(let reference, .ne, let operand): .compare(reference, .eq, operand)
    default: .not(self)
    }
  }
}
