import SCIMCore
import Testing

@Suite("Service")
struct ServiceTests {
  @Test("ServiceProviderConfig needs no key; all else does")
  func keys() throws {
    let harness = try Harness()
    let wire = try MemoryWire(service: harness.service)
    let open = try wire.send(method: "GET", target: "/scim/v2/ServiceProviderConfig", headers: [], body: nil)
    #expect(open.status == 200)
    for path in ["/Users", "/Schemas", "/ResourceTypes", "/Bulk", "/Me", "/Nothing"] {
      let closed = try wire.send(method: "GET", target: "/scim/v2\(path)", headers: [], body: nil)
      #expect(closed.status == 401)
      #expect(closed.headers["www-authenticate"] == "Bearer")
    }
  }
}
