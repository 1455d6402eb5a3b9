/// Reads filters (RFC 7644 section 3.4.2.2, figure 1).
///
/// Names, operators and the words `and`, `or`, `not` may be in any ASCII letter case; `not` binds tighter than `and`,
/// and `and` tighter than `or`; `not(` and `not (` are the same. A lenient profile also takes
///
/// - runs of blanks as one, and blanks at the ends and inside parentheses and brackets,
/// - single-quoted strings and unquoted words as values,
/// - a missing blank between operator and quote (`eq"x"`), and around `and` and `or` beside a quote or bracket,
/// - a sub-attribute behind a value path, as one more condition on the same element:
///   `emails[type eq "work"].value eq "x"` is `emails[type eq "work" and value eq "x"]`.
///
/// A filter is understood whole or refused whole.
public struct FilterParser {
  var lexer: FilterLexer
  private var terms = 0
  private var depth = 0

  init(_ text: String, profile: Profile) {
    lexer = FilterLexer(text, isLenient: profile.isLenient)
  }

  /// Parses one filter. Refuses with `invalidFilter`, naming the character and what was expected there; so are
  /// filters beyond `FilterLimits`.
  public static func parse(_ text: String, profile: Profile) throws(SCIMError) -> Filter {
    guard text.utf8.count <= FilterLimits.bytes else {
      throw SCIMError(.invalidFilter, "The filter is longer than \(FilterLimits.bytes) bytes.")
    }
    var parser = FilterParser(text, profile: profile)
    let filter = try parser.disjunction(inValuePath: false)
    guard parser.lexer.isAtEnd else { throw parser.lexer.expected("'and', 'or' or the end") }
    if !profile.isLenient, let stray = parser.lexer.strayBlank() {
      throw .invalidFilter(at: parser.lexer.position(of: stray), "there is a blank too many")
    }
    return filter
  }

  /// Reads what stands between the brackets of a value path, and the closing one; the opening one is taken.
  mutating func bracketed() throws(SCIMError) -> Filter {
    try group(closedBy: UInt8(ascii: "]"), inValuePath: true)
  }

  private mutating func group(closedBy end: UInt8, inValuePath: Bool) throws(SCIMError) -> Filter {
    depth += 1
    guard depth <= FilterLimits.depth else {
      let position = lexer.position(of: lexer.index)
      throw .invalidFilter(at: position, "more than \(FilterLimits.depth) parentheses and brackets are open")
    }
    let filter = try disjunction(inValuePath: inValuePath)
    guard lexer.take(end) else { throw lexer.expected("'and', 'or' or '\(Unicode.Scalar(end))'") }
    depth -= 1
    return filter
  }

  /// Filters joined by `or`; leaves the blanks behind them taken.
  private mutating func disjunction(inValuePath: Bool) throws(SCIMError) -> Filter {
    let first = try conjunction(inValuePath: inValuePath)
    guard try takeConnective("or") else { return first }
    var parts = [first]
    repeat { parts.append(try conjunction(inValuePath: inValuePath)) } while try takeConnective("or")
    return .or(parts)
  }

  private mutating func conjunction(inValuePath: Bool) throws(SCIMError) -> Filter {
    let first = try condition(inValuePath: inValuePath)
    guard try takeConnective("and") else { return first }
    var parts = [first]
    repeat { parts.append(try condition(inValuePath: inValuePath)) } while try takeConnective("and")
    return .and(parts)
  }

  /// Takes blanks, and the word where it follows; a sign of the filter's own beside it does for a blank when lenient.
  private mutating func takeConnective(_ word: String) throws(SCIMError) -> Bool {
    lexer.skipBlanks()
    let start = lexer.index
    let isParted = lexer.isBehindBlank
    guard lexer.keyword() == word else {
      lexer.index = start
      return false
    }
    guard isParted || lexer.isLenient else { throw lexer.expected("a blank", at: start) }
    guard lexer.skipBlanks() || (lexer.isLenient && lexer.next == UInt8(ascii: "(")) else {
      throw lexer.expected(lexer.isAtEnd ? "a condition" : "a blank")
    }
    return true
  }

  private mutating func condition(inValuePath: Bool) throws(SCIMError) -> Filter {
    lexer.skipBlanks()
    if lexer.take(UInt8(ascii: "(")) { return try group(closedBy: UInt8(ascii: ")"), inValuePath: inValuePath) }
    guard let name = lexer.name() else { throw lexer.expected("an attribute name, 'not' or '('") }
    if ASCII.equalIgnoringCase(name.value, "not") {
      lexer.skipBlanks()
      guard lexer.take(UInt8(ascii: "(")) else { throw lexer.expected("'(' after 'not'") }
      return .not(try group(closedBy: UInt8(ascii: ")"), inValuePath: inValuePath))
    }
    let bracket = lexer.index
    guard lexer.take(UInt8(ascii: "[")) else { return try test(of: name) }
    guard !inValuePath else {
      throw lexer.expected("an operator, since a value path cannot contain another", at: bracket)
    }
    return try valuePath(of: name)
  }

  /// `name op value` or `name pr`, behind the name.
  private mutating func test(of name: Filter.Located<String>) throws(SCIMError) -> Filter {
    terms += 1
    guard terms <= FilterLimits.terms else {
      throw .invalidFilter(at: name.position, "it has more than \(FilterLimits.terms) conditions")
    }
    lexer.skipBlanks()
    let start = lexer.index
    let word = lexer.keyword()
    if word == "pr" { return .present(name) }
    guard let comparison = ComparisonOperator(rawValue: word) else {
      throw lexer.expected("an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr)", at: start)
    }
    let isParted = lexer.skipBlanks()
    if !isParted, let next = lexer.next {
      let isQuote = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
      guard lexer.isLenient && isQuote else { throw lexer.expected("a blank and a value") }
    }
    return .compare(name, comparison, try lexer.literal())
  }

  /// `[filter]`, behind the opening bracket.
  private mutating func valuePath(of name: Filter.Located<String>) throws(SCIMError) -> Filter {
    let inner = try bracketed()
    let dot = lexer.index
    guard lexer.take(UInt8(ascii: ".")) else { return .element(name, inner) }
    guard lexer.isLenient else { throw lexer.expected("'and', 'or' or the end", at: dot) }
    guard let sub = lexer.name() else { throw lexer.expected("a sub-attribute") }
    let test = try test(of: sub)
    guard case .and(let parts) = inner else { return .element(name, .and([inner, test])) }
    return .element(name, .and(parts + [test]))
  }
}
