import Dispatch
import Foundation
import SCIMCore
import SCIMSQL
import Synchronization
import Testing

@testable import SCIMService

/// Writes before whose turn another process changes the definitions: they are read anew by a worker, and not for ever.
@Suite("Outdated writes")
struct OutdatedWriteTests {
  /// A store, and another process on its file that changes definitions where a test wants it.
  private final class World {
    let folder: URL
    let steps = WriteSteps()
    let harness: Harness
    let client: Client
    private let other: Other

    /// - Parameters:
    ///   - changes: how often the definitions are changed between a reading on a worker and the turn of the write.
    ///   - isBehindCommit: true where that begins with a change behind the next large commit.
    init(changes: Int, isBehindCommit: Bool = false) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "roster-test-\(UUID().uuidString)")
      let other = Other()
      self.other = other
      var options = steps.options
      options.didWrite = { steps in if steps > 100_000 { other.change(behindCommit: true) } }
      let harness = try Harness(options: options, in: folder)
      self.harness = harness
      let organization = try harness.organization("acme.example")
      let key = try harness.key(of: organization, notesUses: false)
      let store = harness.store
      let service = Service(
        configuration: harness.service.context.configuration, registry: BuiltInSchemas.registry, store: store
      ) { (organization, isAbandoned, refused, job) throws(SCIMError) in
        try store.workers.submit(for: organization, isAbandoned: isAbandoned, refused: refused) { reader in
          // Holds the writer, but not the file, from the reading on.
          let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          store.write(
            { (_) throws(SCIMError) in },
            completion: { _ in
              isHeld.signal()
              gate.wait()
            })
          isHeld.wait()
          job(reader)
          other.change(behindCommit: false)
          gate.signal()
        }
      }
      client = Client(wire: try MemoryWire(service: service), key: key, harness: harness)
      other.begin(try Harness(in: folder), organization.id, changes: changes, isBehindCommit: isBehindCommit)
    }

    deinit {
      other.end()
      harness.store.close()
      try? FileManager.default.removeItem(at: folder)
    }

    var changes: Int { other.count }
  }

  private final class Other: Sendable {
    private struct State {
      var harness: Harness?
      var organization = OrganizationID(rawValue: 0)
      var count = 0
      var left = 0
      /// True until that commit.
      var waits = false
    }
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func begin(_ harness: Harness, _ organization: OrganizationID, changes: Int, isBehindCommit: Bool) {
      state.withLock { $0 = State(harness: harness, organization: organization, left: changes, waits: isBehindCommit) }
    }

    func end() { state.withLock { $0 = State() } }

    func change(behindCommit: Bool) {
      state.withLock { state in
        guard let harness = state.harness, state.left > 0, state.waits == behindCommit else { return }
        state.waits = false
        state.left -= 1
        state.count += 1
        let name = "urn:acme:n\(state.count):1.0:Thing"
        let document = DefinitionSamples.schema(name, [("size", [])]).objectValue ?? JSONObject()
        try? DefinitionWriter(base: BuiltInSchemas.registry).applyAndWait(
          to: harness.store.tenant(state.organization), pause: {}
        ) { _ in DefinitionChange(put: [Definition(kind: .schema, name: name, document: document)]) }
      }
    }
  }

  @Test("A write is read anew as often as a change is planned, then 503", arguments: [false, true])
  func single(_ isTooOften: Bool) throws {
    let world = try World(changes: isTooOften ? 2 * DefinitionRun.plans : DefinitionRun.plans - 1)
    // Too long for a loop, so that a worker reads it the first time as well.
    let reply = try world.client.send(
      "POST /Users",
      [
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ann",
        "title": .string(String(repeating: "x", count: 20_000)),
      ])
    if isTooOften { expectError(reply, 503) } else { expect(reply, 201) }
    #expect(world.changes == DefinitionRun.plans - (isTooOften ? 0 : 1))
    #expect(world.steps.loads == 0)
  }

  @Test(
    "What is left of a Bulk request is read anew on a worker, as often, then 503 for each", arguments: [false, true])
  func bulk(_ isTooOften: Bool) throws {
    let world = try World(changes: isTooOften ? 2 * DefinitionRun.plans : 2, isBehindCommit: true)
    let emails = JSON.array((0..<2000).map { ["value": .string("e\($0)@a.b")] })
    let operations = (0..<6).map { number -> JSON in
      [
        "method": "POST", "path": "/Users", "bulkId": .string("u\(number)"),
        "data": [
          "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": .string("u\(number)"),
          "emails": emails,
        ],
      ]
    }
    let body: JSON = ["schemas": [.string(BulkRunTests.message)], "Operations": .array(operations)]
    let reply = try world.client.send("POST /Bulk", body)
    expect(reply, 200)
    let answers = reply["Operations"]?.arrayValue ?? []
    let made = answers.prefix { $0["status"] == "201" }
    #expect(answers.count == 6 && made.count >= 1)
    if isTooOften {
      #expect(made.count < 6)
      for answer in answers.dropFirst(made.count) { #expect(answer["status"] == "503", "\(answer)") }
    } else {
      #expect(made.count == 6)
    }
    #expect(world.changes == (isTooOften ? DefinitionRun.plans : 2))
    #expect(try world.client.send("GET /Users?count=0").total == Int64(made.count))
    #expect(world.steps.loads == 0)
  }
}
