import Foundation

/// Why a text is not taken as JSON, and where. It never holds any of the text itself.
public struct JSONError: Error, Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Nothing but white space.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that cannot stand there; this covers trailing commas, comments, NaN and Infinity.
    case unexpectedByte
    /// Something other than white space behind the value.
    case trailingContent
    /// A byte order mark in front (RFC 8259 section 8.1).
    case byteOrderMark
    /// UTF-16 or UTF-32.
    case notUTF8
    /// A malformed, overlong or surrogate UTF-8 sequence in a string.
    case invalidUTF8
    /// A raw character below U+0020 in a string.
    case controlCharacter
    /// A backslash with something behind it that is no escape.
    case invalidEscape
    /// `\uD800`...`\uDFFF` outside a pair.
    case loneSurrogate
    /// A number against the grammar: 01, +1, 1., .5, 1e.
    case invalidNumber
    /// An integer outside Int64, or a number too large or too near zero for binary64: its digits would be lost.
    case numberOutOfRange
    /// A name given twice in one object, in the same or (where the limits say so) another letter case.
    case duplicateName
    /// More levels open than the limits allow.
    case tooDeep
  }

  public var kind: Kind
  /// The byte, counted from 0, at which the refused part begins.
  public var offset: Int

  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  /// The reason in words, without a position and anything of the text.
  public var reason: String {
    switch kind {
    case .empty: "the JSON text is empty"
    case .unexpectedEnd: "the JSON text ends inside a value"
    case .unexpectedByte: "a character that is not allowed here"
    case .trailingContent: "content after the JSON value"
    case .byteOrderMark: "a byte order mark is not allowed"
    case .notUTF8: "JSON must be encoded in UTF-8"
    case .invalidUTF8: "a string is not valid UTF-8"
    case .controlCharacter: "a control character in a string must be escaped"
    case .invalidEscape: "an unknown escape in a string"
    case .loneSurrogate: "an escaped surrogate without its other half"
    case .invalidNumber: "a malformed number"
    case .numberOutOfRange: "a number outside the range that can be kept exactly"
    case .duplicateName: "an object names a member twice"
    case .tooDeep: "the JSON text is nested too deeply"
    }
  }

  /// The reason with the byte offset, for example "a malformed number (byte 17)".
  public var description: String { "\(reason) (byte \(offset))" }

  /// The reason with line and column in the text that was parsed, both from 1; columns count bytes.
  public func message(in text: Data) -> String {
    let (line, column) = position(in: text)
    return "\(reason(in: text)) (line \(line), column \(column))"
  }

  /// Line and column of the offset in the text that was parsed, both from 1; columns count bytes.
  public func position(in text: Data) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for byte in text.prefix(max(offset, 0)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (line, column)
  }
}
