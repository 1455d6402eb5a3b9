import Foundation
import SCIMCore

/// One step of the database's layout. A step that has been released is never changed; a new one is added behind it.
struct Migration: Sendable {
  let number: Int64
  let name: String
  let sql: String

  init(number: Int64, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  private init(number: Int64, name: String, bytes: [UInt8]) {
    self.init(number: number, name: name, sql: String(decoding: bytes, as: UTF8.self))
  }

  /// The name with a fingerprint of the statements, by which a database knows what was run on it: the tables of a build
  /// before a release may be others under the same number. Comments and blanks do not count.
  var label: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for line in sql.split(separator: "\n") {
      let statement = line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line
      // FNV-1a.
      for byte in statement.utf8 where byte != UInt8(ascii: " ") { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return "\(name) \(String(hash, radix: 16))"
  }

  /// All of them, in order.
  static let all = [
    Migration(number: 1, name: "initial", bytes: PackageResources._001_initial_sql),
    Migration(number: 2, name: "deletions", bytes: PackageResources._002_deletions_sql),
    Migration(number: 3, name: "assignment-count", bytes: PackageResources._003_assignment_count_sql),
    Migration(number: 4, name: "organization settings", bytes: PackageResources._004_organization_settings_sql),
    Migration(number: 5, name: "deleted ids", bytes: PackageResources._005_deleted_ids_sql),
    Migration(number: 6, name: "definition changes", bytes: PackageResources._006_definition_changes_sql),
  ]
}

/// Brings a database to the layout that the program knows.
struct Migrator {
  let migrations: [Migration]

  init(migrations: [Migration] = Migration.all) {
    self.migrations = migrations
  }

  /// Runs what is missing in one transaction. Where nothing is, it waits for no other process that writes.
  ///
  /// - Throws: `internalError` where the database has a step that the program does not know, or knows otherwise.
  func migrate(_ connection: any SQLConnection, dialect: Dialect, now: Timestamp) throws(SCIMError) {
    if isCurrent(connection) { return }
    do throws(SQLError) {
      try connection.execute(dialect.beginWrite)
    } catch {
      throw error.storeError
    }
    do throws(SCIMError) {
      try run(connection, now: now)
      do throws(SQLError) { try connection.execute("COMMIT") } catch { throw error.storeError }
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// False also where it cannot be told: then the transaction finds out why.
  private func isCurrent(_ connection: any SQLConnection) -> Bool {
    guard let labels = try? storedLabels(connection) else { return false }
    return labels.count == migrations.count && migrations.allSatisfy { labels[$0.number] == $0.label }
  }

  private func run(_ connection: any SQLConnection, now: Timestamp) throws(SCIMError) {
    let labels: [Int64: String]
    do throws(SQLError) {
      labels = try self.labels(connection)
    } catch {
      throw error.storeError
    }
    let present = labels.keys.max() ?? 0
    let known = migrations.last?.number ?? 0
    guard present <= known else {
      throw SCIMError(
        .internalError,
        "The database was written by a newer version: it has migration \(present), and this version supports those up to "
          + "\(known). Use the newer version, or restore a backup.")
    }
    for migration in migrations where migration.number <= present && labels[migration.number] != migration.label {
      throw SCIMError(
        .internalError,
        "The database was created by another build, whose tables differ from those of this one (migration \(migration.number), "
          + "\(migration.name)). Use that build, or create a new database.")
    }
    do throws(SQLError) {
      let record = try connection.prepare("INSERT INTO migration (number, name, at) VALUES (?, ?, ?)")
      for migration in migrations where migration.number > present {
        try connection.execute(migration.sql)
        record.bind(migration.number, at: 1)
        record.bind(migration.label, at: 2)
        record.bind(now.milliseconds, at: 3)
        _ = try record.step()
        record.reset()
      }
    } catch {
      throw error.storeError
    }
  }

  /// What the database says of the migrations that it has, by number; empty for a new one.
  private func labels(_ connection: any SQLConnection) throws(SQLError) -> [Int64: String] {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT
      """)
    return try storedLabels(connection)
  }

  /// - Throws: also where there are none.
  private func storedLabels(_ connection: any SQLConnection) throws(SQLError) -> [Int64: String] {
    let statement = try connection.prepare("SELECT number, name FROM migration")
    defer { statement.reset() }
    var labels: [Int64: String] = [:]
    while try statement.step() { labels[statement.integer(0)] = statement.text(1) }
    return labels
  }
}
