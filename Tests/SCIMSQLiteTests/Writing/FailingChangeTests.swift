import SCIMCore
import SCIMSQL
import Testing

/// Whatever call of the engine fails in whichever transaction of a change of definitions: what holds is one of the two
/// definitions with its index, and the change can be made again.
struct FailingChangeTests {
  private static let urn = "urn:example:kept"

  /// As `FaultWorld.definitions`, with names that are exact and unique.
  private static var changed: DefinitionChange {
    var schema = FaultWorld.definitions("kept").schema
    schema["attributes"] = [
      ["name": "displayName", "type": "string", "caseExact": true, "uniqueness": "server"]
    ]
    return DefinitionChange(put: [Definition(kind: .schema, name: urn, document: schema)])
  }

  private static let slices = 6

  /// One of the transactions of the change, with a write by others in the middle.
  private static func run(
    slice: Int, _ world: FaultWorld, _ transaction: any StoreTransaction
  ) throws(SCIMError) {
    let organization = world.organization
    switch slice {
    case 0:
      _ = try transaction.tenantTransaction(organization).removeStale()
      _ = try transaction.tenantTransaction(organization).beginChange(world.plan(changed, transaction))
    case 1: try index("One", world, transaction)
    case 2:
      let type = try type(world, transaction)
      let one = try world.stored("one", type, transaction)
      _ = try transaction.tenantTransaction(organization).update(
        one, type: type, document: world.named("oNE", type), password: .keep)
    case 3: try index("Two", world, transaction)
    case 4:
      try transaction.tenantTransaction(organization).switchIndex()
      for one in changed.put {
        try transaction.tenantTransaction(organization).putDefinition(
          kind: one.kind, name: one.name, document: one.document)
      }
    default: _ = try transaction.tenantTransaction(organization).removeStale()
    }
  }

  private static func type(_ world: FaultWorld, _ reader: any StoreReader) throws(SCIMError) -> ResourceType {
    guard let type = try reader.tenant(world.organization).registry().type(named: "Tkept") else {
      throw SCIMError(.internalError, "the type is gone")
    }
    return type
  }

  private static func index(
    _ name: String, _ world: FaultWorld, _ transaction: any StoreTransaction
  ) throws(SCIMError) {
    let stored = try world.stored(name, type(world, transaction), transaction)
    var document = try world.object(stored)
    document["id"] = nil
    let misfit = try transaction.tenantTransaction(world.organization).index(stored, document: document)
    if let misfit { throw misfit }
  }

  /// Makes the change; false where one of its transactions fails.
  private func run(_ world: FaultWorld) -> Bool {
    for slice in 0..<Self.slices {
      let isDone = world.write("slice") { (transaction) throws(SCIMError) in
        try Self.run(slice: slice, world, transaction)
      }
      if !isDone { return false }
    }
    return true
  }

  @Test(arguments: [false, true]) func anyCall(_ endsTransaction: Bool) throws {
    let template = try FaultTemplate(hasData: true)
    var call = endsTransaction ? 2 : 1
    while true {
      let world = try template.world()
      try fill(world)
      let failure = FailingEngine.Failure.allCases[call % FailingEngine.Failure.allCases.count]
      let place = "\(failure) at call \(call)"
      world.engine.fail(atCall: call, with: failure, endsTransaction: endsTransaction)
      let isMade = run(world)
      let hasFailed = world.engine.stop()
      #expect(try world.store.makeCheck().run() == [], "\(place)")
      try expectNames(world, isExact: isMade ? true : nil, place)
      if !isMade {
        let isGivenUp = world.write("undo") { (transaction) throws(SCIMError) in
          try transaction.tenantTransaction(world.organization).giveUpChange()
          _ = try transaction.tenantTransaction(world.organization).removeStale()
        }
        #expect(isGivenUp, "\(place)")
        #expect(try world.store.makeCheck().run() == [], "given up, \(place)")
        if try !isExact(world) { #expect(run(world), "again, \(place)") }
        #expect(try world.store.makeCheck().run() == [], "again, \(place)")
        try expectNames(world, isExact: true, "again, \(place)")
      }
      guard hasFailed else { break }
      call += 3
      try #require(call < 5000)
    }
    #expect(call > 100)
  }

  private func fill(_ world: FaultWorld) throws {
    try world.store.writeAndWait { (transaction) throws(SCIMError) in
      let type = try Self.type(world, transaction)
      for name in ["One", "Two"] {
        _ = try transaction.tenantTransaction(world.organization).create(
          type: type, id: nil, document: world.named(name, type), passwordHash: nil)
      }
    }
  }

  private func isExact(_ world: FaultWorld) throws -> Bool {
    let reader = try world.store.makeReader()
    defer { reader.release() }
    return try Self.type(world, reader).schema.attribute(named: "displayName")?.isCaseExact == true
  }

  /// The names are found as the definition in force has it.
  private func expectNames(_ world: FaultWorld, isExact expected: Bool?, _ place: String) throws {
    let isExact = try isExact(world)
    if let expected { #expect(isExact == expected, "\(place)") }
    let reader = try world.store.makeReader()
    defer { reader.release() }
    let type = try Self.type(world, reader)
    #expect(try world.finds("displayName eq \"Two\"", type: type, by: reader), "\(place)")
    #expect(try world.finds("displayName eq \"TWO\"", type: type, by: reader) == !isExact, "\(place)")
  }
}
