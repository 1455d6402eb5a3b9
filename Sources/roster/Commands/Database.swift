import Foundation
import SCIMCore
import SCIMSQL
import SCIMSQLite

/// Opens the store that commands work on.
enum Database {
  /// Opens the database that `--db` names and closes it when `body` is done.
  ///
  /// - Parameter creates: makes the file where there is none; else that is a failure.
  /// - Parameter isBulk: for a load of very many resources by a process that does nothing else: takes more memory.
  static func with<Result>(
    _ invocation: Invocation, creates: Bool = false, isBulk: Bool = false,
    _ body: (SQLStore, SchemaRegistry) throws -> Result
  ) throws -> Result {
    let registry = try registry(invocation)
    let path = try invocation.required("db")
    guard creates || access(path, F_OK) == 0 else {
      throw CommandFailure(
        message: "there is no database at '\(path)'; 'roster org create' or 'roster seed' creates one")
    }
    var engine = SQLiteOptions()
    var options = SQLStoreOptions()
    if isBulk {
      engine.writerCacheKilobytes = 256 << 10
      options.heldIndexRows = 1_000_000
      options.workers = 1
    }
    let store = try open(path, registry: registry, engine: engine, options: options)
    defer { store.close() }
    do {
      return try body(store, registry)
    } catch let error as SCIMError where error.kind == .internalError {
      throw CommandFailure(message: DatabaseObstacle.at(path) ?? error.detail)
    }
  }

  /// Opens the store in the file at `path`; a failure names it.
  static func open(
    _ path: String, registry: SchemaRegistry, engine: SQLiteOptions = SQLiteOptions(),
    options: SQLStoreOptions = SQLStoreOptions()
  ) throws -> SQLStore {
    do {
      return try SQLiteStore.open(path: path, options: engine, store: options, registry: registry)
    } catch {
      throw CommandFailure(message: "cannot open '\(path)': \(DatabaseObstacle.at(path) ?? error.detail)")
    }
  }

  /// Lets a server on the same file write: it tries again some milliseconds after it has found the file taken.
  static func pause() { usleep(15_000) }

  /// The built-in schemas and types with those that `--schemas` adds.
  static func registry(_ invocation: Invocation) throws(SchemaError) -> SchemaRegistry {
    guard let directory = invocation.text("schemas") else { return BuiltInSchemas.registry }
    return try SchemaLoader.load(directory: URL(fileURLWithPath: directory, isDirectory: true))
  }
}

extension OrganizationDirectory {
  /// The organisation of that name.
  func requireOrganization(_ name: String) throws -> Organization {
    guard let organization = try organization(named: name) else {
      let hint = Suggestion.sentence(Suggestion.nearest(to: name, among: try organizations().map(\.name)))
      throw CommandFailure(message: "there is no organisation '\(name)'\(hint)")
    }
    return organization
  }

  /// The organisation that `--org` names, or the only one there is.
  func chosenOrganization(_ invocation: Invocation) throws -> Organization {
    if let name = invocation.text("org") { return try requireOrganization(name) }
    let all = try organizations()
    guard let only = all.first, all.count == 1 else {
      throw UsageError(
        message: all.isEmpty
          ? "there is no organisation yet; create one with: roster org create NAME"
          : "--org is required; the organisations are \(all.map(\.name).joined(separator: ", "))")
    }
    return only
  }
}
