import Foundation
import SCIMCore

/// One mistake in a seed file, and where it is.
struct SeedError: Error, Equatable, CustomStringConvertible {
  var file: String
  /// Line and column, from 1; columns count bytes.
  var line: Int
  var column: Int
  /// Where in the document; nil where it is no JSON.
  var path: SeedPath?
  var message: String

  var description: String {
    "\(file):\(line):\(column): " + (path.map { "\($0): " } ?? "") + message
  }

  var json: JSON {
    [
      "file": .string(file), "line": .integer(Int64(line)), "column": .integer(Int64(column)),
      "path": path.map { .string($0.description) } ?? .null, "message": .string(message),
    ]
  }

  init(file: String, bytes: [UInt8], offset: Int, path: SeedPath? = nil, message: String) {
    (line, column) = Self.position(of: offset, in: bytes)
    self.file = file
    self.path = path
    self.message = message
  }

  init(_ fault: SeedFault, file: String, bytes: [UInt8]) {
    var message = fault.message
    if let other = fault.other {
      let line = Self.position(of: SeedLocator.offset(of: other, in: bytes), in: bytes).line
      message += " \(other) (line \(line))"
    }
    self.init(
      file: file, bytes: bytes, offset: SeedLocator.offset(of: fault.path, in: bytes), path: fault.path,
      message: message)
  }

  // The JSON error knows how to count lines.
  private static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    JSONError(.unexpectedByte, at: offset).position(in: Data(bytes))
  }
}

/// All mistakes of a seed file, in the order of the file.
struct SeedErrors: Error, Equatable, CustomStringConvertible {
  /// More are counted, not shown.
  static let shown = 50

  var errors: [SeedError]

  var description: String {
    var lines = errors.prefix(Self.shown).map(\.description)
    if errors.count > Self.shown { lines.append("and \(errors.count - Self.shown) more mistakes") }
    return lines.joined(separator: "\n")
  }

  init(_ errors: [SeedError]) {
    self.errors = errors.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }

  init(_ faults: [SeedFault], file: String, bytes: [UInt8]) {
    self.init(faults.map { SeedError($0, file: file, bytes: bytes) })
  }

  /// As a command reports them.
  var failure: CommandFailure {
    CommandFailure(
      message: description, hasPlaces: true,
      details: JSONObject([.init(key: "mistakes", value: .array(errors.map(\.json)))]))
  }
}

/// A mistake at a place of a seed document whose text is not at hand.
struct SeedFault: Error {
  var path: SeedPath
  var message: String
  /// Another place that the message ends with; nil where there is none.
  var other: SeedPath?
}
