import Foundation
import SCIMCore

/// Why a seed file is refused, and where.
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

  init(file: String, bytes: [UInt8], offset: Int, path: SeedPath? = nil, message: String) {
    // The JSON error knows how to count lines.
    (line, column) = JSONError(.unexpectedByte, at: offset).position(in: Data(bytes))
    self.file = file
    self.path = path
    self.message = message
  }
}

/// A fault at a place of a seed document whose text is not at hand.
struct SeedFault: Error {
  var path: SeedPath
  var message: String
}
