/// A new resource with all that a store derives from its document, made before the store's writer is reached.
public struct PreparedDocument: Sendable {
  public let id: String
  /// True where the id was not made here, so that others may have it.
  public let isIDGiven: Bool
  /// Without `id`, `meta` and linked elements.
  public let document: JSONObject
  /// The stored form: the document with the id behind `schemas`.
  public let bytes: [UInt8]
  public let rows: [IndexRow]
  public let uniqueKeys: [UniqueKey]
  public let signature: TextSignature?
  public let display: String?
  public let displayKey: String?

  /// - Parameters:
  ///   - id: one that was given from outside; nil makes a new one.
  ///   - reservedID: one that was made by `ResourceID` for this resource before.
  ///   - settings: those of the organisation whose registry the type is of.
  public init(
    _ document: JSONObject, id: String? = nil, reservedID: String? = nil, type: ResourceType,
    settings: SchemaSettings = .standard
  ) {
    self.id = id ?? reservedID ?? ResourceID.make()
    isIDGiven = id != nil
    self.document = document
    bytes = Self.encode(document, id: self.id)
    rows = DocumentIndex.rows(of: document, type: type)
    uniqueKeys = DocumentIndex.uniqueKeys(of: document, type: type, settings: settings)
    signature = TextSignature(rows: rows, type: type)
    display = DocumentIndex.display(of: document, type: type)
    displayKey = display.map(Folding.fold)
  }

  /// The document with the id behind `schemas`.
  public static func encode(_ document: JSONObject, id: String) -> [UInt8] {
    var members = document.members
    members.removeAll { $0.key == "id" }
    let position = members.first?.key == "schemas" ? 1 : 0
    members.insert(JSONObject.Member(key: "id", value: .string(id)), at: position)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    JSONObject(members).write(into: &bytes)
    return bytes
  }
}
