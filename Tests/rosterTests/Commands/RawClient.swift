import Foundation
import Testing

/// A client that writes requests as they are.
final class RawClient {
  private let socket: Int32

  init(base: String) throws {
    let port = try #require(URL(string: base)?.port)
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Sends requests and gives how many answers of each status come.
  func statuses(of requests: String, count: Int) throws -> [Int: Int] {
    let bytes = Array(requests.utf8)
    try #require(bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) } == bytes.count)
    var statuses: [Int: Int] = [:]
    var text = ""
    while statuses.values.reduce(0, +) < count {
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let received = recv(socket, &room, room.count, 0)
      try #require(received > 0)
      text += String(decoding: room[..<received], as: UTF8.self)
      while let found = text.firstRange(of: "HTTP/1.1 "), text[found.upperBound...].utf8.count >= 3 {
        statuses[Int(text[found.upperBound...].prefix(3)) ?? 0, default: 0] += 1
        text = String(text[found.upperBound...])
      }
    }
    return statuses
  }

  /// Sends bytes and gives all that comes until the server closes the connection; `sent` is called in between.
  func rest(behind bytes: String, sent: () -> Void) throws -> String {
    let bytes = Array(bytes.utf8)
    try #require(bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) } == bytes.count)
    var all: [UInt8] = []
    var isSent = false
    while true {
      var room = [UInt8](repeating: 0, count: 1 << 16)
      // The server has the head once it asks for the body.
      if !isSent, String(decoding: all, as: UTF8.self).contains("100 Continue") {
        isSent = true
        sent()
      }
      let received = recv(socket, &room, room.count, 0)
      try #require(received >= 0)
      if received == 0 { return String(decoding: all, as: UTF8.self) }
      all += room[..<received]
    }
  }
}
