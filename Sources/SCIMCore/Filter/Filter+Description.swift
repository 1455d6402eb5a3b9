extension Filter: CustomStringConvertible {
  /// The filter as text that parses to an equal filter in every profile; parentheses only where they are needed.
  public var description: String {
    var output: [UInt8] = []
    write(into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private func write(into output: inout [UInt8]) {
    switch self {
    case .and(let parts): Self.write(parts, joinedBy: " and ", into: &output) { $0.isConnective }
    case .or(let parts): Self.write(parts, joinedBy: " or ", into: &output) { if case .or = $0 { true } else { false } }
    case .not(let filter):
      output.append(contentsOf: "not ".utf8)
      filter.writeInParentheses(into: &output)
    case .compare(let name, let comparison, let literal):
      output.append(contentsOf: "\(name.value) \(comparison.rawValue) ".utf8)
      literal.value.write(into: &output)
    case .present(let name):
      output.append(contentsOf: "\(name.value) pr".utf8)
    case .element(let name, let filter):
      output.append(contentsOf: "\(name.value)[".utf8)
      filter.write(into: &output)
      output.append(UInt8(ascii: "]"))
    }
  }

  private static func write(
    _ parts: [Filter], joinedBy word: String, into output: inout [UInt8], enclosing: (Filter) -> Bool
  ) {
    for (index, part) in parts.enumerated() {
      if index > 0 { output.append(contentsOf: word.utf8) }
      if enclosing(part) { part.writeInParentheses(into: &output) } else { part.write(into: &output) }
    }
  }

  private func writeInParentheses(into output: inout [UInt8]) {
    output.append(UInt8(ascii: "("))
    write(into: &output)
    output.append(UInt8(ascii: ")"))
  }

  private var isConnective: Bool {
    switch self {
    case .and, .or: true
    default: false
    }
  }
}

extension Filter.Literal {
  fileprivate func write(into output: inout [UInt8]) {
    switch self {
    case .string(let text): JSON.appendString(text, to: &output)
    case .number(let text): output.append(contentsOf: text.utf8)
    case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .null: output.append(contentsOf: "null".utf8)
    }
  }
}
