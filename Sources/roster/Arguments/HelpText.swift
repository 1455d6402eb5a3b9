/// Help on a command, laid out for a terminal of 100 columns.
struct HelpText {
  private static let width = 100

  let command: Command
  /// The full name of the command, program first.
  let path: [String]

  var text: String {
    var sections = ["\(path.joined(separator: " ")): \(command.summary)"]
    if !command.details.isEmpty {
      sections.append(Self.wrap(command.details, width: Self.width).joined(separator: "\n"))
    }
    sections.append("Usage: " + usage)
    if !command.commands.isEmpty {
      sections.append("Commands:\n" + list(command.commands.map { ($0.name, $0.summary) }))
    }
    if !command.operands.isEmpty {
      sections.append("Arguments:\n" + list(command.operands.map { ($0.name, $0.help) }))
    }
    var options = command.options.map { option in
      (["--" + option.name, option.placeholder].compactMap { $0 }.joined(separator: " "), describe(option))
    }
    options.append(("-h, --help", "Show this help."))
    if path.count == 1 { options.append(("--version", "Show the version.")) }
    sections.append("Options:\n" + list(options))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var usage: String {
    var words = [path.joined(separator: " ")]
    if !command.commands.isEmpty { words.append("COMMAND") }
    for operand in command.operands {
      let name = operand.name + (operand.isRepeated ? " ..." : "")
      words.append(operand.isRequired ? name : "[\(name)]")
    }
    if !command.options.isEmpty { words.append("[options]") }
    return words.joined(separator: " ")
  }

  private func describe(_ option: Option) -> String {
    var notes: [String] = []
    if let fallback = option.fallback { notes.append("default: \(fallback)") }
    if let variable = option.variable { notes.append("variable: \(variable)") }
    return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  private func list(_ entries: [(String, String)]) -> String {
    let column = min(entries.map(\.0.count).max() ?? 0, 28) + 4
    return entries.map { term, help in
      let lines = Self.wrap(help, width: Self.width - column)
      let indent = String(repeating: " ", count: column)
      let first = "  " + term + String(repeating: " ", count: max(2, column - term.count - 2))
      // A long term keeps its line to itself.
      let head = term.count + 4 > column ? "  " + term + "\n" + indent : first
      return head + lines.joined(separator: "\n" + indent)
    }.joined(separator: "\n")
  }

  /// Breaks text at blanks into lines of at most `width` characters where no word is longer.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines
  }
}
