import SCIMCore
import SCIMSQL

/// Opens the store over SQLite.
public enum SQLiteStore {
  /// Opens the database at `path`, creating or migrating it where needed.
  ///
  /// - Throws: `internalError` where the file is no database, or one that a newer program wrote.
  public static func open(
    path: String, options: SQLiteOptions = SQLiteOptions(), store: SQLStoreOptions = SQLStoreOptions(),
    registry: SchemaRegistry
  ) throws(SCIMError) -> SQLStore {
    try SQLStore(driver: SQLiteDriver(path: path, options: options), options: store, registry: registry)
  }
}
