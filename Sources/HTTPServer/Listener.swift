import CSystem
import Glibc

/// Listening sockets, one for each loop, all on one address.
enum Listener {
  /// Opens `count` sockets and tells their port. On failure none stays open.
  static func open(host: String, port: Int, count: Int) throws(ServerError) -> (sockets: [Int32], port: Int) {
    guard (0...65535).contains(port), var address = Address(host: host, port: UInt16(port)) else {
      throw .invalidAddress(host: host, port: port)
    }
    var sockets: [Int32] = []
    func fail(_ doing: String) -> ServerError {
      let code = errno
      for socket in sockets { close(socket) }
      return code == EADDRINUSE
        ? .addressInUse(host: host, port: port) : .system(doing: doing, reason: String(cString: strerror(code)))
    }
    for index in 0..<count {
      let socket = csystem_socket(address.family)
      guard socket >= 0 else { throw fail("opening a socket") }
      sockets.append(socket)
      set(socket, SO_REUSEADDR)
      // The kernel spreads connections over the sockets that share an address by SO_REUSEPORT. The first one is bound
      // without it, which fails where anybody listens there already, and allows sharing only afterwards.
      if index > 0 { set(socket, SO_REUSEPORT) }
      guard address.bind(socket) else { throw fail("binding \(host) port \(port)") }
      if index == 0 {
        set(socket, SO_REUSEPORT)
        address.port = boundPort(socket)
      }
    }
    // All are bound before any listens, so that no connection finds a socket that is then given up.
    for socket in sockets {
      guard listen(socket, 1024) == 0 else { throw fail("listening on \(host) port \(port)") }
    }
    return (sockets, Int(address.port))
  }

  private static func set(_ socket: Int32, _ option: Int32) {
    var one: Int32 = 1
    setsockopt(socket, SOL_SOCKET, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundPort(_ socket: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
      // The port stands at the same place in both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }
}

/// An address to bind to.
private struct Address {
  var port: UInt16
  let family: Int32
  private var v4 = in_addr()
  private var v6 = in6_addr()

  init?(host: String, port: UInt16) {
    self.port = port
    var name = host == "localhost" ? "127.0.0.1" : host
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    if inet_pton(AF_INET, name, &v4) == 1 {
      family = AF_INET
    } else if inet_pton(AF_INET6, name, &v6) == 1 {
      family = AF_INET6
    } else {
      return nil
    }
  }

  func bind(_ socket: Int32) -> Bool {
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr = v4
      return Self.bind(socket, &address)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = v6
    return Self.bind(socket, &address)
  }

  private static func bind<T>(_ socket: Int32, _ address: inout T) -> Bool {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(socket, $0, socklen_t(MemoryLayout<T>.size)) == 0
      }
    }
  }
}
