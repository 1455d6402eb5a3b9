import Foundation
import Glibc

/// Asks over a real socket, one connection for each request.
struct SocketWire: Wire {
  let port: Int

  func send(method: String, target: String, headers: [(String, String)], body: [UInt8]?) throws -> ClientAnswer {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw WireError.noConnection }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw WireError.noConnection }
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    try write(Array((head + "\r\n").utf8) + (body ?? []), to: descriptor)
    return try parse(readAll(from: descriptor), hasBody: method != "HEAD")
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let sent = bytes[offset...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { throw WireError.noAnswer }
      offset += sent
    }
  }

  private func readAll(from descriptor: Int32) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count == 0 { return all }
      guard count > 0 else { throw WireError.noAnswer }
      all += buffer[..<count]
    }
  }

  private func parse(_ bytes: [UInt8], hasBody: Bool) throws -> ClientAnswer {
    let end = Data(bytes).firstRange(of: Data("\r\n\r\n".utf8))
    guard let end else { throw WireError.badAnswer }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let status = lines[0].split(separator: " ")
    guard status.count >= 2, let code = Int(status[1]) else { throw WireError.badAnswer }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    return ClientAnswer(status: code, headers: headers, body: hasBody ? Array(bytes[end.upperBound...]) : [])
  }
}
