/// How the SQL of an engine differs from that of others.
public struct Dialect: Sendable {
  /// Begins a transaction that reads one snapshot.
  public var beginRead: String
  /// Begins a transaction that may write at once, so that it never has to give way to another writer later.
  public var beginWrite: String
  /// A query whose number changes whenever another connection has committed something; nil where the engine has none.
  public var dataVersion: String?
  /// Statements that give one row `ok` where the engine finds its own files sound.
  public var integrityChecks: [String]
  /// Statements that give a row for each broken foreign key.
  public var foreignKeyChecks: [String]

  public init(
    beginRead: String, beginWrite: String, dataVersion: String?, integrityChecks: [String], foreignKeyChecks: [String]
  ) {
    self.beginRead = beginRead
    self.beginWrite = beginWrite
    self.dataVersion = dataVersion
    self.integrityChecks = integrityChecks
    self.foreignKeyChecks = foreignKeyChecks
  }
}
