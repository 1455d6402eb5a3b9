import SCIMCore
import SCIMSQL
import Synchronization
import Testing

/// A clock that moves by a second with each look at it, so that a search has as many looks as it has seconds: the end
/// depends on the work alone.
struct SearchDeadlineTests {
  /// Nanoseconds.
  private final class Clock: Sendable {
    private let now = Atomic<UInt64>(0)
    private let step = Atomic<UInt64>(0)
    func run() { step.store(1_000_000_000, ordering: .relaxed) }
    func stop() { step.store(0, ordering: .relaxed) }
    var looks: UInt64 { now.load(ordering: .relaxed) / 1_000_000_000 }
    func read() -> UInt64 { now.add(step.load(ordering: .relaxed), ordering: .relaxed).newValue }
  }

  private struct World {
    let temporary: TemporaryStore
    let org: OrganizationID
    let other: OrganizationID
    let user: ResourceType
    let clock: Clock

    /// Users whose titles a filter has to look through, and another organisation with one.
    init(seconds: Int, users: Int = 1500) throws {
      let clock = Clock()
      var options = SQLStoreOptions()
      options.queryTimeout = seconds * 1000
      options.clock = { clock.read() }
      temporary = try TemporaryStore(options: options)
      self.clock = clock
      org = try temporary.organization("one")
      other = try temporary.organization("two")
      let type = try temporary.type("User")
      user = type
      try temporary.create("User", ["userName": "theirs", "title": "x"], in: other)
      let organization = org
      try temporary.store.writeAndWait { (transaction) throws(SCIMError) in
        for number in 0..<users {
          _ = try transaction.tenantTransaction(organization).create(
            type: type, id: nil,
            document: Fixture.document(["userName": .string("u\(number)"), "title": "a title"], type: type),
            passwordHash: nil)
        }
      }
    }

    /// A reader as workers have it: what it reads from now on is under the deadline.
    func begin(_ reader: any StoreReader) { reader.budget = temporary.store.workerBudget() }

    func query(_ filter: String, count: Int = 10) throws -> SearchQuery {
      let resolved = try ResolvedFilter(parsing: filter, type: user, profile: .interop)
      return SearchQuery(parts: [.init(type: user, filter: resolved)], window: .index(offset: 0, count: count))
    }
  }

  private static let expensive = (0..<40).map { "not (title co \"q\($0)\") and title ne \"r\($0)\"" }
    .joined(separator: " and ")

  @Test func aSearchThatTakesTooLongIsTooMany() throws {
    let world = try World(seconds: 3)
    let reader = try world.temporary.store.makeReader()
    let query = try world.query(Self.expensive)
    world.clock.run()
    world.begin(reader)
    let error = #expect(throws: SCIMError.self) { try reader.tenant(world.org).search(query) }
    #expect(error?.kind == .tooMany)
    #expect(error?.status == 400)
    #expect(error?.scimType == "tooMany")
    #expect(world.clock.looks == 4, "one to begin with, and the third after it is the end")
  }

  /// A search that has all looks but the last one of its time is answered.
  @Test func aSearchThatEndsInTimeIsAnswered() throws {
    func looks(seconds: Int) throws -> (looks: UInt64, isAnswered: Bool) {
      let world = try World(seconds: seconds)
      let reader = try world.temporary.store.makeReader()
      let query = try world.query(Self.expensive)
      world.clock.run()
      world.begin(reader)
      let page = try? reader.tenant(world.org).search(query)
      return (world.clock.looks, page != nil)
    }
    let whole = try looks(seconds: 3600)
    #expect(whole.isAnswered && whole.looks > 3)
    // One look is for the beginning.
    let needed = Int(whole.looks) - 1
    #expect(try looks(seconds: needed + 1) == whole)
    #expect(try looks(seconds: needed) == (whole.looks, false))
  }

  /// The same reader, with its statements and its snapshot, answers as one that was never interrupted.
  @Test func whatTheReaderHoldsStaysGood() throws {
    let world = try World(seconds: 2)
    let reader = try world.temporary.store.makeReader()
    let query = try world.query(Self.expensive)
    let cheap = try world.query("title eq \"x\"")
    for _ in 0..<5 {
      world.clock.run()
      world.begin(reader)
      #expect(throws: SCIMError.self) { try reader.tenant(world.org).search(query) }
      world.clock.stop()
      world.begin(reader)
      #expect(try reader.tenant(world.org).search(cheap).total == 0)
      #expect(try reader.tenant(world.other).search(cheap).total == 1)
      #expect(try reader.tenant(world.org).search(query).total == 1500)
      #expect(try reader.tenant(world.other).search(query).total == 1)
    }
    try world.temporary.create("User", ["userName": "new", "title": "x"], in: world.org)
    #expect(try reader.tenant(world.org).search(cheap).total == 1)
  }

  /// A page of many resources asks the engine for each by itself: the loop around them sees the deadline too.
  @Test func thePageItselfIsUnderTheDeadline() throws {
    let world = try World(seconds: 10)
    let reader = try world.temporary.store.makeReader()
    world.clock.run()
    func page(of count: Int) throws -> Int {
      world.begin(reader)
      return try reader.tenant(world.org).search(try world.query("userName sw \"u\"", count: count)).resources.count
    }
    #expect(try page(of: 100) == 100)
    let error = #expect(throws: SCIMError.self) { try page(of: 1500) }
    #expect(error?.kind == .tooMany)
    world.clock.stop()
    #expect(try page(of: 1500) == 1500)
  }

  /// Few documents, each with very many values: the deadline is looked at within each of them.
  @Test func oneDocumentIsUnderTheDeadline() throws {
    let world = try World(seconds: 200, users: 0)
    let mails = (0..<5000).map { ["value": .string("m\($0)@example.com")] as JSON }
    try world.temporary.create("User", ["userName": "u", "title": "fatty", "emails": .array(mails)], in: world.org)
    let reader = try world.temporary.store.makeReader()
    let terms = { (count: Int) in (0..<count).map { "value co \"zz\($0)\"" }.joined(separator: " or ") }
    world.clock.run()
    world.begin(reader)
    #expect(
      try reader.tenant(world.org).search(try world.query("title eq \"fatty\" and emails[\(terms(3))]")).total == 0)
    world.begin(reader)
    let error = #expect(throws: SCIMError.self) {
      try reader.tenant(world.org).search(try world.query("title eq \"fatty\" and emails[\(terms(190))]"))
    }
    #expect(error?.kind == .tooMany)
  }

  /// What nobody waits for any more ends at the next look, and is not begun where it waits.
  @Test func abandonedReadsEnd() throws {
    let world = try World(seconds: 0)
    let (query, org) = (try world.query(Self.expensive), world.org)
    let reader = try world.temporary.store.makeReader()
    let looks = Atomic<Int>(0)
    reader.budget = world.temporary.store.workerBudget { looks.add(1, ordering: .relaxed).newValue > 3 }
    let error = #expect(throws: SCIMError.self) { try reader.tenant(org).search(query) }
    #expect(error?.kind == .unavailable)
    #expect(looks.load(ordering: .relaxed) == 4)
    let begun = Atomic<Int>(0)
    for isAbandoned in [true, false, true] {
      try world.temporary.store.workers.submit(for: org, isAbandoned: { isAbandoned }) { _ in
        begun.add(1, ordering: .relaxed)
      }
    }
    world.temporary.close()
    #expect(begun.load(ordering: .relaxed) == 1)
  }

  @Test func transactionsReportsAndStoresWithoutALimitHaveNoDeadline() throws {
    let world = try World(seconds: 1)
    let (query, org) = (try world.query(Self.expensive), world.org)
    world.clock.run()
    #expect(try world.temporary.store.makeGovernanceReader().tenant(org).search(query).total == 1500)
    let total = try world.temporary.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenant(org).search(query).total
    }
    #expect(total == 1500)
    #expect(try world.temporary.store.makeCheck().run() == [])
    let unlimited = try World(seconds: 0)
    unlimited.clock.run()
    let reader = try unlimited.temporary.store.makeReader()
    #expect(try reader.tenant(unlimited.org).search(try unlimited.query(Self.expensive)).total == 1500)
    #expect(unlimited.clock.looks == 0)
  }

  @Test func workersHaveTheDeadlineToo() throws {
    let world = try World(seconds: 3)
    let (query, org) = (try world.query(Self.expensive), world.org)
    world.clock.run()
    let kind = Mutex<SCIMError.Kind?>(nil)
    try world.temporary.store.workers.submit(for: org) { reader in
      do throws(SCIMError) { _ = try reader.tenant(org).search(query) } catch { kind.withLock { $0 = error.kind } }
    }
    world.temporary.close()
    #expect(kind.withLock { $0 } == .tooMany)
  }
}
