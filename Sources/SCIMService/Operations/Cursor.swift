import SCIMCore

/// The cursors of one query (RFC 9865): unforgeable, bound to organisation, types, filter, order and count, and good
/// for a while.
///
/// A cursor is the base64url text of: version, expiry, count, position, and a keyed digest over all of that and over
/// what it is bound to. It holds no secret and grants nothing: each page is authorised anew.
struct Cursor: Sendable {
  private let binding: [UInt8]
  private let count: Int
  private let authenticate: @Sendable ([UInt8]) -> [UInt8]
  private let timeout: Int64

  private static let version: UInt8 = 1
  private static let digestSize = 16

  init(_ exchange: Exchange, types: [ResourceType], parameters: SearchParameters, count: Int) {
    var binding: [UInt8] = []
    Self.append(exchange.organization.id.rawValue, to: &binding)
    let texts =
      types.map(\.name) + [
        parameters.filter ?? "", parameters.sortBy ?? "", ASCII.lowercase(parameters.sortOrder ?? ""),
      ]
    for text in texts {
      Self.append(Int64(text.utf8.count), to: &binding)
      binding += text.utf8
    }
    self.binding = binding
    self.count = count
    authenticate = exchange.configuration.authenticate
    timeout = Int64(exchange.configuration.cursorTimeout) * 1000
  }

  /// The cursor for the page behind a position.
  func text(of position: CursorPosition) -> String {
    var bytes: [UInt8] = [Self.version]
    Self.append(Timestamp.now.milliseconds + timeout, to: &bytes)
    Self.append(Int64(count), to: &bytes)
    Self.append(position.handle, to: &bytes)
    bytes.append(position.key == nil ? 0 : 1)
    bytes += (position.key ?? "").utf8
    return Base64URL.encode(digest(of: bytes) + bytes)
  }

  /// The position that a cursor of this query names.
  ///
  /// - Throws: `invalidCursor` where it was not made here for this query, `invalidCount` where the count is another,
  ///   `expiredCursor` where it is too old.
  func position(in text: String) throws(SCIMError) -> CursorPosition {
    let invalid = SCIMError(.invalidCursor, "The cursor belongs to another query.")
    guard let all = Base64URL.decode(text), all.count >= Self.digestSize + 26 else { throw invalid }
    let bytes = Array(all[Self.digestSize...])
    var difference: UInt8 = 0
    for (ours, theirs) in zip(digest(of: bytes), all) { difference |= ours ^ theirs }
    guard difference == 0, bytes[0] == Self.version else { throw invalid }
    guard Self.integer(at: 9, in: bytes) == Int64(count) else {
      throw SCIMError(.invalidCount, "'count' must be what the first request of this cursor asked for.")
    }
    guard Self.integer(at: 1, in: bytes) >= Timestamp.now.milliseconds else {
      throw SCIMError(.expiredCursor, "The cursor has expired. Start again with an empty one.")
    }
    let key = bytes[25] == 1 ? String(validating: bytes[26...], as: UTF8.self) : nil
    return CursorPosition(key: key, handle: Self.integer(at: 17, in: bytes))
  }

  private func digest(of bytes: [UInt8]) -> [UInt8] {
    Array(authenticate(binding + bytes).prefix(Self.digestSize))
  }

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
  }

  private static func integer(at offset: Int, in bytes: [UInt8]) -> Int64 {
    bytes[offset..<offset + 8].reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// Base64 with the alphabet of RFC 4648 section 5, unpadded: unreserved characters of a URI alone.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 3)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(buffer >> bits & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil where it is no unpadded base64url.
  static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case 0x41...0x5A: value = character - 0x41
      case 0x61...0x7A: value = character - 0x61 + 26
      case 0x30...0x39: value = character - 0x30 + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return nil
      }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return buffer & ((1 << bits) - 1) == 0 ? bytes : nil
  }
}
