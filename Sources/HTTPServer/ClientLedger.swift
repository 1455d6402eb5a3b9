import CSystem
import Glibc
import Synchronization

/// A client's address: an IPv4 address, or an IPv6 address of which connections are counted by its /64 network.
struct ClientAddress: Hashable, Sendable {
  private let network: UInt64
  private let isIPv4: Bool

  /// Reads an accepted connection's address, and its text without the port.
  static func read(_ storage: sockaddr_storage) -> (ClientAddress, String) {
    withUnsafeBytes(of: storage) { raw in
      guard storage.ss_family == sa_family_t(AF_INET6) else {
        return v4(raw.load(as: sockaddr_in.self).sin_addr.s_addr)
      }
      return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { bytes in
        // A socket for both families shows an IPv4 client as ::ffff:a.b.c.d.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
          return v4(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        }
        let network = bytes.loadUnaligned(as: UInt64.self)
        return (ClientAddress(network: network, isIPv4: false), text(AF_INET6, bytes))
      }
    }
  }

  private static func v4(_ address: UInt32) -> (ClientAddress, String) {
    let shown = withUnsafeBytes(of: address) { text(AF_INET, $0) }
    return (ClientAddress(network: UInt64(address), isIPv4: true), shown)
  }

  private static func text(_ family: Int32, _ address: UnsafeRawBufferPointer) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { room in
      guard let text = inet_ntop(family, address.baseAddress, room.baseAddress, socklen_t(room.count)) else {
        return ""
      }
      return String(cString: text)
    }
  }
}

/// Counts connections over all loops, in total and by client.
final class ClientLedger: Sendable {
  private struct Counts {
    var total = 0
    var byClient: [ClientAddress: Int] = [:]
  }

  private let counts = Mutex(Counts())
  private let maxTotal: Int
  private let maxPerClient: Int

  init(maxTotal: Int, maxPerClient: Int) {
    self.maxTotal = maxTotal
    self.maxPerClient = maxPerClient
  }

  /// Counts a connection in; false where that would be one too many.
  func admit(_ client: ClientAddress) -> Bool {
    counts.withLock { counts in
      let own = counts.byClient[client] ?? 0
      guard counts.total < maxTotal, own < maxPerClient else { return false }
      counts.total += 1
      counts.byClient[client] = own + 1
      return true
    }
  }

  /// Counts a connection out that was counted in.
  func release(_ client: ClientAddress) {
    counts.withLock { counts in
      counts.total -= 1
      let own = (counts.byClient[client] ?? 1) - 1
      counts.byClient[client] = own > 0 ? own : nil
    }
  }
}
