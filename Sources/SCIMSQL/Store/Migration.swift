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

  /// All of them, in order.
  static let all = [
    Migration(number: 1, name: "initial", bytes: PackageResources._001_initial_sql)
  ]
}

/// Brings a database to the layout that the program knows.
struct Migrator {
  let migrations: [Migration]

  init(migrations: [Migration] = Migration.all) {
    self.migrations = migrations
  }

  /// Runs what is missing in one transaction.
  ///
  /// - Throws: `internalError` where the database has a step that the program does not know.
  func migrate(_ connection: any SQLConnection, dialect: Dialect, now: Timestamp) throws(SCIMError) {
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

  private func run(_ connection: any SQLConnection, now: Timestamp) throws(SCIMError) {
    let present: Int64
    do throws(SQLError) {
      present = try latest(connection)
    } catch {
      throw error.storeError
    }
    let known = migrations.last?.number ?? 0
    guard present <= known else {
      throw SCIMError(
        .internalError,
        "The database was written by a newer version: it has migration \(present), and this version knows those up to "
          + "\(known). Use the newer version, or restore a backup.")
    }
    do throws(SQLError) {
      let record = try connection.prepare("INSERT INTO migration (number, name, at) VALUES (?, ?, ?)")
      for migration in migrations where migration.number > present {
        try connection.execute(migration.sql)
        record.bind(migration.number, at: 1)
        record.bind(migration.name, at: 2)
        record.bind(now.milliseconds, at: 3)
        _ = try record.step()
        record.reset()
      }
    } catch {
      throw error.storeError
    }
  }

  /// The number of the last migration that the database has; 0 for a new one.
  private func latest(_ connection: any SQLConnection) throws(SQLError) -> Int64 {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT
      """)
    let statement = try connection.prepare("SELECT coalesce(max(number), 0) FROM migration")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }
}
