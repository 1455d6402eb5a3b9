import Dispatch
import Foundation
import HTTPMessage
import SCIMCore
import Synchronization
import Testing

@testable import SCIMService

/// Several changes of one organisation's definitions at a time.
@Suite("Changes of definitions at a time")
struct DefinitionTurnTests {
  private typealias Samples = DefinitionSamples

  @Test("Each is made, one after the other") func requests() throws {
    let world = try ChangeWorld(1200)
    let responder = try world.harness.service.makeResponder()
    let (isHeld, gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
    world.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    let answers = Mutex<[Int: Int]>([:])
    let changes: [[(String, [(String, JSON)])]] = [
      [("seats", [("type", "integer")]), ("color", [("caseExact", true)])],
      [("seats", [("type", "integer")]), ("color", [("uniqueness", "server")])],
      [("seats", [("type", "integer")]), ("color", [("caseExact", true), ("uniqueness", "server")])],
      [("seats", [("type", "integer")]), ("color", []), ("size", [])],
    ]
    for (index, attributes) in changes.enumerated() {
      var headers = HeaderFields()
      headers.append("Authorization", "Bearer \(world.client.key ?? "")")
      let request = Request(
        method: "PUT", path: "/scim/v2/Schemas/\(ChangeWorld.urn)", query: nil, authority: "scim.test",
        headers: headers,
        body: Samples.schema(ChangeWorld.urn, attributes).encoded())
      done.enter()
      let ticket = Ticket { response in
        answers.withLock { $0[index] = response.status }
        done.leave()
      }
      if let immediate = responder.respond(to: request, later: { ticket }) {
        answers.withLock { $0[index] = immediate.status }
        done.leave()
      }
    }
    responder.idle()
    gate.signal()
    done.wait()
    #expect(answers.withLock { $0 } == [0: 200, 1: 200, 2: 200, 3: 200])
    #expect(try world.isTidy())
    try world.expectSound()
    // Later ones go on.
    let run = world.run(world.exact)
    try world.finish(run, world.begin(run))
    #expect(try world.count("RED 7") == 0)
    try world.expectSound()
  }

  @Test("Turns are taken in order, one at a time, and too many do not wait") func turns() throws {
    let turns = DefinitionTurns()
    let (one, other) = (OrganizationID(rawValue: 1), OrganizationID(rawValue: 2))
    let order = Mutex<[Int]>([])
    for number in 0...64 { try turns.enter(one) { order.withLock { $0.append(number) } } }
    #expect(order.withLock { $0 } == [0])
    #expect(throws: SCIMError.self) { try turns.enter(one) {} }
    try turns.enter(other) { order.withLock { $0.append(100) } }
    for _ in 0...64 { turns.leave(one) }
    #expect(order.withLock { $0 } == [0, 100] + Array(1...64))
    try turns.enter(one) { order.withLock { $0.append(200) } }
    #expect(order.withLock { $0.last } == 200)
  }

  @Test("A repair in the middle of a change, and behind one, makes the index of what is in force") func repair() throws
  {
    let world = try ChangeWorld(1200)
    var run = world.run(world.exact)
    let work = try #require(try world.step(run, world.begin(run)))
    #expect(try world.store.repair() == 1200)
    try world.expectSound("in the middle")
    #expect(try world.isTidy())
    #expect(try world.count("RED 7") == 1)
    #expect(throws: SCIMError.self) { try world.step(run, work) }
    run = world.run(world.exact)
    try world.finish(run, world.begin(run))
    #expect(try world.store.repair() == 1200)
    try world.expectSound("behind")
    #expect(try world.count("RED 7") == 0)
    #expect(try world.count("Red 7") == 1)
  }
}
