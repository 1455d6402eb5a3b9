import Glibc
import Testing

@testable import HTTPServer

@Suite("Connections, in all and of one address")
struct ClientLedgerTests {
  private func v4(_ number: UInt32) -> ClientAddress {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = number.bigEndian
    return Self.read(address)
  }

  private func v6(_ text: String) -> ClientAddress {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    inet_pton(AF_INET6, text, &address.sin6_addr)
    return Self.read(address)
  }

  private static func read<T>(_ address: T) -> ClientAddress {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { target in
      withUnsafeBytes(of: address) { target.copyMemory(from: $0) }
    }
    return ClientAddress.read(storage).0
  }

  private func ledger() -> ClientLedger {
    let configuration = ServerConfiguration()
    return ClientLedger(
      maxTotal: configuration.maxConnections, maxPerClient: configuration.maxConnectionsPerClient)
  }

  @Test("One address has 1024, and not one more until one of them has gone")
  func ofOneAddress() {
    let ledger = ledger()
    for _ in 0..<1024 { #expect(ledger.admit(v4(1))) }
    #expect(!ledger.admit(v4(1)))
    #expect(ledger.admit(v4(2)))
    ledger.release(v4(1))
    #expect(ledger.admit(v4(1)))
    #expect(!ledger.admit(v4(1)))
  }

  @Test("All together have 4096, and not one more until one of them has gone")
  func inAll() {
    let ledger = ledger()
    for number in 0..<4096 { #expect(ledger.admit(v4(UInt32(number)))) }
    #expect(!ledger.admit(v4(5000)))
    ledger.release(v4(7))
    #expect(ledger.admit(v4(5000)))
    #expect(!ledger.admit(v4(5001)))
  }

  @Test("IPv6 addresses of one /64 count as one, those of another apart; an IPv4 address in IPv6 is the same as plain")
  func networks() {
    let ledger = ledger()
    for number in 0..<1024 { #expect(ledger.admit(v6("2001:db8:0:1::\(String(number, radix: 16))"))) }
    #expect(!ledger.admit(v6("2001:db8:0:1:ffff:ffff:ffff:ffff")))
    #expect(ledger.admit(v6("2001:db8:0:2::1")))
    for _ in 0..<1024 { #expect(ledger.admit(v4(0x0A00_0001))) }
    #expect(!ledger.admit(v6("::ffff:10.0.0.1")))
    #expect(ledger.admit(v6("::ffff:10.0.0.2")))
  }
}
