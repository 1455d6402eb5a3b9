import SCIMCore
import Testing

@testable import SCIMService

/// Changes of definitions by force: what is in the way goes once nothing can stop them any more.
@Suite("Changes of definitions by force")
struct ForcedChangeTests {
  private typealias Samples = DefinitionSamples
  private let urn = ChangeWorld.urn

  /// Takes the extension from the licences by force.
  private func change(_ world: ChangeWorld) -> DefinitionChange {
    let type = Samples.type("License", "/Licenses", extensions: [Samples.assignments]).objectValue ?? JSONObject()
    var change = world.change([])
    change.put = [Definition(kind: .type, name: "License", document: type)]
    change.isForced = true
    return change
  }

  @Test("Nothing is removed where another type does not fit")
  func misfitOfAnother() throws {
    let world = try ChangeWorld(20)
    let seats = "urn:acme:seats:1.0:Seat"
    _ = try world.client.create("/Schemas", Samples.schema(seats, [("row", [])]))
    _ = try world.client.create("/ResourceTypes", Samples.type("Seat", "/Seats", extensions: [seats]))
    var object = Samples.license("One").objectValue ?? JSONObject()
    object[seats] = ["row": "A"]
    _ = try world.client.create("/Seats", .object(object))
    var change = change(world)
    // The attribute that a seat has is gone.
    change.put.append(
      Definition(
        kind: .schema, name: seats,
        document: Samples.schema(seats, [("number", [])]).objectValue ?? JSONObject()))
    let run = world.run(change)
    let refused = #expect(throws: SCIMError.self) { try world.finish(run, world.begin(run)) }
    #expect(refused?.kind == .invalidValue)
    #expect(try world.count("Red 7") == 1)
    try world.expectSound()
  }

  @Test("Once values are being removed, what does not fit the new definitions is refused, and the change is made")
  func certain() throws {
    let world = try ChangeWorld(3000)
    let colors = "urn:acme:colors:1.0:Color"
    _ = try world.client.create("/Schemas", Samples.schema(colors, [("shade", [])]))
    let both = Samples.type("License", "/Licenses", extensions: [urn, colors, Samples.assignments])
    expect(try world.client.send("PUT /ResourceTypes/License", both), 200)
    let after = Samples.type("License", "/Licenses", extensions: [colors, Samples.assignments])
    let run = world.run(
      DefinitionChange(
        put: [
          Definition(kind: .type, name: "License", document: after.objectValue ?? JSONObject()),
          Definition(
            kind: .schema, name: colors,
            document: Samples.schema(colors, [("shade", [("uniqueness", "server")])]).objectValue ?? JSONObject()),
        ], isForced: true))
    let work = try #require(try world.step(run, world.begin(run)))
    func license(_ name: String) -> JSON {
      var object = Samples.license(name).objectValue ?? JSONObject()
      object[colors] = ["shade": "dark"]
      return .object(object)
    }
    let first = try world.client.create("/Licenses", license("first"))
    expectError(try world.client.send("POST /Licenses", license("second")), 409, "uniqueness")
    try world.finish(run, work)
    #expect(try world.client.send("GET /Licenses/l7")[urn] == nil)
    #expect(try world.client.send("GET /Licenses/\(first.id)")[colors]?["shade"] == "dark")
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("A retired type goes with its resources in slices, and after a stop the rest of it goes by itself")
  func retired() throws {
    let world = try ChangeWorld(3000)
    let run = DefinitionRun(writer: world.writer) { [writer = world.writer] (reader) throws(SCIMError) in
      var change = try writer.change(retiring: "License", in: reader)
      change.isForced = true
      return change
    }
    _ = try #require(try world.step(run, world.begin(run)))
    let left = try #require(try world.client.send("GET /Licenses?count=0").total)
    #expect(left > 0 && left < 3000)
    try world.reopen()
    #expect(try world.client.send("GET /Licenses?count=0").total == left)
    try world.expectSound("stopped")
    _ = world.steps.take()
    let ended = try world.endChanges()
    #expect(ended.undone == 0 && ended.finished == 1)
    let taken = world.steps.take()
    #expect(taken.allSatisfy { $0 < WorkBudget.writeLimit / 2 }, "\(taken)")
    expectError(try world.client.send("GET /Licenses"), 404)
    expectError(try world.client.send("DELETE /ResourceTypes/License?force=true"), 404)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("A stop before anything is removed leaves all of it")
  func stoppedBefore() throws {
    let world = try ChangeWorld(1200)
    var change = change(world)
    // Something is indexed first.
    change.put.append(contentsOf: world.exact.put)
    let run = world.run(change)
    _ = try world.begin(run)
    try world.reopen()
    let ended = try world.endChanges()
    #expect(ended.undone == 1 && ended.finished == 0)
    #expect(try world.count("RED 7") == 1)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test(
    "A failure before anything is removed undoes the change; one behind that leaves it to be finished",
    arguments: ["at the start", "by the minute's look", "asked for again"])
  func failed(_ finish: String) throws {
    let world = try ChangeWorld(3000)
    var undone = 0
    var left: Int64 = 3000
    while left == 3000 {
      world.meter.failCommit(undone + 1)
      let reply = try world.client.send("DELETE /ResourceTypes/License?force=true")
      expectError(reply, 503)
      #expect(reply.header("Retry-After") != nil)
      try world.expectSound("\(undone)")
      left = try #require(try world.client.send("GET /Licenses?count=0").total)
      let isToldSo = reply["detail"]?.stringValue?.contains("cannot be undone") == true
      #expect(isToldSo == (left < 3000), "\(reply)")
      guard left == 3000 else { break }
      undone += 1
      #expect(try world.isTidy())
      try #require(undone < 20)
    }
    #expect(undone > 1)
    switch finish {
    case "at the start":
      try world.reopen()
      let ended = try world.endChanges()
      #expect(ended.undone == 0 && ended.finished == 1)
    case "by the minute's look":
      for _ in 0..<10 { _ = try world.tidyChanges() }
      #expect(try world.client.send("GET /Licenses?count=0").total == left)
      #expect(try world.tidyChanges() == 0)
    default: expect(try world.client.send("DELETE /ResourceTypes/License?force=true"), 204)
    }
    expectError(try world.client.send("GET /Licenses"), 404)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("What a command has begun to remove is finished as well where it fails")
  func failedCommand() throws {
    let world = try ChangeWorld(3000)
    let reader = try world.tenant.makeReader()
    var isArmed = false
    let refused = #expect(throws: SCIMError.self) {
      try world.run(change(world)).applyAndWait(
        to: world.tenant,
        pause: {
          guard !isArmed, (try? reader.pendingChange())?.isCertain == true else { return }
          isArmed = true
          world.meter.failCommit(1)
        })
    }
    reader.release()
    #expect(refused?.kind == .unavailable)
    #expect(refused?.detail.contains("cannot be undone") == true, "\(refused?.detail ?? "")")
    #expect(try world.client.send("GET /Licenses/l2999")[urn] != nil)
    let ended = try world.endChanges()
    #expect(ended.undone == 0 && ended.finished == 1)
    #expect(try world.client.send("GET /Licenses/l2999")[urn] == nil)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("A removal that gets no further goes on while the server runs, without being asked for again")
  func abandoned() throws {
    let world = try ChangeWorld(3000)
    let run = world.run(change(world))
    _ = try #require(try world.step(run, world.begin(run)))
    for _ in 0..<10 { _ = try world.tidyChanges() }
    #expect(try world.client.send("GET /Licenses/l2999")[urn] != nil)
    #expect(try world.tidyChanges() == 0)
    #expect(try world.client.send("GET /Licenses/l2999")[urn] == nil)
    #expect(try world.client.send("GET /Licenses?count=0").total == 3000)
    #expect(try world.isTidy())
    try world.expectSound()
  }
}
