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
    #expect(try reader.tenant(organization).search(query).resources.first?.links.count == 5000)
    reader.release()
    #expect(try world.store.makeCheck().run() == [])
  }

  @Test("A run that is stopped in the middle of a group is finished by the next one")
  func interrupted() throws {
    let world = try World()
    let importer = SeedImporter(registry: BuiltInSchemas.registry) { _ in "hash" }
    let document = try Self.document(users: 5000, members: 5000)
    let group = try #require(BuiltInSchemas.registry.type(named: "Group"))
    let query = SearchQuery(
      parts: [SearchQuery.Part(type: group, filter: nil)], window: .index(offset: 0, count: 1), links: .all)
    func members() throws -> Int {
      let reader = try world.store.makeReader()
      defer { reader.release() }
      guard let organization = try reader.organization(named: "acme.example") else { return 0 }
      return try reader.tenant(organization.id).search(query).resources.first?.links.count ?? 0
    }
    // The first piece of the group is as far as another process has come.
    var partial = document
    let last = partial.organizations[0].resources.count - 1
    let elements = partial.organizations[0].resources[last].body["members"]?.arrayValue ?? []
    partial.organizations[0].resources[last].body["members"] = .array(Array(elements.prefix(2000)))
    _ = try importer.importDocument(partial, into: world.store, pause: {})
    #expect(try members() == 2000)
    let summary = try importer.importDocument(document, into: world.store, pause: {})
    #expect(try members() == 5000)
    #expect(summary.first?.created == 1)
    _ = try importer.importDocument(document, into: world.store, pause: {})
    #expect(try members() == 5000)
  }

  @Test("Only what the file is to blame for gets a place in it")
  func blame() throws {
    let resource = try Self.document(users: 1).organizations[0].resources[0]
    for kind in [SCIMError.Kind.unavailable, .internalError, .tooManyRequests] {
      #expect(SeedImporter.failure(SCIMError(kind, "busy"), at: resource) is SCIMError)
    }
    for kind in [SCIMError.Kind.invalidValue, .uniqueness, .tooMany] {
      let fault = SeedImporter.failure(SCIMError(kind, "'userName' is taken"), at: resource) as? SeedFault
      #expect(fault?.path == resource.path + "userName")
      #expect(SeedImporter.failure(SCIMError(kind, "no"), at: nil) is SCIMError)
    }
  }

  @Test(
    "What is refused leaves nothing of a small file; of a long one what came before stays, and the next run goes on")
  func refusals() throws {
    let world = try World()
    let importer = SeedImporter(registry: BuiltInSchemas.registry) { _ in "hash" }
    let type = try #require(BuiltInSchemas.registry.type(named: "User"))
    let group = try #require(BuiltInSchemas.registry.type(named: "Group"))
    let reader = try world.store.makeReader()
    func users() throws -> Int {
      defer { reader.release() }
      guard let organization = try reader.organization(named: "acme.example") else { return 0 }
      return try reader.tenant(organization.id).total(of: type)
    }
    // With a member that does not exist.
    var broken = try #require(try Self.document(users: 1).organizations[0].resources.last)
    broken.body = SeedReader.withSchemas(
      JSONObject([
        .init(key: "displayName", value: "broken"), .init(key: "members", value: [["value": "nobody"]]),
      ]), type: group)
    for (count, left) in [(3, 0...0), (2000, 1...2000)] {
      var bad = try Self.document(users: count)
      bad.organizations[0].resources.append(broken)
      #expect(throws: SeedFault.self) { try importer.importDocument(bad, into: world.store, pause: {}) }
      #expect(left.contains(try users()))
      bad.organizations[0].resources.removeLast()
      if count > 3 { _ = try importer.importDocument(bad, into: world.store, pause: {}) }
    }
    #expect(try users() == 2000)
    #expect(try world.store.makeCheck().run() == [])
  }
}
