import SCIMCore
import Testing

@testable import SCIMService

/// Changes of definitions that take several transactions: until the last one the definitions of before are in force, and
/// others write between.
@Suite("Changes of definitions in slices")
struct SlicedChangeTests {
  private typealias Samples = DefinitionSamples
  private let urn = ChangeWorld.urn

  private func license(_ name: String, _ color: String) -> JSON { Samples.license(name, ["color": .string(color)]) }

  private func paint(_ id: String, _ color: String, _ world: ChangeWorld) throws {
    expect(
      try world.client.send("PATCH /Licenses/\(id)", PatchBody.make([("replace", "\(urn):color", .string(color))])), 200
    )
  }

  @Test("No slice takes long, whatever the number of resources")
  func slices() throws {
    let world = try ChangeWorld(20_000)
    let run = world.run(world.exact)
    let count = try world.finish(run, world.begin(run))
    #expect(count > 10)
    let taken = world.steps.take()
    #expect(taken.allSatisfy { $0 < WorkBudget.writeLimit * 2 / 5 }, "\(taken.max() ?? 0)")
    #expect(try world.isTidy())
    for (color, total) in [("Red 19999", 1), ("RED 19999", 0), ("Red 0", 1)] {
      #expect(try world.count(color) == Int64(total), "\(color)")
    }
  }

  @Test("Between two slices the definitions of before are in force, and writes are indexed for both")
  func between() throws {
    let world = try ChangeWorld(1500)
    let run = world.run(world.exact)
    var work = try world.begin(run)
    work = try #require(try world.step(run, work))
    // The first ones are indexed, the last ones are not.
    for id in ["l0", "l1499"] { try paint(id, "Blue \(id)", world) }
    for (id, name) in [("l1", "one"), ("l1498", "two")] {
      expect(try world.client.send("PUT /Licenses/\(id)", license(name, "Green \(id)")), 200)
    }
    for id in ["l2", "l1497"] { expect(try world.client.send("DELETE /Licenses/\(id)"), 204) }
    for id in ["l3", "l1496"] {
      expect(
        try world.client.send("PATCH /Licenses/\(id)", PatchBody.make([("remove", "\(urn):color", nil)])), 200)
    }
    let new = try world.client.create("/Licenses", license("new", "Pink"))
    let gone = try world.client.create("/Licenses", license("gone", "Pink"))
    expect(try world.client.send("DELETE /Licenses/\(gone.id)"), 204)
    for color in ["blue l0", "BLUE L1499", "GREEN l1", "green L1498", "PINK", "red 700"] {
      #expect(try world.count(color) == 1, "\(color)")
    }
    for color in ["Red 0", "Red 1", "Red 2", "Red 3", "Red 1496", "Red 1497", "Red 1499"] {
      #expect(try world.count(color) == 0, "\(color)")
    }
    try world.expectSound("in the middle")
    try world.finish(run, work)
    for color in ["Blue l0", "Blue l1499", "Green l1", "Green l1498", "Pink", "Red 700"] {
      #expect(try world.count(color) == 1, "\(color)")
      #expect(try world.count(color.uppercased()) == 0, "\(color)")
    }
    for color in ["Red 0", "Red 1", "Red 2", "Red 3", "Red 1496", "Red 1497", "Red 1499"] {
      #expect(try world.count(color) == 0, "\(color)")
    }
    // And by the index of the new definition alone.
    try paint(new.id, "Purple", world)
    #expect(try world.count("Pink") == 0)
    try world.expectSound()
    #expect(try world.isTidy())
  }

  @Test("A stop between two slices leaves the definitions of before, and the next start undoes the rest")
  func stop() throws {
    let world = try ChangeWorld(1500)
    for slices in 0...2 {
      let run = world.run(world.exact)
      var work = try world.begin(run)
      for _ in 0..<slices { work = try #require(try world.step(run, work)) }
      try world.reopen()
      #expect(try world.count("RED 7") == 1)
      try world.expectSound("\(slices), stopped")
      try paint("l\(slices)", "Blue \(slices)", world)
      try world.expectSound("\(slices), written to")
      #expect(try world.undoChanges() == 1)
      #expect(try world.isTidy())
      #expect(try world.count("BLUE \(slices)") == 1)
      try world.expectSound("\(slices), undone")
      // Its own process may still go on with it elsewhere.
      #expect(throws: SCIMError.self) { try world.step(run, work) }
    }
    let run = world.run(world.exact)
    try world.finish(run, world.begin(run))
    #expect(try world.count("BLUE 0") == 0)
    #expect(try world.count("Blue 0") == 1)
    try world.expectSound()
  }

  @Test("A stop behind the last slice leaves the new definitions, and the next start removes what is left")
  func stopBehind() throws {
    let world = try ChangeWorld(1500)
    let run = world.run(world.exact)
    var work: DefinitionRun.Work? = try world.begin(run)
    while let next = work { work = try world.step(run, next) }
    try world.reopen()
    #expect(try world.count("RED 7") == 0)
    expect(try world.client.send("DELETE /Licenses/l8"), 204)
    try world.expectSound("stopped")
    #expect(try world.undoChanges() == 0)
    #expect(try world.isTidy())
    #expect(try world.count("Red 7") == 1)
    try world.expectSound()
  }

  @Test("A change that gets no further is undone while the server runs; one that does is left alone")
  func abandoned() throws {
    let world = try ChangeWorld(1500)
    let run = world.run(world.exact)
    var work = try #require(try world.step(run, world.begin(run)))
    _ = world.steps.take()
    for _ in 0..<10 { #expect(try world.tidyChanges() == 0) }
    #expect(world.steps.take() == [])
    work = try #require(try world.step(run, work))
    for _ in 0..<10 { #expect(try world.tidyChanges() == 0) }
    try world.expectSound("idle")
    #expect(try world.tidyChanges() == 1)
    #expect(throws: SCIMError.self) { try world.step(run, work) }
    #expect(try world.count("RED 7") == 1)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("A full disk at any slice leaves the definitions of before, and the change can be made again")
  func fullDisk() throws {
    let world = try ChangeWorld(1200)
    for slices in 0... {
      let run = world.run(world.exact)
      var work = try world.begin(run)
      var isLast = false
      for _ in 0..<slices {
        guard let next = try world.step(run, work) else {
          isLast = true
          break
        }
        work = next
      }
      if isLast { break }
      world.meter.isDiskFull = true
      #expect(throws: SCIMError.self) { try world.step(run, work) }
      #expect(throws: SCIMError.self) { try world.tidy(run, givingUp: work.number) }
      world.meter.isDiskFull = false
      #expect(try world.count("RED 7") == 1)
      try world.expectSound("\(slices)")
      try paint("l7", "Red 7", world)
      // The next one begins with what is left of this one.
    }
    try world.tidy(world.run(world.exact), givingUp: nil)
    #expect(try world.count("RED 7") == 0)
    try world.expectSound()
  }

  @Test("One change after the other goes back and forth, and a second one takes the place of the first")
  func several() throws {
    let world = try ChangeWorld(1200)
    let back = world.change([("seats", [("type", "integer")]), ("color", [])])
    for (change, isExact) in [(world.exact, true), (back, false), (world.exact, true), (back, false)] {
      let run = world.run(change)
      try world.finish(run, world.begin(run))
      #expect(try world.count("RED 7") == (isExact ? 0 : 1))
      #expect(try world.count("Red 7") == 1)
      try world.expectSound()
    }
    let first = world.run(world.exact)
    let work = try #require(try world.step(first, world.begin(first)))
    let second = world.run(world.unique)
    try world.finish(second, world.begin(second))
    let error = #expect(throws: SCIMError.self) { try world.finish(first, work) }
    #expect(error?.kind == .unavailable)
    #expect(try world.count("RED 7") == 1)
    expectError(try world.client.send("POST /Licenses", license("a", "RED 7")), 409, "uniqueness")
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("What was prepared by the definitions of before is not written under names that are searched no more")
  func outdated() throws {
    let world = try ChangeWorld(20)
    let organization = world.organization
    let reader = try world.store.makeReader()
    let before = try #require(try reader.tenant(organization).registry().type(named: "License"))
    reader.release()
    let run = world.run(world.exact)
    try world.finish(run, world.begin(run))
    for id in ["l1", nil] {
      let refused = #expect(throws: SCIMError.self) {
        try world.store.writeAndWait { (transaction) throws(SCIMError) in
          var document = JSONObject()
          document["displayName"] = "other"
          let ordered = ResourceDocument.ordered(document, type: before)
          if let id, let stored = try transaction.tenant(organization).resource(id: id, type: before, links: .none) {
            _ = try transaction.tenantTransaction(organization).update(
              stored, type: before, document: ordered, password: .keep)
          } else {
            _ = try transaction.tenantTransaction(organization).create(
              type: before, id: nil, document: ordered, passwordHash: nil)
          }
        }
      }
      #expect(refused?.kind == .unavailable)
    }
    // A deletion knows what is there.
    try world.store.writeAndWait { (transaction) throws(SCIMError) in
      guard let stored = try transaction.tenant(organization).resource(id: "l2", type: before, links: .none) else {
        return
      }
      _ = try transaction.tenantTransaction(organization).delete(stored, type: before)
    }
    try world.expectSound()
  }

  @Test("A change of something else takes the place of one that is under way")
  func otherDefinition() throws {
    let world = try ChangeWorld(1200)
    let run = world.run(world.exact)
    let work = try #require(try world.step(run, world.begin(run)))
    expect(
      try world.client.send("POST /Schemas", Samples.schema("urn:acme:other:1.0:Thing", [("size", [])])), 201)
    #expect(throws: SCIMError.self) { try world.finish(run, work) }
    #expect(try world.count("RED 7") == 1)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("What others make two of between the slices stops what is to be unique, and is listed; nothing is changed")
  func violations() throws {
    let world = try ChangeWorld(1500)
    let run = world.run(world.unique)
    let work = try #require(try world.step(run, world.begin(run)))
    // One of each pair is indexed already, in either order.
    try paint("l1", "red 1499", world)
    try paint("l1498", "red 2", world)
    let new = try world.client.create("/Licenses", license("new", "RED 3"))
    let error = #expect(throws: SCIMError.self) { try world.finish(run, work) }
    #expect(error?.kind == .invalidValue)
    let detail = error?.detail ?? ""
    #expect(detail.contains("3 stored resources") && detail.contains("'\(new.id)'"), "\(detail)")
    #expect(detail.hasSuffix(": '\(ChangeWorld.urn):color' must be unique."), "\(detail)")
    #expect(try world.isTidy())
    _ = try world.client.create("/Licenses", license("another", "Red 3"))
    try world.expectSound()
  }

  @Test("What was two of something and is not any more stops nothing")
  func healed() throws {
    let world = try ChangeWorld(1500)
    let run = world.run(world.unique)
    let work = try #require(try world.step(run, world.begin(run)))
    try paint("l1", "Red 2", world)
    try paint("l2", "Red 1", world)
    try paint("l1499", "Red 3", world)
    expect(try world.client.send("DELETE /Licenses/l3"), 204)
    let twice = try world.client.create("/Licenses", license("new", "Red 4"))
    expect(try world.client.send("DELETE /Licenses/\(twice.id)"), 204)
    try world.finish(run, work)
    for color in ["RED 1", "RED 2", "RED 3", "RED 4"] {
      #expect(try world.count(color) == 1)
      expectError(try world.client.send("POST /Licenses", license("a", color)), 409, "uniqueness")
    }
    try world.expectSound()
  }

  @Test("What is stored twice is found while it is indexed, and all of it is undone")
  func storedTwice() throws {
    let world = try ChangeWorld(1500)
    try paint("l1400", "red 3", world)
    let reply = try world.client.send(
      "PUT /Schemas/\(urn)",
      Samples.schema(urn, [("seats", [("type", "integer")]), ("color", [("uniqueness", "server")])]))
    expectError(reply, 400, "invalidValue")
    #expect(reply["detail"]?.stringValue?.contains("'l1400'") == true, "\(reply)")
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("What does not fit and is written between the slices stops the change")
  func misfits() throws {
    let world = try ChangeWorld(1500)
    // Required from now on.
    let run = world.run(
      world.change([("seats", [("type", "integer")]), ("color", [("required", true), ("caseExact", true)])]))
    let work = try #require(try world.step(run, world.begin(run)))
    expect(try world.client.send("PATCH /Licenses/l5", PatchBody.make([("remove", "\(urn):color", nil)])), 200)
    expect(
      try world.client.send("PATCH /Licenses/l5", PatchBody.make([("add", "\(urn):seats", 5)])), 200)
    let error = #expect(throws: SCIMError.self) { try world.finish(run, work) }
    #expect(error?.detail.contains("'l5'") == true, "\(error?.detail ?? "")")
    #expect(try world.count("RED 7") == 1)
    #expect(try world.isTidy())
    try world.expectSound()
  }

  @Test("externalIds become unique in slices; one that is shared meanwhile stops it")
  func settings() throws {
    let world = try ChangeWorld(1500)
    let store = world.store
    let organization = world.organization
    try store.writeAndWait { (transaction) throws(SCIMError) in
      transaction.budget = .unlimited
      guard let type = try transaction.tenant(organization).registry().type(named: "User") else { return }
      for number in 0..<3000 {
        var document = JSONObject()
        document["externalId"] = .string("x\(number)")
        document["userName"] = .string("u\(number)")
        _ = try transaction.tenantTransaction(organization).create(
          type: type, id: "u\(number)", document: ResourceDocument.ordered(document, type: type), passwordHash: nil)
      }
    }
    _ = world.steps.take()
    let settings = SettingsWriter(base: BuiltInSchemas.registry)
    let run = settings.run(OrganizationChange(externalIDs: .unique))
    func user(_ name: String, _ externalID: String) -> JSON {
      ["schemas": [.string(Samples.user)], "userName": .string(name), "externalId": .string(externalID)]
    }
    var work = try #require(try world.step(run, world.begin(run)))
    let twice = try world.client.create("/Users", user("a", "x2999"))
    let refused = #expect(throws: SCIMError.self) { try world.finish(run, work) }
    #expect(refused?.detail.contains("'u2999'") == true, "\(refused?.detail ?? "")")
    #expect(try world.isTidy())
    try world.expectSound("refused")
    expect(try world.client.send("DELETE /Users/\(twice.id)"), 204)

    work = try #require(try world.step(run, world.begin(run)))
    _ = try world.client.create("/Users", user("b", "y"))
    expect(try world.client.send("DELETE /Users/u7"), 204)
    try world.finish(run, work)
    #expect(world.steps.take().allSatisfy { $0 < WorkBudget.writeLimit * 2 / 5 })
    expectError(try world.client.send("POST /Users", user("c", "x2999")), 409, "uniqueness")
    expectError(try world.client.send("POST /Users", user("c", "y")), 409, "uniqueness")
    _ = try world.client.create("/Users", user("c", "x7"))
    try world.expectSound("unique")

    _ = try settings.applyAndWait(OrganizationChange(externalIDs: .free), to: world.tenant, pause: {})
    #expect(world.steps.take().allSatisfy { $0 < WorkBudget.writeLimit * 2 / 5 })
    _ = try world.client.create("/Users", user("d", "x7"))
    #expect(try world.isTidy())
    try world.expectSound("free")
  }
}
