import SCIMCore

/// A prepared statement as the store uses it: engine errors become the store's, and every use ends with a reset, since
/// a statement left open would hold its snapshot.
final class Statement {
  private let raw: any SQLStatement
  private let watch: EngineWatch

  init(_ raw: any SQLStatement, watch: EngineWatch) {
    self.raw = raw
    self.watch = watch
  }

  func bind(_ value: Int64, at position: Int32) { raw.bind(value, at: position) }
  func bind(_ value: String, at position: Int32) { raw.bind(value, at: position) }
  func bindText(_ value: [UInt8], at position: Int32) { raw.bindText(value, at: position) }
  func bindBorrowedText(_ value: UnsafeRawBufferPointer, at position: Int32) {
    raw.bindBorrowedText(value, at: position)
  }
  func bindBlob(_ value: [UInt8], at position: Int32) { raw.bindBlob(value, at: position) }
  func bindNull(at position: Int32) { raw.bindNull(at: position) }

  func bind(_ value: String?, at position: Int32) {
    if let value { raw.bind(value, at: position) } else { raw.bindNull(at: position) }
  }

  func bind(_ value: Int64?, at position: Int32) {
    if let value { raw.bind(value, at: position) } else { raw.bindNull(at: position) }
  }

  func bind(_ values: [SQLValue]) {
    var position: Int32 = 1
    for value in values {
      switch value {
      case .null: raw.bindNull(at: position)
      case .integer(let value): raw.bind(value, at: position)
      case .text(let value): raw.bind(value, at: position)
      case .blob(let value): raw.bindBlob(value, at: position)
      }
      position += 1
    }
  }

  /// Moves to the next row; false where there is none. The caller resets.
  ///
  /// One that fails is reset here, also where the caller does not get to it: values bound to a statement that is not
  /// would be ignored, and it would answer for those of the search before.
  func step() throws(SCIMError) -> Bool {
    do throws(SQLError) {
      return try raw.step()
    } catch {
      raw.reset()
      throw watch.storeError(error)
    }
  }

  func reset() { raw.reset() }

  /// Runs a statement that gives no rows.
  func run() throws(SCIMError) {
    defer { raw.reset() }
    do throws(SQLError) { _ = try raw.step() } catch { throw watch.storeError(error) }
  }

  /// Runs a statement that gives no rows; false where a row with that key is there already.
  func runUnlessTaken() throws(SCIMError) -> Bool {
    defer { raw.reset() }
    do throws(SQLError) {
      _ = try raw.step()
      return true
    } catch {
      if error.kind == .unique { return false }
      throw watch.storeError(error)
    }
  }

  /// Calls `body` for each row.
  func forEach(_ body: (Statement) throws(SCIMError) -> Void) throws(SCIMError) {
    defer { raw.reset() }
    while try step() { try body(self) }
  }

  /// What `body` makes of the first row; nil where there is none.
  func first<Value>(_ body: (Statement) throws(SCIMError) -> Value) throws(SCIMError) -> Value? {
    defer { raw.reset() }
    return try step() ? try body(self) : nil
  }

  func integer(_ column: Int32) -> Int64 { raw.integer(column) }
  func isNull(_ column: Int32) -> Bool { raw.isNull(column) }
  func text(_ column: Int32) -> String { raw.text(column) }
  func optionalText(_ column: Int32) -> String? { raw.isNull(column) ? nil : raw.text(column) }
  func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: raw.integer(column)) }
  func optionalTime(_ column: Int32) -> Timestamp? { raw.isNull(column) ? nil : time(column) }

  /// Calls `body` with the bytes of a text or a blob, which are valid there alone.
  func withBytes(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Void) { raw.withBytes(column, body) }

  /// True where the column holds exactly that text.
  func hasText(_ text: String, _ column: Int32) -> Bool {
    var isSame = false
    raw.withBytes(column) { bytes in
      var text = text
      isSame = text.withUTF8 { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }
    return isSame
  }

  /// A copy of the bytes of a text or a blob.
  func bytes(_ column: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    raw.withBytes(column) { bytes = [UInt8]($0) }
    return bytes
  }
}
