import Dispatch
import Foundation
import HTTPMessage
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

@testable import SCIMService

/// A change of definitions is planned once, outside the writer: what is left for the writer is small, and nothing that
/// others change meanwhile is lost.
@Suite("Planned changes of definitions")
struct PlannedChangeTests {
  private typealias Samples = DefinitionSamples
  private let urn = ChangeWorld.urn
  private static let other = "urn:acme:other:1.0:Thing"

  /// A schema of so many attributes; three types have it, which with 930 is as much as an organisation may have.
  private func large(_ isExact: Bool, count: Int = 930) -> JSON {
    Samples.schema("urn:acme:large:1.0:Part", (0..<count).map { ("a\($0)", [("caseExact", .bool(isExact))]) })
  }

  private func makeLarge(_ client: Client) throws {
    _ = try client.create("/Schemas", large(false))
    for number in 0..<3 {
      _ = try client.create(
        "/ResourceTypes", Samples.type("T\(number)", "/T\(number)s", extensions: ["urn:acme:large:1.0:Part"]))
    }
  }

  @Test("The writer reads no definitions and takes few steps, with 3,000 attributes and while others write")
  func share() throws {
    let world = try ChangeWorld()
    try makeLarge(world.client)
    let neighbour = try Tenant(world.harness, name: "light.example").client
    _ = try neighbour.create("/Users", ["schemas": [.string(Samples.user)], "userName": "ann"])
    for number in 0..<3 {
      _ = try world.client.create("/T\(number)s", Samples.license("one \(number)"))
    }
    #expect(world.steps.loads == 0)
    _ = world.steps.take()
    for isExact in [true, false, true] {
      let work = try world.meter.work {
        expect(try world.client.send("PUT /Schemas/urn:acme:large:1.0:Part", large(isExact)), 200)
      }
      // Of 2,790 attributes: some of the engine's instructions for each, whoever executes them.
      #expect(work < 2790 * 250, "\(work)")
      // A write that is refused has the writer forget what it knows.
      expectError(
        try neighbour.send("POST /Users", ["schemas": [.string(Samples.user)], "userName": "ann"]), 409, "uniqueness")
      _ = try world.client.create("/T0s", Samples.license("next \(isExact)"))
      try world.expectStored("\(isExact)")
    }
    #expect(world.steps.loads == 0)
    let taken = world.steps.take()
    #expect(taken.allSatisfy { $0 < WorkBudget.writeLimit / 2 }, "\(taken)")
    try world.expectSound()
  }

  @Test("While a change is under way, writes are indexed for both definitions without reading either")
  func underWay() throws {
    let world = try ChangeWorld(1500)
    let run = world.run(world.exact)
    var work = try world.begin(run)
    for _ in 0..<2 {
      // One that fails has the writer forget what it knows.
      expectError(
        try world.client.send("PATCH /Licenses/nobody", PatchBody.make([("replace", "displayName", "x")])), 404)
      expect(
        try world.client.send("PATCH /Licenses/l5", PatchBody.make([("replace", "\(urn):color", "Blue")])), 200)
      work = try #require(try world.step(run, work))
    }
    #expect(world.steps.loads == 0)
    try world.finish(run, work)
    #expect(world.steps.loads == 0)
    #expect(try world.count("Blue") == 1)
    #expect(try world.count("BLUE") == 0)
    try world.expectSound()
  }

  private func begin(
    _ run: DefinitionRun, _ plan: PendingChange, _ tenant: SCIMCore.Tenant
  ) throws -> WriteStep<Void, DefinitionRun.Beginning> {
    try tenant.writeAndWait { (transaction) throws(SCIMError) in try run.begin(plan, in: transaction) }
  }

  @Test("A change that another process has begun is read outside the writer as well")
  func ofAnother() throws {
    let world = try ChangeWorld(1500)
    let other = try world.other()
    let run = world.run(world.exact)
    let reader = try other.store.tenant(world.organization).makeReader()
    let plan = try run.plan(in: reader)
    guard case .done(.begun(let number)) = try begin(run, plan, other.store.tenant(world.organization)) else {
      Issue.record("it is made already")
      return
    }
    expect(
      try world.client.send("PATCH /Licenses/l5", PatchBody.make([("replace", "\(urn):color", "Blue")])), 200)
    #expect(world.steps.loads == 0)
    var survey = DefinitionRun.Survey(number)
    var work: DefinitionRun.Work?
    while work == nil {
      switch try run.survey(survey, in: reader) {
      case .done(let found): work = found
      case .further(let next): survey = next
      }
    }
    reader.release()
    expect(
      try world.client.send("PATCH /Licenses/l6", PatchBody.make([("replace", "\(urn):color", "Pink")])), 200)
    _ = try other.store.tenant(world.organization).writeInStepsAndWait(from: try #require(work), pause: {}) {
      (transaction, work) throws(SCIMError) in
      try run.step(work, in: transaction)
    }
    for (color, count) in [("Blue", 1), ("BLUE", 0), ("Pink", 1), ("PINK", 0), ("Red 7", 1), ("RED 7", 0)] {
      #expect(try world.count(color) == Int64(count), "\(color)")
    }
    expect(try world.client.send("PATCH /Licenses/l5", PatchBody.make([("remove", "\(urn):color", nil)])), 200)
    #expect(world.steps.loads == 0)
    try world.expectSound()
  }

  /// Adds a schema by another process.
  private func add(_ name: String, _ harness: Harness, _ organization: OrganizationID) throws(SCIMError) {
    let document = Samples.schema(name, [("size", [])]).objectValue ?? JSONObject()
    let writer = DefinitionWriter(base: BuiltInSchemas.registry)
    try writer.applyAndWait(to: harness.store.tenant(organization), pause: {}) { _ in
      DefinitionChange(put: [Definition(kind: .schema, name: name, document: document)])
    }
  }

  @Test("A plan of definitions that have changed since is not made")
  func outdated() throws {
    let world = try ChangeWorld(20)
    let run = world.run(world.exact)
    let plan = try run.plan(in: world.tenant.makeReader())
    try add(Self.other, world.harness, world.organization)
    guard case .done(.outdated) = try begin(run, plan, world.tenant) else {
      Issue.record("it was begun")
      return
    }
    #expect(try world.count("RED 7") == 1)
    expect(try world.client.send("GET /Schemas/\(Self.other)"), 200)
    try world.expectStored()
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("What another process changes between plan and beginning is noticed, and both changes are there")
  func meanwhile() throws {
    let world = try ChangeWorld(20, workers: 1)
    let other = try world.other()
    let (isHeld, gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // Holds the writer, but not the file.
    world.store.write(
      { (_) throws(SCIMError) in },
      completion: { _ in
        isHeld.signal()
        gate.wait()
      })
    isHeld.wait()
    let responder = try world.harness.service.makeResponder()
    var headers = HeaderFields()
    headers.append("Authorization", "Bearer \(world.client.key ?? "")")
    let body = Samples.schema(urn, [("seats", [("type", "integer")]), ("color", [("caseExact", true)])])
    let request = Request(
      method: "PUT", path: "/scim/v2/Schemas/\(urn)", query: nil, authority: "scim.test", headers: headers,
      body: body.encoded())
    let status = Mutex(0)
    let ticket = Ticket { response in
      status.withLock { $0 = response.status }
      done.signal()
    }
    #expect(responder.respond(to: request, later: { ticket }) == nil)
    responder.idle()
    // The one worker has planned the change when it comes to this.
    let isPlanned = DispatchSemaphore(value: 0)
    try world.store.workers.submit(for: world.organization) { _ in isPlanned.signal() }
    isPlanned.wait()
    try add(Self.other, other, world.organization)
    gate.signal()
    done.wait()
    #expect(status.withLock { $0 } == 200)
    #expect(try world.count("RED 7") == 0)
    #expect(try world.count("Red 7") == 1)
    expect(try world.client.send("GET /Schemas/\(Self.other)"), 200)
    #expect(world.steps.loads == 0)
    try world.expectStored()
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("Where others change the definitions each time before it begins, it is planned so often, then 503")
  func always() throws {
    for changes in [DefinitionRun.plans - 1, DefinitionRun.plans] {
      let world = try ChangeWorld(20)
      let (harness, organization) = (try world.other(), world.organization)
      let count = Mutex(0)
      let exact = world.exact
      let run = DefinitionRun(writer: world.writer) { (reader) throws(SCIMError) in
        let number = count.withLock { count -> Int in
          count += 1
          return count
        }
        if number <= changes {
          // What is planned has been read already.
          _ = try reader.registry()
          try add("\(Self.other)\(number)", harness, organization)
        }
        return exact
      }
      if changes < DefinitionRun.plans {
        try run.applyAndWait(to: world.tenant, pause: {})
        #expect(count.withLock { $0 } == DefinitionRun.plans)
      } else {
        let refused = #expect(throws: SCIMError.self) { try run.applyAndWait(to: world.tenant, pause: {}) }
        #expect(refused?.status == 503)
        #expect(count.withLock { $0 } == DefinitionRun.plans)
      }
      #expect(try world.count("RED 7") == (changes < DefinitionRun.plans ? 0 : 1))
      for number in 1...changes { expect(try world.client.send("GET /Schemas/\(Self.other)\(number)"), 200) }
      try world.expectStored("\(changes)")
      #expect(try world.isTidy())
      try world.expectSound("\(changes)")
    }
  }

  @Test("Of what is undone nobody has the definitions, although another change has its revision and its number")
  func undone() throws {
    let world = try ChangeWorld(20)
    let neighbour = try Tenant(world.harness, name: "light.example")
    try Samples.defineLicenses(neighbour.client, [("color", [])])
    _ = try neighbour.client.create("/Licenses", Samples.license("One", ["color": "Red"]))
    let (organization, store) = (world.organization, world.store)
    let writer = DefinitionWriter(base: BuiltInSchemas.registry)
    @Sendable func schema(_ name: String) -> DefinitionChange {
      let document = Samples.schema(name, [("size", [])]).objectValue ?? JSONObject()
      return DefinitionChange(put: [Definition(kind: .schema, name: name, document: document)])
    }
    let (own, exact) = (world.writer, world.exact)
    let (isHeld, gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
    store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    // All in one transaction; the first and the third are undone in it.
    for number in 0..<4 {
      done.enter()
      store.write(
        { (whole) throws(SCIMError) in
          let isNeighbour = number.isMultiple(of: 2)
          let transaction = whole.tenantTransaction(isNeighbour ? neighbour.organization.id : organization)
          let run = DefinitionRun(writer: isNeighbour ? writer : own) { _ in exact }
          if number >= 2 {
            _ = try run.begin(run.plan(in: transaction), in: transaction)
          } else {
            try (isNeighbour ? writer : own).apply(schema("urn:acme:s\(number):1.0:Thing"), in: transaction)
          }
          if isNeighbour { throw SCIMError(.invalidValue, "No.") }
        }, completion: { _ in done.leave() })
    }
    gate.signal()
    done.wait()
    let reader = try store.makeReader()
    #expect(try reader.tenant(neighbour.organization.id).pendingChange() == nil)
    #expect(try reader.tenant(organization).pendingChange()?.before.schema(id: "urn:acme:s1:1.0:Thing") != nil)
    reader.release()
    expectError(try neighbour.client.send("GET /Schemas/urn:acme:s0:1.0:Thing"), 404)
    // Its next change has the revision of the one that was undone.
    _ = try neighbour.client.create("/Schemas", Samples.schema("urn:acme:s2:1.0:Thing", [("size", [])]))
    expectError(try neighbour.client.send("GET /Schemas/urn:acme:s0:1.0:Thing"), 404)
    try world.expectStored()
    #expect(try world.undoChanges() == 1)
    #expect(try world.count("RED 7") == 1)
    try world.expectSound()
  }

  @Test("A type without resources that goes and comes again has the names in the index that the file says")
  func names() throws {
    let world = try ChangeWorld(20)
    let run = world.run(world.exact)
    try world.finish(run, world.begin(run))
    try world.expectStored("exact")
    for number in 0..<20 { expect(try world.client.send("DELETE /Licenses/l\(number)"), 204) }
    expect(try world.client.send("DELETE /ResourceTypes/License"), 204)
    try world.expectStored("gone")
    _ = try world.client.create(
      "/ResourceTypes", Samples.type("License", "/Licenses", extensions: [urn, Samples.assignments]))
    try world.expectStored("again")
    _ = try world.client.create("/Licenses", Samples.license("One", ["color": "Red"]))
    #expect(try world.count("Red") == 1)
    try world.reopen()
    #expect(try world.count("Red") == 1)
    try world.expectSound()
  }

  @Test("An organisation beyond the limit of attributes may change whatever makes them no more")
  func beyond() throws {
    let world = try ChangeWorld()
    try makeLarge(world.client)
    let organization = world.organization
    // As an earlier version took it.
    let type = Samples.type("T3", "/T3s", extensions: ["urn:acme:large:1.0:Part"]).objectValue ?? JSONObject()
    try world.store.writeAndWait { (transaction) throws(SCIMError) in
      try transaction.tenantTransaction(organization).putDefinition(kind: .type, name: "T3", document: type)
    }
    func put(_ count: Int, _ isExact: Bool = false) throws -> Reply {
      try world.client.send("PUT /Schemas/urn:acme:large:1.0:Part", large(isExact, count: count))
    }
    let refused = try put(931)
    expectError(refused, 400, "invalidValue")
    #expect(refused["detail"]?.stringValue?.contains("3000") == true, "\(refused)")
    expect(try put(930, true), 200)
    expect(try put(925), 200)
    // What it had before counts no more.
    expectError(try put(926), 400, "invalidValue")
    expectError(
      try world.client.send("POST /ResourceTypes", Samples.type("T4", "/T4s", extensions: [])), 400, "invalidValue")
    expect(try world.client.send("DELETE /ResourceTypes/T3"), 204)
    _ = try world.client.create("/ResourceTypes", Samples.type("T4", "/T4s", extensions: []))
    try world.expectStored()
    try world.expectSound()
  }
}
