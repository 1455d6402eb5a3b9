import Glibc
import SCIMCore

/// Something that a command could not do; exit code 1.
struct CommandFailure: Error {
  var message: String
  /// True where each line of the message begins with the place of a mistake, `FILE:LINE:COLUMN:`, by which other programs
  /// find it; then nothing is put in front of it.
  var hasPlaces = false
  /// What goes with the message where errors are JSON.
  var details = JSONObject()
}

/// Options that several commands share.
extension Option {
  static let database = Option.value("db", "FILE", "The database.", default: "roster.db", variable: true)
  static let schemas = Option.value(
    "schemas", "DIR", "More schemas (DIR/*.json) and resource types (DIR/types/*.json).", variable: true)
  static let json = Option.flag("json", "Print JSON.")
  static let organization = Option.value(
    "org", "ORG", "The organisation. Required if there are several.", variable: true)
}

extension Invocation {
  /// Prints JSON where asked to, else what `text` gives. Returns true where all of it was written.
  @discardableResult
  func print(json: @autoclosure () -> JSON, orText text: @autoclosure () -> String) -> Bool {
    flag("json") ? Console.output.writeJSON(json()) : Console.output.write(text())
  }

  func text(of table: Table) -> String {
    table.text(
      hasStyle: Console.output.hasStyle(environment: environment),
      width: Console.output.isTerminal ? Console.output.width : nil)
  }
}

extension String {
  /// A refusal as it is told to clients, who know a parameter of requests, with the option of a command in its place.
  func naming(option: String) -> String { replacing("\"?\(option)=true\"", with: "--\(option)") }
}
