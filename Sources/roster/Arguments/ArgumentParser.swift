import SCIMCore

/// An option of a command: `--name VALUE`, `--name=VALUE`, or a flag without a value.
struct Option: Sendable {
  /// Without its dashes.
  var name: String
  /// What stands for the value in help; nil for a flag.
  var placeholder: String?
  var help: String
  /// The value where none is given, shown in help.
  var fallback: String?
  /// True where an environment variable gives the value that the command line does not.
  var hasVariable = false

  /// The environment variable: `ROSTER_` and the name in upper case, for example `ROSTER_BASE_URL`.
  var variable: String? {
    hasVariable ? "ROSTER_" + name.uppercased().replacing("-", with: "_") : nil
  }

  static func value(
    _ name: String, _ placeholder: String, _ help: String, default fallback: String? = nil, variable: Bool = false
  ) -> Option {
    Option(name: name, placeholder: placeholder, help: help, fallback: fallback, hasVariable: variable)
  }

  static func flag(_ name: String, _ help: String, variable: Bool = false) -> Option {
    Option(name: name, help: help, hasVariable: variable)
  }
}

/// A value that a command takes by position.
struct Operand: Sendable {
  var name: String
  var help: String
  var isRequired = true
  /// True where the last operand takes all that is left.
  var isRepeated = false
}

/// A command: either a group of commands, or something that runs.
struct Command: Sendable {
  var name: String
  var summary: String
  var details = ""
  var operands: [Operand] = []
  var options: [Option] = []
  var commands: [Command] = []
  var run: (@Sendable (Invocation) throws -> Void)?
}

/// The command line cannot be understood: exit code 2.
struct UsageError: Error, Equatable {
  var message: String
}

/// What the command line asks for.
enum Parsed {
  case run(Command, Invocation)
  /// Help on the command whose full name this is.
  case help(Command, path: [String])
  case version
}

/// The values that a command runs with.
struct Invocation: Sendable {
  var values: [String: String] = [:]
  var flags: Set<String> = []
  var operands: [String] = []
  /// The environment variable that gave the value of an option, for messages.
  var origins: [String: String] = [:]
  var environment: [String: String] = [:]

  func flag(_ name: String) -> Bool { flags.contains(name) }

  func text(_ name: String) -> String? { values[name] }

  func required(_ name: String) throws(UsageError) -> String {
    guard let value = values[name] else { throw UsageError(message: "--\(name) is required") }
    return value
  }

  func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }

  /// The whole number given for an option; nil where there is none.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError(message: "\(label(name)) must be a whole number \(bounds), not '\(text)'")
    }
    return number
  }

  /// The case that an option names; nil where it is not given.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, of type: Choice.Type
  ) throws(UsageError) -> Choice? {
    guard let text = values[name] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(message: "\(label(name)) must be one of \(names), not '\(text)'")
    }
    return choice
  }

  /// An option as messages name it, with the variable that set it.
  func label(_ name: String) -> String { origins[name] ?? "--" + name }
}

/// Reads command lines.
///
/// Options may stand anywhere behind the command they belong to; `--` ends them; the last of two equal ones counts.
/// `--help` and `-h` work at each level, `--version` at the first.
struct ArgumentParser {
  let root: Command
  let environment: [String: String]

  func parse(_ arguments: [String]) throws(UsageError) -> Parsed {
    var command = root
    var path = [root.name]
    var rest = arguments[...]
    while !command.commands.isEmpty {
      guard let word = rest.popFirst(), word != "--help", word != "-h" else { return .help(command, path: path) }
      if word == "--version" && path.count == 1 { return .version }
      if word == "help" && path.count == 1 { return try help(on: rest) }
      guard let next = command.commands.first(where: { $0.name == word }) else {
        let kind = word.hasPrefix("-") ? "option" : "command"
        let hint = Suggestion.nearest(to: word, among: command.commands.map(\.name))
        throw UsageError(message: "unknown \(kind) '\(word)'" + Suggestion.sentence(hint) + see(path))
      }
      command = next
      path.append(next.name)
    }
    return try parse(rest, of: command, path: path)
  }

  private func help(on words: ArraySlice<String>) throws(UsageError) -> Parsed {
    try parse(Array(words) + ["--help"])
  }

  private func parse(
    _ arguments: ArraySlice<String>, of command: Command, path: [String]
  ) throws(UsageError) -> Parsed {
    var invocation = Invocation(environment: environment)
    var rest = arguments
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.hasPrefix("-") || word == "-" {
        invocation.operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else if word == "--help" || word == "-h" {
        return .help(command, path: path)
      } else {
        try take(word, from: &rest, of: command, path: path, into: &invocation)
      }
    }
    try fill(&invocation, for: command)
    try checkOperands(invocation.operands, of: command, path: path)
    return .run(command, invocation)
  }

  private func take(
    _ word: String, from rest: inout ArraySlice<String>, of command: Command, path: [String],
    into invocation: inout Invocation
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0].dropFirst(2))
    guard word.hasPrefix("--"), let option = command.options.first(where: { $0.name == name }) else {
      let names = command.options.map { "--" + $0.name }
      let hint = Suggestion.nearest(to: String(parts[0]), among: names)
      throw UsageError(message: "unknown option '\(parts[0])'" + Suggestion.sentence(hint) + see(path))
    }
    if option.placeholder == nil {
      guard parts.count == 1 else { throw UsageError(message: "--\(name) takes no value") }
      invocation.flags.insert(name)
    } else if parts.count == 2 {
      invocation.values[name] = String(parts[1])
    } else if let value = rest.popFirst() {
      invocation.values[name] = value
    } else {
      throw UsageError(message: "--\(name) needs a value" + see(path))
    }
  }

  /// Adds what the environment and the defaults give.
  private func fill(_ invocation: inout Invocation, for command: Command) throws(UsageError) {
    for option in command.options {
      let given = option.variable.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
      if option.placeholder == nil {
        guard let variable = option.variable, let given else { continue }
        switch given.lowercased() {
        case "1", "true", "yes", "on": invocation.flags.insert(option.name)
        case "0", "false", "no", "off": break
        default: throw UsageError(message: "\(variable) must be true or false, not '\(given)'")
        }
      } else if invocation.values[option.name] == nil {
        if given != nil { invocation.origins[option.name] = option.variable }
        invocation.values[option.name] = given ?? option.fallback
      }
    }
  }

  private func checkOperands(_ given: [String], of command: Command, path: [String]) throws(UsageError) {
    let required = command.operands.prefix(while: \.isRequired)
    guard given.count >= required.count else {
      throw UsageError(message: "\(required[given.count].name) is missing" + see(path))
    }
    if given.count > command.operands.count, command.operands.last?.isRepeated != true {
      throw UsageError(message: "unexpected '\(given[command.operands.count])'" + see(path))
    }
  }

  private func see(_ path: [String]) -> String { "\nSee '\(path.joined(separator: " ")) --help'." }
}
