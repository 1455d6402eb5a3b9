import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite
import Synchronization
import Testing

@testable import roster

/// How a seed file comes into the store: in short transactions, with what takes long done before.
@Suite("Import of seeds")
struct SeedImporterTests {
  /// A store in a folder of its own, with the steps of each commit.
  private final class World {
    let folder: URL
    let store: SQLStore
    let steps = Steps()

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "roster-seed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var options = SQLStoreOptions()
      options.didWrite = { [steps] in steps.add($0) }
      store = try SQLiteStore.open(
        path: folder.appending(path: "test.db").path, options: SQLiteOptions(synchronous: .off), store: options,
        registry: BuiltInSchemas.registry)
    }

    deinit {
      store.close()
      try? FileManager.default.removeItem(at: folder)
    }
  }

  private final class Steps: Sendable {
    private let commits = Mutex<[Int]>([])
    var all: [Int] { commits.withLock { $0 } }
    func add(_ steps: Int) { commits.withLock { $0.append(steps) } }
  }

  private static func document(users: Int, members: Int = 0, last: String = "") throws -> SeedDocument {
    let list = (0..<users).map { #"{"userName": "u\#($0)", "password": "secret \#($0)"}"# }.joined(separator: ",")
    let elements = (0..<members).map { #"{"value": "u\#($0)"}"# }.joined(separator: ",")
    return try SeedReaderTests.read(
      SeedReaderTests.file(
        #"{"name": "acme.example", "resources": {"User": [\#(list)\#(last)], "Group": [{"displayName": "all", "members": [\#(elements)]}]}}"#
      ))
  }

  @Test("Passwords are hashed before anything is written; a second run hashes none and changes nothing")
  func passwords() throws {
    let world = try World()
    let hashed = Mutex<[Int]>([])
    let steps = world.steps
    let importer = SeedImporter(registry: BuiltInSchemas.registry) { plain in
      hashed.withLock { $0.append(steps.all.count) }
      return "hash"
    }
    let document = try Self.document(users: 1100)
    let made = try importer.importDocument(document, into: world.store, pause: {})
    #expect(made.first?.created == 1101)
    #expect(hashed.withLock { $0 } == Array(repeating: 0, count: 1100))
    #expect(steps.all.count > 1)
    #expect(steps.all.allSatisfy { $0 <= WorkBudget.writeLimit }, "\(steps.all)")
    let again = try importer.importDocument(document, into: world.store, pause: {})
    #expect(again.first?.created == 0)
    #expect(hashed.withLock { $0.count } == 1100)
  }

  @Test("A group of any size comes in pieces; a server can write between two transactions")
  func largeGroup() throws {
    let world = try World()
    let importer = SeedImporter(registry: BuiltInSchemas.registry) { _ in "hash" }
    var pauses = 0
    _ = try importer.importDocument(try Self.document(users: 5000, members: 5000), into: world.store) { pauses += 1 }
    #expect(pauses > 1)
    #expect(pauses < world.steps.all.count)
    #expect(world.steps.all.allSatisfy { $0 <= WorkBudget.writeLimit / 2 }, "\(world.steps.all)")
    let reader = try world.store.makeReader()
    let organization = try reader.requireOrganization("acme.example").id
    let group = try #require(BuiltInSchemas.registry.type(named: "Group"))
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: group, filter: nil)], window: .index(offset: 0, count: 1), links: .all)
    #expect(try reader.search(query, in: organization).resources.first?.links.count == 5000)
    reader.release()
    #expect(try world.store.makeCheck().run() == [])
  }

  @Test(
    "What is refused leaves a small file out whole; of a long one what came before stays, and the mended file goes on")
  func refusals() throws {
    let world = try World()
    let importer = SeedImporter(registry: BuiltInSchemas.registry) { _ in "hash" }
    let collision = #", {"userName": "new", "externalId": "x"}, {"userName": "NEW", "externalId": "y"}"#
    let small = try Self.document(users: 3, last: collision)
    // The second one exists already, by its userName.
    _ = try importer.importDocument(small, into: world.store, pause: {})
    let reader = try world.store.makeReader()
    let organization = try reader.requireOrganization("acme.example").id
    let type = try #require(BuiltInSchemas.registry.type(named: "User"))
    #expect(try reader.total(of: type, in: organization) == 4)
    reader.release()
    var bad = try Self.document(users: 2000)
    let member: JSON = ["displayName": "broken", "members": [["value": "nobody"]]]
    bad.organizations[0].resources.append(
      SeedResource(
        type: try #require(BuiltInSchemas.registry.type(named: "Group")), id: nil,
        body: SeedReader.withSchemas(
          try #require(member.objectValue), type: try #require(BuiltInSchemas.registry.type(named: "Group"))),
        path: SeedPath()))
    #expect(throws: SeedFault.self) { try importer.importDocument(bad, into: world.store, pause: {}) }
    let left = try reader.total(of: type, in: organization)
    #expect(left > 4 && left <= 2001, "\(left)")
    reader.release()
    bad.organizations[0].resources.removeLast()
    _ = try importer.importDocument(bad, into: world.store, pause: {})
    #expect(try reader.total(of: type, in: organization) == 2001)
    reader.release()
    #expect(try world.store.makeCheck().run() == [])
  }
}
