import Glibc
import HTTPMessage

/// Reads request lines (RFC 9112 section 3), and reduces their targets to path, query and authority.
enum RequestLine {
  /// Reads the line of `count` bytes, which has no line end any more; tells what is wrong with it.
  static func read(_ base: UnsafePointer<UInt8>, _ count: Int, into head: inout RequestHead) -> Fault? {
    var at = 0
    while at < count, Characters.isToken(base[at]) { at += 1 }
    guard at > 0, at < count, base[at] == 0x20 else { return .requestLine }
    let methodLength = at
    at += 1

    let targetStart = at
    // The target is visible ASCII without blanks; a fragment is never sent (RFC 9112 section 3.2).
    while at < count, base[at] &- 0x21 < 0x5E, base[at] != UInt8(ascii: "#") { at += 1 }
    guard at < count, base[at] == 0x20 else {
      return at < count ? .target : .requestLine
    }
    let target = base + targetStart
    let targetLength = at - targetStart
    at += 1

    // HTTP/DIGIT.DIGIT, in capitals and with nothing behind it.
    let version = base + at
    guard count - at == 8, memcmp(version, "HTTP/", 5) == 0, Characters.isDigit(version[5]),
      version[6] == UInt8(ascii: "."), Characters.isDigit(version[7])
    else { return .requestLine }
    guard version[5] == UInt8(ascii: "1") else { return .version }

    head.request.method = Methods.find(base, methodLength)
    head.isHTTP10 = version[7] == UInt8(ascii: "0")
    guard targetLength > 0 else { return .target }
    if head.request.method == "CONNECT" { return .connect }
    return split(target, targetLength, into: &head) ? nil : .target
  }

  /// Takes a target apart; false where it has none of the forms of RFC 9112 section 3.2 that reach an origin server.
  private static func split(
    _ target: UnsafePointer<UInt8>, _ count: Int, into head: inout RequestHead
  ) -> Bool {
    if target[0] == UInt8(ascii: "/") {
      splitQuery(target, count, into: &head.request)
      return true
    }
    if count == 1, target[0] == UInt8(ascii: "*") {
      head.request.path = "*"
      return head.request.method == "OPTIONS"
    }
    var at = 0
    while at < count, target[at] != UInt8(ascii: ":") { at += 1 }
    guard Characters.equal(target, at, "http") || Characters.equal(target, at, "https") else { return false }
    guard count - at > 3, target[at + 1] == UInt8(ascii: "/"), target[at + 2] == UInt8(ascii: "/") else { return false }
    at += 3
    let start = at
    while at < count, target[at] != UInt8(ascii: "/"), target[at] != UInt8(ascii: "?") { at += 1 }
    guard Authority.isValid(UnsafeBufferPointer(start: target + start, count: at - start)) else { return false }
    head.isAbsolute = true
    head.request.authority = String(
      decoding: UnsafeBufferPointer(start: target + start, count: at - start), as: UTF8.self)
    if at < count, target[at] == UInt8(ascii: "/") {
      splitQuery(target + at, count - at, into: &head.request)
    } else {
      splitQuery(target + at, count - at, into: &head.request)
      head.request.path = "/"
    }
    return true
  }

  private static func splitQuery(_ target: UnsafePointer<UInt8>, _ count: Int, into request: inout Request) {
    guard count > 0, let mark = memchr(target, Int32(UInt8(ascii: "?")), count) else {
      request.path = String(decoding: UnsafeBufferPointer(start: target, count: count), as: UTF8.self)
      return
    }
    let length = UnsafePointer(mark.assumingMemoryBound(to: UInt8.self)) - target
    request.path = String(decoding: UnsafeBufferPointer(start: target, count: length), as: UTF8.self)
    request.query = String(
      decoding: UnsafeBufferPointer(start: target + length + 1, count: count - length - 1), as: UTF8.self)
  }
}
