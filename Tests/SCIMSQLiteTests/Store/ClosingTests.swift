import Foundation
import SCIMCore
@testable import SCIMSQL
import SCIMSQLite
import SQLTestSupport
import Synchronization
import Testing

/// A command that ends while a server runs on the same file must not hold up the server's writes.
@Suite("Closing a store")
struct ClosingTests {
  /// Records how the log is copied.
  private final class Copies: EngineObserver {
    let modes = Mutex<[CheckpointMode]>([])

    func willCheckpoint(_ mode: CheckpointMode, _ role: SQLConnectionRole) {
      if role == .checkpointer { modes.withLock { $0.append(mode) } }
    }
  }

  @Test("The log is copied beside writers first, and nobody is waited for")
  func modes() throws {
    let temporary = try TemporaryStore()
    let organization = try temporary.organization()
    let copies = Copies()
    let command = try SQLStore(
      driver: ObservedDriver(SQLiteDriver(path: temporary.path), observer: copies), options: SQLStoreOptions(),
      registry: temporary.registry)
    // A report of the server reads meanwhile.
    let reader = try temporary.store.reader()
    try reader.hold()
    try command.writeAndWait { (transaction) throws(SCIMError) in
      _ = try transaction.createOrganization(name: "other.example", catalog: .open, grants: false)
    }
    command.close()
    #expect(copies.modes.withLock { $0 } == [.passive, .truncateAtOnce])
    reader.release()
    try temporary.create("User", ["userName": "ada"], in: organization)
    #expect(try temporary.store.makeReader().organization(named: "other.example") != nil)
    #expect(try temporary.store.makeCheck().run() == [])
  }

  @Test("Once nobody else has the database open, its log is empty")
  func last() throws {
    let temporary = try TemporaryStore()
    try temporary.create("User", ["userName": "ada"], in: temporary.organization())
    temporary.close()
    let log = try? FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")[.size] as? Int
    #expect((log ?? 0) == 0)
  }
}
