import Dispatch
import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite
import Synchronization
import Testing

/// Whatever call of the engine fails, in whatever way: what was acknowledged is there and found, what was refused is
/// not, and the next write works.
struct FailingEngineTests {
  /// A write, and what tells whether it was made. The tag keeps what one write makes apart from others.
  struct Write: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// True where it needs what `FaultWorld.fill` stores.
    var needsData = false
    var run: @Sendable (FaultWorld, String, any StoreTransaction) throws(SCIMError) -> Void
    var isMade: @Sendable (FaultWorld, String, any StoreReader) throws -> Bool
  }

  static let writes: [Write] = [
    Write(
      testDescription: "create",
      run: { (world, tag, transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(world.organization).create(
          type: world.user, id: nil, document: world.document(tag), passwordHash: "hash")
      },
      isMade: { try $0.finds("userName eq \"\($1)\"", "title eq \"title \($1)\"", "nickName sw \"\($1)\"", by: $2) }),
    Write(
      testDescription: "update", needsData: true,
      run: { (world, tag, transaction) throws(SCIMError) in
        let ada = try world.stored("ada", transaction)
        _ = try transaction.tenantTransaction(world.organization).update(
          ada, type: world.user, document: world.document(tag), password: .keep)
      },
      isMade: { try $0.finds("userName eq \"\($1)\"", "title co \"le \($1)\"", "nickName sw \"\($1)\"", by: $2) }),
    Write(
      testDescription: "password", needsData: true,
      run: { (world, tag, transaction) throws(SCIMError) in
        let bob = try world.stored("bob", transaction)
        let document = try world.object(bob)
        _ = try transaction.tenantTransaction(world.organization).update(
          bob, type: world.user, document: document, password: .set(hash: tag))
      },
      // The version says that it was written; the hash itself nobody reads.
      isMade: { world, _, reader in try world.stored("bob", reader).version > 1 }),
    Write(
      testDescription: "delete", needsData: true,
      run: { (world, _, transaction) throws(SCIMError) in
        let held = try world.stored("eve", transaction)
        _ = try transaction.tenantTransaction(world.organization).delete(held, type: world.user)
      },
      isMade: { world, _, reader in
        let isFound = try world.finds("userName eq \"eve\"", by: reader)
        #expect(try world.members(reader).contains("eve") == isFound)
        return !isFound
      }),
    Write(
      testDescription: "link", needsData: true,
      run: { (world, tag, transaction) throws(SCIMError) in
        let group = try world.stored("team", world.group, transaction)
        let ada = try world.stored("bob", transaction)
        let extra = JSONObject([.init(key: "note", value: .string(tag))])
        _ = try transaction.tenantTransaction(world.organization).link(
          owner: group.handle, attribute: "members", target: ada.handle, extra: extra)
      },
      isMade: { world, _, reader in try world.members(reader).contains("bob") }),
    Write(
      testDescription: "first link of its kind", needsData: true,
      run: { (world, _, transaction) throws(SCIMError) in
        let role = try transaction.tenantTransaction(world.organization).create(
          type: world.role, id: "role", document: world.named("role", world.role), passwordHash: nil)
        let bob = try world.stored("bob", transaction)
        _ = try transaction.tenantTransaction(world.organization).link(
          owner: bob.handle, attribute: "roles", target: role.handle, extra: JSONObject())
      },
      isMade: { world, _, reader in try world.finds("roles.display eq \"role\"", by: reader) }),
    Write(
      testDescription: "unlink", needsData: true,
      run: { (world, _, transaction) throws(SCIMError) in
        let group = try world.stored("team", world.group, transaction)
        let count = try transaction.tenantTransaction(world.organization).unlinkAll(
          owner: group.handle, attribute: "members")
        guard count > 0 else { throw SCIMError(.notFound, "no members") }
      },
      isMade: { world, _, reader in try world.members(reader).isEmpty }),
    Write(
      testDescription: "definitions",
      run: { (world, tag, transaction) throws(SCIMError) in
        let (schema, type) = FaultWorld.definitions(tag)
        try transaction.tenantTransaction(world.organization).putDefinition(
          kind: .schema, name: schema["id"]?.stringValue ?? "", document: schema)
        try transaction.tenantTransaction(world.organization).putDefinition(
          kind: .type, name: "T" + tag, document: type)
        // The first resource of the type, by a registry that is not committed yet.
        guard let made = try transaction.tenant(world.organization).registry().type(named: "T" + tag) else {
          throw SCIMError(.internalError, "the type is not defined")
        }
        _ = try transaction.tenantTransaction(world.organization).create(
          type: made, id: nil, document: world.named(tag, made), passwordHash: nil)
      },
      isMade: { world, tag, reader in
        guard let type = try reader.tenant(world.organization).registry().type(named: "T" + tag) else { return false }
        return try world.finds("displayName eq \"\(tag)\"", type: type, by: reader)
      }),
    Write(
      testDescription: "definition removed", needsData: true,
      run: { (world, _, transaction) throws(SCIMError) in
        try transaction.tenantTransaction(world.organization).removeDefinition(kind: .type, name: "Tkept")
        _ = try transaction.tenant(world.organization).registry()
      },
      isMade: { world, _, reader in
        try reader.tenant(world.organization).registry().type(named: "Tkept") == nil
      }),
    Write(
      testDescription: "change of definitions", needsData: true,
      run: { (world, _, transaction) throws(SCIMError) in
        let organization = world.organization
        guard try transaction.tenantTransaction(organization).removeStale() else { return }
        _ = try transaction.tenantTransaction(organization).beginChange(
          world.plan(DefinitionChange(externalIDs: .unique), transaction))
        let ada = try world.stored("ada", transaction)
        _ = try transaction.tenantTransaction(organization).index(ada, document: try world.object(ada))
        try transaction.tenantTransaction(organization).switchIndex()
        guard var changed = try transaction.organization(named: FaultWorld.name) else { return }
        changed.externalIDs = .unique
        try transaction.updateOrganization(changed)
      },
      isMade: { world, _, reader in
        try reader.tenant(world.organization).registry().settings.externalIDs == .unique
      }),
    Write(
      testDescription: "organisation with grants",
      run: { (_, tag, transaction) throws(SCIMError) in
        let made = try transaction.createOrganization(name: tag, catalog: .open, grants: true)
        _ = try transaction.tenant(made.id).registry()
      },
      isMade: { _, tag, reader in
        guard let found = try reader.organization(named: tag) else { return false }
        return try reader.tenant(found.id).registry().hasGrants
      }),
    Write(
      testDescription: "grants turned on", needsData: true,
      run: { (world, _, transaction) throws(SCIMError) in
        guard var organization = try transaction.organization(named: FaultWorld.name) else { return }
        organization.grants = true
        try transaction.updateOrganization(organization)
        _ = try transaction.tenant(world.organization).registry()
      },
      isMade: { world, _, reader in try reader.tenant(world.organization).registry().hasGrants }),
    Write(
      testDescription: "organisation deleted", needsData: true,
      run: { (_, _, transaction) throws(SCIMError) in
        guard let other = try transaction.organization(named: "other.example") else { return }
        _ = try transaction.deleteOrganization(other.id)
      },
      isMade: { _, _, reader in try reader.organization(named: "other.example") == nil }),
    Write(
      testDescription: "key",
      run: { (world, tag, transaction) throws(SCIMError) in
        try transaction.createKey(
          APIKey(
            id: tag, organization: world.organization, label: tag, role: .admin, profile: .strict,
            created: transaction.now, expires: nil), digest: Array(tag.utf8))
        try transaction.touchKey(id: tag, in: world.organization, at: transaction.now)
      },
      isMade: { world, tag, reader in
        let found = try reader.key(digest: Array(tag.utf8)) != nil
        #expect(try reader.keys(of: world.organization).contains { $0.id == tag } == found)
        return found
      }),
    Write(
      testDescription: "secret",
      run: { (_, tag, transaction) throws(SCIMError) in
        _ = try transaction.installationSecret(named: tag, candidate: [1, 2, 3])
      },
      // Asked again with another candidate, the one that was kept comes back; the job fails, so that nothing is kept.
      isMade: { world, tag, _ in
        let refused = #expect(throws: SCIMError.self) {
          try world.store.writeAndWait { (transaction) throws(SCIMError) in
            let secret = try transaction.installationSecret(named: tag, candidate: [4])
            throw SCIMError(secret == [4] ? .notFound : .conflict, "")
          }
        }
        return refused?.kind == .conflict
      }),
    Write(
      testDescription: "parts, of which some fail",
      run: { (world, tag, transaction) throws(SCIMError) in
        for part in ["a", "b", "c"] {
          do throws(SCIMError) {
            try transaction.tenantTransaction(world.organization).attempt { () throws(SCIMError) in
              let name = part == "c" ? "a" + tag : part + tag
              _ = try transaction.tenantTransaction(world.organization).create(
                type: world.user, id: nil, document: world.document(name), passwordHash: nil)
              // What is looked for is written before, also what came before this part.
              guard try world.finds("title co \"\(name)\"", by: transaction) else {
                throw SCIMError(.internalError, "a part does not find what it wrote")
              }
              if part == "b" { throw SCIMError(.preconditionFailed, "undone") }
            }
          } catch {
            // As Bulk does: one operation fails, the others go on.
            guard error.kind != .internalError else { throw error }
          }
        }
      },
      isMade: { world, tag, reader in
        #expect(try !world.finds("userName eq \"b\(tag)\"", by: reader))
        return try world.finds("userName eq \"a\(tag)\"", "nickName eq \"a\(tag)\"", by: reader)
      }),
  ]

  /// Every call, both ways, each in a database of its own, so that what one failure leaves is not mended by the next.
  @Test(arguments: writes) func oneWrite(_ write: Write) throws {
    for hasData in write.needsData ? [true] : [false, true] {
      let template = try FaultTemplate(hasData: hasData)
      for endsTransaction in [false, true] {
        // Where all is known already, every other call in one way and the rest in the other.
        try sweep(from: hasData && endsTransaction ? 2 : 1, step: hasData ? 2 : 1) { call in
          let world = try template.world()
          let failure = Self.failure(at: call)
          world.engine.fail(atCall: call, with: failure, endsTransaction: endsTransaction)
          let result = world.write("first") { (transaction) throws(SCIMError) in
            try write.run(world, "first", transaction)
          }
          let hasFailed = world.engine.stop()
          let place = "\(failure) at call \(call), \(endsTransaction ? "ended" : "kept"), \(hasData ? "data" : "new")"
          let reader = try world.store.makeReader()
          #expect(try write.isMade(world, "first", reader) == result, "\(place)")
          if hasFailed, !result {
            // The next write works, and with the same names as the one that was refused.
            let isRefused = !world.write("next") { (transaction) throws(SCIMError) in
              try write.run(world, "first", transaction)
            }
            #expect(!isRefused, "the next write after \(place)")
            #expect(try write.isMade(world, "first", reader), "the next write after \(place)")
          }
          reader.release()
          #expect(try world.store.makeCheck().run() == [], "\(place)")
          return hasFailed
        }
      }
    }
  }

  /// All of them in one transaction: what a failure takes along, it takes along whole.
  @Test(arguments: [false, true], [false, true]) func manyTogether(_ hasData: Bool, _ endsTransaction: Bool) throws {
    let writes = Self.writes.filter { hasData || !$0.needsData }.filter {
      // Each of these needs what another one removes.
      !["delete", "unlink", "definition removed", "change of definitions", "password"].contains($0.testDescription)
    }
    let template = try FaultTemplate(hasData: hasData)
    try sweep(step: 4) { call in
      let world = try template.world()
      let failure = Self.failure(at: call)
      let (isHeld, gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
      world.store.write(
        { (_) throws(SCIMError) in
          isHeld.signal()
          gate.wait()
        }, completion: { _ in })
      isHeld.wait()
      let results = Mutex([Bool?](repeating: nil, count: writes.count))
      for (index, write) in writes.enumerated() {
        done.enter()
        // Of an organisation, so that they are tried once more where the disk was full.
        world.store.write(
          for: world.organization, weight: 1,
          { (transaction) throws(SCIMError) in
            if index == 0 { world.engine.fail(atCall: call, with: failure, endsTransaction: endsTransaction) }
            try write.run(world, "first\(index)", transaction)
          },
          completion: { result in
            results.withLock { $0[index] = (try? result.get()) != nil }
            done.leave()
          })
      }
      gate.signal()
      done.wait()
      let hasFailed = world.engine.stop()
      let place = "\(failure) at call \(call)"
      let reader = try world.store.makeReader()
      for (index, write) in writes.enumerated() {
        let isAcknowledged = results.withLock { $0[index] }
        #expect(
          try write.isMade(world, "first\(index)", reader) == isAcknowledged, "\(write.testDescription), \(place)")
      }
      // Another name, so that it gets along with what was acknowledged.
      #expect(
        world.write("next") { (transaction) throws(SCIMError) in try writes[0].run(world, "next", transaction) },
        "the next write after \(place)")
      #expect(try writes[0].isMade(world, "next", reader), "the next write after \(place)")
      reader.release()
      #expect(try world.store.makeCheck().run() == [], "\(place)")
      return hasFailed
    }
  }

  /// A COMMIT that fails takes back the numbers that were given by whichever job of the transaction.
  @Test func numbersOfAFailedCommitAreGivenAgain() throws {
    let template = try FaultTemplate(hasData: false)
    let world = try template.world()
    let (isHeld, gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
    world.store.write(
      { (_) throws(SCIMError) in
        isHeld.signal()
        gate.wait()
      }, completion: { _ in })
    isHeld.wait()
    let (user, group, organization) = (world.user, world.group, world.organization)
    for number in 0..<3 {
      done.enter()
      world.store.write(
        { (transaction) throws(SCIMError) in
          // The first gives the numbers; the last job gives none, and is the one before the COMMIT.
          if number == 2 {
            world.engine.fail(atCall: 1, times: 1000, with: .full, endsTransaction: false)
            return
          }
          _ = try transaction.tenantTransaction(organization).create(
            type: user, id: nil, document: world.document("u\(number)"), passwordHash: nil)
        }, completion: { _ in done.leave() })
    }
    gate.signal()
    done.wait()
    #expect(world.engine.stop())
    // Others get those numbers now.
    #expect(
      world.write("group") { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(organization).create(
          type: group, id: nil, document: world.named("zeta", group), passwordHash: nil)
      })
    #expect(
      world.write("user") { (transaction) throws(SCIMError) in
        _ = try transaction.tenantTransaction(organization).create(
          type: user, id: nil, document: world.document("zeta"), passwordHash: nil)
      })
    let reader = try world.store.makeReader()
    #expect(try world.finds("nickName eq \"zeta\"", "title co \"zeta\"", by: reader))
    #expect(try world.finds("displayName eq \"zeta\"", type: group, by: reader))
    reader.release()
    #expect(try world.store.makeCheck().run() == [])
  }

  private static func failure(at call: Int) -> FailingEngine.Failure {
    FailingEngine.Failure.allCases[call % FailingEngine.Failure.allCases.count]
  }

  /// Runs the body for each call until none fails any more.
  private func sweep(from first: Int = 1, step: Int, _ body: (_ call: Int) throws -> Bool) throws {
    var call = first
    while try body(call) {
      call += step
      try #require(call < 5000, "it never ends")
    }
    #expect(call > 5)
  }
}
