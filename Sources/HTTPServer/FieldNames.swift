/// Field names in lower case, the usual ones without an allocation.
enum FieldNames {
  /// The fields that the transport itself reads.
  enum Role: Equatable {
    case host, authorization, contentLength, transferEncoding, connection, expect, contentEncoding, acceptEncoding,
      requestID, other
  }

  /// The lower-case name and the role of the field that `bytes` name; they must be token characters.
  static func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (name: String, role: Role) {
    switch count {
    case 4:
      if named(bytes, count, "host") { return ("host", .host) }
      if named(bytes, count, "date") { return ("date", .other) }
    case 6:
      if named(bytes, count, "accept") { return ("accept", .other) }
      if named(bytes, count, "expect") { return ("expect", .expect) }
      if named(bytes, count, "prefer") { return ("prefer", .other) }
      if named(bytes, count, "cookie") { return ("cookie", .other) }
      if named(bytes, count, "pragma") { return ("pragma", .other) }
    case 7:
      if named(bytes, count, "upgrade") { return ("upgrade", .other) }
    case 8:
      if named(bytes, count, "if-match") { return ("if-match", .other) }
    case 10:
      if named(bytes, count, "connection") { return ("connection", .connection) }
      if named(bytes, count, "user-agent") { return ("user-agent", .other) }
      if named(bytes, count, "keep-alive") { return ("keep-alive", .other) }
    case 11:
      if named(bytes, count, "traceparent") { return ("traceparent", .other) }
    case 12:
      if named(bytes, count, "content-type") { return ("content-type", .other) }
      if named(bytes, count, "x-request-id") { return ("x-request-id", .requestID) }
    case 13:
      if named(bytes, count, "authorization") { return ("authorization", .authorization) }
      if named(bytes, count, "if-none-match") { return ("if-none-match", .other) }
      if named(bytes, count, "cache-control") { return ("cache-control", .other) }
    case 14:
      if named(bytes, count, "content-length") { return ("content-length", .contentLength) }
    case 15:
      if named(bytes, count, "accept-encoding") { return ("accept-encoding", .acceptEncoding) }
      if named(bytes, count, "accept-language") { return ("accept-language", .other) }
      if named(bytes, count, "x-forwarded-for") { return ("x-forwarded-for", .other) }
    case 16:
      if named(bytes, count, "content-encoding") { return ("content-encoding", .contentEncoding) }
      if named(bytes, count, "x-forwarded-host") { return ("x-forwarded-host", .other) }
    case 17:
      if named(bytes, count, "transfer-encoding") { return ("transfer-encoding", .transferEncoding) }
      if named(bytes, count, "x-forwarded-proto") { return ("x-forwarded-proto", .other) }
    default:
      break
    }
    let name = String(unsafeUninitializedCapacity: count) { lower in
      for i in 0..<count { lower[i] = bytes[i] &- 0x41 < 26 ? bytes[i] | 0x20 : bytes[i] }
      return count
    }
    return (name, .other)
  }

  @inline(__always)
  private static func named(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ name: StaticString) -> Bool {
    Characters.equal(bytes, count, name)
  }
}

/// Request methods as strings, the usual ones without an allocation.
enum Methods {
  static func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    switch count {
    case 3:
      if spells(bytes, "GET") { return "GET" }
      if spells(bytes, "PUT") { return "PUT" }
    case 4:
      if spells(bytes, "POST") { return "POST" }
      if spells(bytes, "HEAD") { return "HEAD" }
    case 5:
      if spells(bytes, "PATCH") { return "PATCH" }
    case 6:
      if spells(bytes, "DELETE") { return "DELETE" }
    default: break
    }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Methods are told apart by letter case.
  @inline(__always)
  private static func spells(_ bytes: UnsafePointer<UInt8>, _ method: StaticString) -> Bool {
    for i in 0..<method.utf8CodeUnitCount where bytes[i] != method.utf8Start[i] { return false }
    return true
  }
}
