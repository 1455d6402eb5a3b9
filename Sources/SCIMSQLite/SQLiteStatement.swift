import CSQLite
import SCIMSQL

/// A prepared statement of SQLite with raw access to its columns.
final class SQLiteStatement: SQLStatement {
  let handle: OpaquePointer
  // Keeps the connection open for as long as the statement lives.
  private let connection: SQLiteConnection
  private static let transient = csqlite_transient()
  /// Why a value could not be bound, for lack of memory or since it is too long: without it NULL would be stored.
  private var bindFailure = SQLITE_OK

  init(_ handle: OpaquePointer, connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Int64, at position: Int32) { sqlite3_bind_int64(handle, position, value) }

  func bind(_ value: String, at position: Int32) {
    var value = value
    value.withUTF8 { bindText($0, at: position) }
  }

  func bindText(_ value: [UInt8], at position: Int32) {
    value.withUnsafeBufferPointer { bindText($0, at: position) }
  }

  private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int32) {
    bindText(UnsafeRawBufferPointer(bytes), at: position, Self.transient)
  }

  func bindBorrowedText(_ value: UnsafeRawBufferPointer, at position: Int32) {
    bindText(value, at: position, nil)
  }

  private func bindText(
    _ bytes: UnsafeRawBufferPointer, at position: Int32, _ destructor: sqlite3_destructor_type?
  ) {
    // A null pointer would bind NULL: an empty text needs an address too.
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return note(sqlite3_bind_text(handle, position, "", 0, Self.transient))
    }
    note(
      sqlite3_bind_text64(
        handle, position, base.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), destructor,
        UInt8(SQLITE_UTF8)))
  }

  func bindBlob(_ value: [UInt8], at position: Int32) {
    guard !value.isEmpty else { return note(sqlite3_bind_zeroblob(handle, position, 0)) }
    value.withUnsafeBytes { bytes in
      note(sqlite3_bind_blob64(handle, position, bytes.baseAddress, UInt64(bytes.count), Self.transient))
    }
  }

  func bindNull(at position: Int32) { sqlite3_bind_null(handle, position) }

  private func note(_ status: Int32) { if status != SQLITE_OK { bindFailure = status } }

  func step() throws(SQLError) -> Bool {
    if bindFailure != SQLITE_OK {
      defer { bindFailure = SQLITE_OK }
      throw connection.error(bindFailure)
    }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let status: throw connection.error(status)
    }
  }

  func reset() { sqlite3_reset(handle) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  func withBytes(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Void) { body(bytes(column)) }

  /// Valid until the statement moves on or is reset.
  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // The pointer first: asking for it may convert the value, and only then is the length that of what it points at.
    let base = sqlite3_column_blob(handle, column)
    let count = sqlite3_column_bytes(handle, column)
    return UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(count))
  }
}
