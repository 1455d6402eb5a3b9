import Dispatch
import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite
import Synchronization
import Testing

/// How long the log becomes, and what happens where it cannot begin anew.
struct LogTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func options(_ lines: Lines = Lines()) -> SQLStoreOptions {
    var options = SQLStoreOptions(pagesPerCheckpoint: 10, maximumLogPages: 60)
    options.longestLogPages = 400
    options.logPatience = 0
    options.log = { lines.add(($0.isOver ? "+" : "-") + $0.message) }
    return options
  }

  private func logBytes(_ temporary: TemporaryStore) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")[.size] as? Int ?? 0
  }

  private func write(_ temporary: TemporaryStore, _ name: String, in org: OrganizationID) throws {
    try temporary.create("User", ["userName": .string(name), "title": .string("title of " + name)], in: org)
  }

  @Test func theLogBeginsAnewWhileReadersComeAndGo() throws {
    let temporary = try TemporaryStore(options: options())
    let org = try temporary.organization()
    let type = try temporary.type("User")
    let reader = try temporary.store.makeReader()
    for number in 0..<400 {
      try write(temporary, "u\(number)", in: org)
      if number % 3 == 0 { _ = try reader.tenant(org).resource(id: "x", type: type, links: .none) }
      // As a loop does that has queued a write.
      reader.release()
    }
    // Some thousand pages were written; the file never held much more than it is to hold.
    #expect(try logBytes(temporary) < 400 * 4200)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func aReaderThatStaysMakesWritesFailInTimeAndNothingIsLost() throws {
    let lines = Lines()
    let temporary = try TemporaryStore(options: options(lines))
    let org = try temporary.organization()
    // A report of another process holds its snapshot in the same way.
    let other = try SQLiteDriver(path: temporary.path).connect(.reader)
    try other.execute("BEGIN")
    let statement = try other.prepare("SELECT count(*) FROM resource")
    #expect(try statement.step())
    statement.reset()
    var made = 0
    var refusal: SCIMError?
    for number in 0..<400 {
      // Pages of 4 KiB, each with a head.
      let pages = try (logBytes(temporary) - 32) / (4096 + 24)
      do {
        try write(temporary, "u\(number)", in: org)
        #expect(refusal == nil && pages < 400)
        made += 1
      } catch let error as SCIMError {
        refusal = error
        #expect(pages >= 400)
      }
    }
    #expect(refusal?.kind == .unavailable)
    #expect(made > 5)
    // The cap, and one transaction more at most.
    #expect(try logBytes(temporary) < 500 * 4200)
    #expect(lines.all.filter { $0.contains("refused") }.count == 1)
    try other.execute("COMMIT")
    // At once, without any other help.
    try write(temporary, "later", in: org)
    #expect(lines.all.filter { $0.contains("no longer") }.map(\.first) == ["+"])
    let type = try temporary.type("User")
    let page = try temporary.store.makeReader().tenant(org).search(
      SearchQuery(parts: [.init(type: type, filter: nil)], window: .index(offset: 0, count: 1)))
    #expect(page.total == made + 1)
    #expect(try temporary.store.makeCheck().run() == [])
    other.close()
  }

  /// A report of another process lets go, so that the server can write.
  @Test func aReportLetsGoOfAFullLog() throws {
    let temporary = try TemporaryStore(options: options())
    let org = try temporary.organization()
    let type = try temporary.type("User")
    for number in 0..<200 { try write(temporary, "u\(number)", in: org) }
    var reading = SQLStoreOptions(workers: 1)
    reading.longestLogPages = 400
    reading.reportAge = 0
    let other = try SQLiteStore.open(path: temporary.path, store: reading, registry: temporary.registry)
    let report = try other.makeGovernanceReader()
    try report.snapshot {
      func search() throws { _ = try report.reports(of: org).holders(of: type, after: nil, limit: 1000) }
      // As long as there is room it goes on.
      for _ in 0..<20 { try search() }
      var isRefused = false
      for number in 0..<400 where !isRefused {
        do { try write(temporary, "v\(number)", in: org) } catch { isRefused = true }
      }
      #expect(isRefused)
      let ended = #expect(throws: SCIMError.self) { for _ in 0..<2000 { try search() } }
      #expect(ended?.kind == .unavailable)
    }
    try write(temporary, "w", in: org)
    other.close()
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test func theFileOfALongLogIsCutWhenItBeginsAnew() throws {
    let temporary = try TemporaryStore(options: options())
    let org = try temporary.organization()
    let type = try temporary.type("User")
    // One transaction that is longer than the log is to be.
    try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      for number in 0..<3000 {
        _ = try transaction.tenantTransaction(org).create(
          type: type, id: nil, document: Fixture.document(["userName": .string("u\(number)")], type: type),
          passwordHash: nil)
      }
    }
    #expect(try logBytes(temporary) > 250 * 4200)
    for number in 0..<20 { try write(temporary, "v\(number)", in: org) }
    #expect(try logBytes(temporary) < 200 * 4200)
  }

  @Test func aClockThatWasFarAheadDoesNotPinTheTime() throws {
    let lines = Lines()
    let temporary = try TemporaryStore(options: options(lines))
    let org = try temporary.organization()
    let far = Timestamp.now.milliseconds + 10 * 365 * 86_400_000
    try temporary.create("User", ["userName": "first"], in: org)
    let connection = try SQLiteDriver(path: temporary.path).connect(.writer)
    try connection.execute("UPDATE outbox SET at = \(far)")
    connection.close()
    let made = try temporary.create("User", ["userName": "ada"], in: org)
    #expect(made.modified.milliseconds < far - 86_400_000)
    #expect(lines.all.filter { $0.hasPrefix("-clock") }.count == 1)
    // A little ahead counts, so that no change is earlier than the one before.
    let near = Timestamp.now.milliseconds + 60_000
    let again = try SQLiteDriver(path: temporary.path).connect(.writer)
    try again.execute("UPDATE outbox SET at = \(near)")
    again.close()
    #expect(try temporary.create("User", ["userName": "bob"], in: org).modified.milliseconds == near)
  }

  @Test func tooManyWaitingWritesOfOneAreRefused() throws {
    var options = options()
    options.waitingWrites = 3
    options.waitingWeight = 5
    let temporary = try TemporaryStore(options: options)
    let (a, b, c) = (OrganizationID(rawValue: 1), OrganizationID(rawValue: 2), OrganizationID(rawValue: 3))
    let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    temporary.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    let lines = Lines()
    func add(_ name: String, _ organization: OrganizationID?, weight: Int = 1) {
      temporary.store.write(
        for: organization, weight: weight, { (_) throws(SCIMError) in },
        completion: { result in
          if case .failure(let error) = result { lines.add("\(name) \(error.kind)") }
        })
    }
    for number in 0..<5 { add("a\(number)", a) }
    // One is taken whatever it weighs, two only where they are light together.
    add("b0", b, weight: 1000)
    add("b1", b)
    add("c0", c, weight: 3)
    add("c1", c, weight: 2)
    add("c2", c)
    for number in 0..<5 { add("n\(number)", nil, weight: 100) }
    #expect(lines.all == ["a3 tooManyRequests", "a4 tooManyRequests", "b1 tooManyRequests", "c2 tooManyRequests"])
    gate.signal()
    temporary.close()
    #expect(lines.all.count == 4)
  }

  /// By the settings where nothing is set: 1024 writes, and 8192 operations, of one organisation.
  @Test func writesOfOneWaitUpToTheLimits() throws {
    let temporary = try TemporaryStore()
    let (a, b) = (OrganizationID(rawValue: 1), OrganizationID(rawValue: 2))
    let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    temporary.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    let lines = Lines()
    func add(_ name: String, _ organization: OrganizationID, weight: Int) {
      temporary.store.write(
        for: organization, weight: weight, { (_) throws(SCIMError) in },
        completion: { result in
          if case .failure(let error) = result { lines.add("\(name) \(error.kind)") }
        })
    }
    for number in 0..<1024 { add("\(number)", a, weight: 1) }
    #expect(lines.all == [])
    add("one write more", a, weight: 1)
    #expect(lines.all == ["one write more tooManyRequests"])
    for number in 0..<8 { add("\(number)", b, weight: 1000) }
    add("too heavy by one", b, weight: 193)
    #expect(lines.all.dropFirst() == ["too heavy by one tooManyRequests"])
    add("as much as there is room", b, weight: 192)
    #expect(lines.all.count == 2)
    add("one operation more", b, weight: 1)
    #expect(lines.all.dropFirst(2) == ["one operation more tooManyRequests"])
    gate.signal()
    temporary.close()
    #expect(lines.all.count == 3)
  }

  /// What a write of several transactions goes on with is taken, however many wait.
  @Test func aWriteThatHasBegunGoesOn() throws {
    var options = options()
    options.waitingWrites = 1
    let temporary = try TemporaryStore(options: options)
    let org = OrganizationID(rawValue: 1)
    let (isHeld, gate, isDone) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let lines = Lines()
    let store = temporary.store
    store.writeInSteps(
      for: org, weight: 1, from: 0,
      { (_, step) throws(SCIMError) -> WriteStep<Int, Int> in
        if step == 0 {
          isHeld.signal()
          gate.wait()
        }
        return step < 3 ? .further(step + 1) : .done(step)
      },
      completion: { result in
        lines.add((try? result.get()).map(String.init) ?? "refused")
        isDone.signal()
      })
    isHeld.wait()
    store.write(for: org, weight: 1, { (_) throws(SCIMError) in }, completion: { _ in })
    store.write(
      for: org, weight: 1, { (_) throws(SCIMError) in },
      completion: { if case .failure = $0 { lines.add("too many") } })
    gate.signal()
    isDone.wait()
    #expect(lines.all == ["too many", "3"])
  }

  @Test func whatIsQueuedWhenTheServerStopsIsRefused() throws {
    let temporary = try TemporaryStore()
    let org = try temporary.organization()
    let (isHeld, gate, isClosed) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    temporary.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    let lines = Lines()
    for number in 0..<3 {
      temporary.store.write(
        for: org, weight: 1, { (_) throws(SCIMError) in lines.add("ran") },
        completion: { result in
          if case .failure(let error) = result { lines.add("\(number) \(error.kind)") }
        })
    }
    let store = temporary.store
    Thread {
      store.close(discarding: true)
      isClosed.signal()
    }.start()
    // Only once it is closing the writer goes on: then a write is refused at once.
    while true {
      let refused = Mutex(false)
      store.write(
        for: org, weight: 1, { (_) throws(SCIMError) in },
        completion: { result in
          // Not where too many wait.
          if case .failure(let error) = result, error == .stopping { refused.withLock { $0 = true } }
        })
      if refused.withLock({ $0 }) { break }
      sched_yield()
    }
    gate.signal()
    isClosed.wait()
    #expect(!lines.all.contains("ran"))
    #expect(lines.all == ["0 unavailable", "1 unavailable", "2 unavailable"])
  }
}
