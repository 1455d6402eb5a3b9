/// What reading takes from a budget, in its steps of some 25 nanoseconds.
enum ReadCost {
  /// A row of an index, found or gone through.
  static let row = 8
  /// An element of a link attribute, read and shown.
  static let link = 24
  /// A resource of usual size, read and shown with its links; for what is to be expected before it is read.
  static let resource = 300

  /// Copying so many bytes out of the database.
  static func copying(_ bytes: Int) -> Int { bytes / 32 }
  /// Parsing so many bytes of JSON.
  static func parsing(_ bytes: Int) -> Int { bytes / 4 }
}
