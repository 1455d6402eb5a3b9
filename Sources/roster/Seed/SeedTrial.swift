import Foundation
import SCIMCore
import SCIMSQL
import Synchronization

/// Writes seed files and undoes it, to learn what the store has against them: limits of assignments, circles, what must be
/// unique beside what the database has. Nobody ever sees what is written.
struct SeedTrial: Sendable {
  let registry: SchemaRegistry

  /// What came of it.
  enum Outcome: Sendable {
    case taken
    /// The number of the document, and what is wrong with it.
    case refused(Int, SeedFault)
    /// It is more than one transaction may do, and would hold up who else writes.
    case tooLong
  }

  /// Writes the documents one after the other in one transaction, and undoes it.
  ///
  /// - Parameter isAlone: true where nobody else has the store.
  func run(_ documents: [SeedDocument], in store: some Store, isAlone: Bool) throws(SCIMError) -> Outcome {
    var importer = SeedImporter(registry: registry)
    // A hash takes long on purpose, and is not kept.
    importer.hashPassword = { _ in "" }
    let quick = importer
    var hashes: [[String: String]] = []
    for document in documents { hashes.append(try quick.passwordHashes(of: document, in: store.makeReader())) }
    let known = hashes
    let outcome = Mutex<Outcome?>(nil)
    do throws(SCIMError) {
      try store.writeAndWait { (transaction) throws(SCIMError) in
        if isAlone { transaction.budget = .unlimited }
        let found = try Self.write(documents, hashes: known, by: quick, in: transaction)
        outcome.withLock { $0 = found }
        throw Self.undone
      }
    } catch {
      guard let found = outcome.withLock({ $0 }) else { throw error }
      return found
    }
    return .taken
  }

  private static let undone = SCIMError(.noTarget, "This was tried and undone.")

  private static func write(
    _ documents: [SeedDocument], hashes: [[String: String]], by importer: SeedImporter,
    in transaction: any StoreTransaction
  ) throws(SCIMError) -> Outcome {
    for (index, document) in documents.enumerated() {
      var place: SeedResource?
      do throws(SCIMError) {
        var progress = SeedProgress()
        while progress.organization < document.organizations.count {
          try importer.advance(&progress, document, hashes[index], in: transaction) { place = $0 }
        }
      } catch {
        if transaction.budget.left <= 0 { return .tooLong }
        guard SeedImporter.isOfDocument(error) else { throw error }
        return .refused(index, SeedImporter.fault(error, at: place))
      }
    }
    return .taken
  }
}

extension SeedTrial {
  /// As above, in a store of its own that goes with it.
  func runAlone(_ documents: [SeedDocument]) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roster-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Database.open(folder.appendingPathComponent("roster.db").path, registry: registry)
    defer { store.close() }
    return try run(documents, in: store, isAlone: true)
  }
}
