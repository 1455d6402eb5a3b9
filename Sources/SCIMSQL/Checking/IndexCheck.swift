import SCIMCore

/// Holds the index of one organisation against its documents: each row that a document asks for is looked up, and the
/// rows are counted, so that there are no others.
struct IndexCheck {
  private let reader: SQLReader
  private let org: Int64
  private var keyCounts: [Int64: Int64] = [:]
  private var uniqueCount: Int64 = 0
  private var signatureCount: Int64 = 0
  /// The block of each type that was read last: resources come in the order of their numbers.
  private var blocks: [Int64: (number: Int64, signatures: [Int64: [UInt8]])] = [:]

  init(reader: SQLReader, organization: Int64) {
    self.reader = reader
    org = organization
  }

  mutating func hasKeys(
    of document: JSONObject, type: ResourceType, number: Int64, resource: Int64
  ) throws(SCIMError) -> Bool {
    var isRight = true
    for row in DocumentIndex.rows(of: document, type: type) {
      let attribute = try reader.number(ofAttribute: type.indexedLeaves[row.leaf].indexPath, type: number)
      let sort = try reader.statements.get(
        "SELECT sort FROM key WHERE org = \(org) AND attr = \(attribute) AND key = \(row.key) AND resource = \(resource) AND element = \(Int64(row.element))"
      ).first { $0.integer(0) }
      if sort != nil { keyCounts[attribute, default: 0] += 1 }
      if sort != (row.isSortKey ? 1 : 0) { isRight = false }
    }
    return isRight
  }

  mutating func hasUniqueKeys(
    of document: JSONObject, type: ResourceType, settings: SchemaSettings, number: Int64, resource: Int64
  ) throws(SCIMError) -> Bool {
    var isRight = true
    for key in DocumentIndex.uniqueKeys(of: document, type: type, settings: settings) {
      let attribute = try reader.number(ofAttribute: type.indexPath(key.path), type: number)
      let owner = try reader.statements.get(
        "SELECT resource FROM unique_key WHERE org = \(org) AND attr = \(attribute) AND key = \(key.key)"
      ).first { $0.integer(0) }
      if owner == resource { uniqueCount += 1 } else { isRight = false }
    }
    return isRight
  }

  mutating func hasSignature(
    of document: JSONObject, type: ResourceType, number: Int64, resource: Int64
  ) throws(SCIMError) -> Bool {
    let expected = TextSignature(rows: DocumentIndex.rows(of: document, type: type), type: type)?.bytes
    if blocks[number]?.number != resource >> 6 {
      let name = type.signatureName
      let statement = try reader.statements.get(.signatureBlock)
      statement.bind(org, at: 1)
      statement.bind(name == type.name ? number : try reader.number(ofType: name), at: 2)
      statement.bind(resource >> 6, at: 3)
      var signatures: [Int64: [UInt8]] = [:]
      if let bytes = try statement.first({ $0.bytes(1) }) {
        bytes.withUnsafeBytes {
          SignatureBlock.forEach($0, block: resource >> 6) { signatures[$0] = [UInt8]($1) }
        }
      }
      blocks[number] = (resource >> 6, signatures)
    }
    let stored = blocks[number]?.signatures[resource]
    if stored != nil { signatureCount += 1 }
    return stored == expected
  }

  /// The types whose displays are being made anew since their definition changed.
  func typesWithStaleDisplays() throws(SCIMError) -> Set<Int64> {
    var types: Set<Int64> = []
    let kind = SQLTransaction.Stale.display.rawValue
    try reader.statements.get("SELECT number FROM stale_index WHERE org = \(org) AND kind = \(kind)").forEach {
      types.insert($0.integer(0))
    }
    return types
  }

  /// What there is more than the documents ask for.
  func surplus() throws(SCIMError) -> [(StoreCheck.Problem.Kind, String)] {
    var problems: [(StoreCheck.Problem.Kind, String)] = []
    var keys: Int64 = 0
    // What a change of definitions has written beside or left behind is looked at by nobody.
    func inUse(_ kind: SQLTransaction.Stale, _ column: SQLFragment) -> SQLFragment {
      "org = \(org) AND \(column) NOT IN (SELECT number FROM stale_index WHERE org = \(org) AND kind = \(kind.rawValue))"
    }
    try reader.statements.get("SELECT attr, count(*) FROM key WHERE \(inUse(.key, "attr")) GROUP BY attr").forEach {
      keys += $0.integer(1) - (keyCounts[$0.integer(0)] ?? 0)
    }
    if keys > 0 { problems.append((.keys, "\(keys) index keys are not those of the documents")) }
    let unique =
      try
      (reader.statements.get("SELECT count(*) FROM unique_key WHERE \(inUse(.unique, "attr"))").first { $0.integer(0) }
      ?? 0)
      - uniqueCount
    if unique > 0 { problems.append((.uniqueKeys, "\(unique) unique values are not those of the documents")) }
    let size = Int64(1 + TextSignature.byteCount)
    let signatures =
      try
      (reader.statements.get(
        "SELECT coalesce(sum(length(entries)), 0) FROM signature WHERE \(inUse(.signature, "type"))"
      ).first {
        $0.integer(0)
      } ?? 0) - signatureCount * size
    if signatures != 0 {
      problems.append((.signature, "\(signatures) bytes of signatures are not those of the documents"))
    }
    return problems
  }
}
