import Dispatch
import SCIMCore
import Synchronization
import Testing

@testable import SCIMService

@Suite("Password hashing")
struct PasswordHasherTests {
  private let a = OrganizationID(rawValue: 1)
  private let b = OrganizationID(rawValue: 2)

  /// Hashes at a gate: the first password waits until the others are queued.
  private final class Gate: Sendable {
    let isHeld = DispatchSemaphore(value: 0)
    let opening = DispatchSemaphore(value: 0)
    private let passwords = Mutex<[String]>([])
    private let held = Atomic<Bool>(false)

    func hash(_ password: String) -> String {
      if !held.exchange(true, ordering: .relaxed) {
        isHeld.signal()
        opening.wait()
      }
      passwords.withLock { $0.append(password) }
      return "#" + password
    }

    var all: [String] { passwords.withLock { $0 } }
  }

  /// The outcomes of requests by name, once all have come.
  private func run(
    _ hasher: PasswordHasher, _ gate: Gate, _ requests: [(organization: OrganizationID, passwords: [String])]
  ) -> [Result<[String: String], SCIMError>?] {
    let outcomes = Mutex([Result<[String: String], SCIMError>?](repeating: nil, count: requests.count))
    let group = DispatchGroup()
    for (index, request) in requests.enumerated() {
      group.enter()
      hasher.hash(request.passwords, for: request.organization) { result in
        outcomes.withLock { $0[index] = result }
        group.leave()
      }
      if index == 0 { gate.isHeld.wait() }
    }
    gate.opening.signal()
    group.wait()
    return outcomes.withLock { $0 }
  }

  @Test("One password of each organisation in turn, and of each of its requests in turn")
  func turns() throws {
    let gate = Gate()
    let hasher = PasswordHasher(threads: 1) { gate.hash($0) }
    let many = (0..<50).map { "a\($0)" }
    let outcomes = run(hasher, gate, [(a, many), (a, ["single"]), (b, ["b"])])
    let places = ["single", "b"].map { gate.all.firstIndex(of: $0) ?? .max }
    // The one under way, then at most one of the Bulk request before each.
    #expect(places.allSatisfy { $0 <= 4 }, "\(gate.all)")
    #expect(gate.all.count == 52)
    #expect(try outcomes[0]?.get() == Dictionary(many.map { ($0, "#" + $0) }, uniquingKeysWith: { first, _ in first }))
    #expect(try outcomes[1]?.get() == ["single": "#single"])
    #expect(try outcomes[2]?.get() == ["b": "#b"])
  }

  @Test("A request with one password twice has it hashed once")
  func twice() throws {
    let gate = Gate()
    let hasher = PasswordHasher(threads: 1) { gate.hash($0) }
    #expect(try run(hasher, gate, [(a, ["x", "y", "x"])])[0]?.get() == ["x": "#x", "y": "#y"])
    #expect(gate.all.sorted() == ["x", "y"])
  }

  @Test("A password that cannot be hashed fails its request, whose others are not tried, and no other request")
  func failure() throws {
    let gate = Gate()
    let hasher = PasswordHasher(threads: 1) { (password) throws(SCIMError) in
      let hash = gate.hash(password)
      if password.hasPrefix("bad") { throw SCIMError(.unavailable, "no memory") }
      return hash
    }
    let outcomes = run(hasher, gate, [(a, ["bad1", "bad2", "bad3"]), (a, ["good"])])
    #expect(throws: SCIMError(.unavailable, "no memory")) { try outcomes[0]?.get() }
    #expect(try outcomes[1]?.get() == ["good": "#good"])
    #expect(gate.all.count == 2)
  }

  @Test("Too many waiting requests of one organisation are refused; another's are not")
  func bound() throws {
    let gate = Gate()
    let hasher = PasswordHasher(threads: 1, maximumWaiting: 2) { gate.hash($0) }
    let outcomes = run(hasher, gate, [(a, ["1"]), (a, ["2"]), (a, ["3"]), (a, ["4"]), (b, ["5"])])
    let kinds = outcomes.map { outcome -> SCIMError.Kind? in
      if case .failure(let error)? = outcome { error.kind } else { nil }
    }
    #expect(kinds == [nil, nil, nil, .tooManyRequests, nil])
  }

  @Test("256 requests of one organisation wait where nothing is set; one more is refused")
  func waiting() throws {
    let gate = Gate()
    let hasher = PasswordHasher(threads: 1) { gate.hash($0) }
    let requests = (0...257).map { (organization: a, passwords: ["\($0)"]) }
    let outcomes = run(hasher, gate, requests)
    let kinds = outcomes.map { outcome -> SCIMError.Kind? in
      if case .failure(let error)? = outcome { error.kind } else { nil }
    }
    // The first is under way.
    #expect(kinds == Array(repeating: nil, count: 257) + [.tooManyRequests])
  }

  @Test("1,000 passwords of one organisation wait, in few requests; one more is refused, and room comes again")
  func waitingPasswords() throws {
    let gate = Gate()
    let hasher = PasswordHasher(threads: 1) { (password) throws(SCIMError) in
      let hash = gate.hash(password)
      if password.hasPrefix("bad") { throw SCIMError(.unavailable, "no memory") }
      return hash
    }
    func passwords(_ name: String, _ count: Int) -> [String] { (0..<count).map { "\(name) \($0)" } }
    let outcomes = run(
      hasher, gate,
      [
        (a, ["first"]), (a, passwords("bad", 999)), (a, passwords("x", 2)), (a, passwords("y", 1)), (a, ["z"]),
        (b, passwords("b", 1001)),
      ])
    let kinds = outcomes.map { outcome -> SCIMError.Kind? in
      if case .failure(let error)? = outcome { error.kind } else { nil }
    }
    #expect(kinds == [nil, .unavailable, .tooManyRequests, nil, .tooManyRequests, nil])
    // The passwords of the request that failed wait no longer.
    let done = DispatchSemaphore(value: 0)
    let isTaken = Mutex(false)
    for count in [1000, 1] {
      hasher.hash(passwords("c\(count)", count), for: a) { result in
        if case .success = result { isTaken.withLock { $0 = true } }
        done.signal()
      }
      done.wait()
      #expect(isTaken.withLock { $0 })
      isTaken.withLock { $0 = false }
    }
  }

  @Test("Threads end when there is nothing to hash, and come again")
  func again() throws {
    let hasher = PasswordHasher(threads: 2) { "#" + $0 }
    for round in 0..<100 {
      let done = DispatchSemaphore(value: 0)
      let outcome = Mutex<Result<[String: String], SCIMError>?>(nil)
      hasher.hash(["\(round)"], for: a) { result in
        outcome.withLock { $0 = result }
        done.signal()
      }
      done.wait()
      #expect(try outcome.withLock { $0 }?.get() == ["\(round)": "#\(round)"])
    }
  }

  /// Over a socket, so that what waits does not hold the test: every password of the Bulk request waits at the gate.
  @Test("While the passwords of a Bulk request are hashed, its organisation and others are answered")
  func others() throws {
    let gate = DispatchSemaphore(value: 0)
    let isHeld = DispatchSemaphore(value: 0)
    let harness = try Harness {
      $0.hashPassword = { (password) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
        return "#" + password
      }
    }
    let server = try harness.serve()
    defer { server.stop() }
    let wire = SocketWire(port: server.port)
    let first = try Tenant(harness, name: "a.example", wire: wire)
    let second = try Tenant(harness, name: "b.example", wire: wire)
    let user = try first.client.create("/Users", Self.user("ann"))
    let count = 8
    let bulk = (0..<count).map { number -> JSON in
      var data = Self.user("user \(number)").objectValue ?? JSONObject()
      data["password"] = .string("s3cret \(number)")
      return ["method": "POST", "path": "/Users", "bulkId": .string("\(number)"), "data": .object(data)]
    }
    let body: JSON = ["schemas": [.string(Bulk.requestSchema)], "Operations": .array(bulk)]
    let replies = try Parallel.map(2, threads: 2) { side -> Reply in
      if side == 0 { return try first.client.send("POST /Bulk", body) }
      isHeld.wait()
      defer { for _ in 0..<count { gate.signal() } }
      for client in [first.client, second.client] {
        // A list is read on a worker.
        try #require(client.send("GET /Users?count=1000").status == 200)
        try #require(client.send("POST /Users", Self.user("bob")).status == 201)
      }
      return try first.client.send("GET /Users/\(user.id)")
    }
    #expect(replies.map(\.status) == [200, 200], "\(replies)")
    #expect(try first.client.send("GET /Users?count=0").total == Int64(count + 2))
  }

  private static func user(_ name: String) -> JSON {
    ["schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string(name)]
  }
}
