/// Which runs of three bytes occur in the searched texts of a resource, as a small set with false positives: each run
/// sets one of 448 bits.
///
/// A text can contain another one only if its signature has all bits of the other's. So a search for a part of a text
/// reads 56 bytes of each resource, and then the documents of the few whose bits fit. The texts are index keys, which
/// are folded; the runs are of bytes, so that one Chinese character is one run.
public struct TextSignature: Sendable, Equatable {
  /// 56 and the byte of the place: 64 of them fit into a page of 4096 bytes.
  public static let byteCount = 56
  private static let bitCount = UInt32(byteCount * 8)
  /// Shorter texts have no run.
  public static let minimumLength = 3

  public private(set) var bytes = [UInt8](repeating: 0, count: byteCount)

  public init() {}

  /// The signature of a resource with these index rows; nil where none of its searched texts has a run.
  public init?(rows: [IndexRow], type: ResourceType) {
    for row in rows where type.indexedLeaves[row.leaf].isInSignature { insert(row.key) }
    if bytes.allSatisfy({ $0 == 0 }) { return nil }
  }

  /// Adds the runs of a text.
  public mutating func insert(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      guard utf8.count >= Self.minimumLength else { return }
      bytes.withUnsafeMutableBufferPointer { bytes in
        var run = UInt32(utf8[0]) << 8 | UInt32(utf8[1])
        for index in 2..<utf8.count {
          run = (run << 8 | UInt32(utf8[index])) & 0xFF_FFFF
          let bit = Self.bit(run)
          bytes[Int(bit >> 3)] |= 1 << UInt8(bit & 7)
        }
      }
    }
  }

  /// The bytes of the signature that a text asks for, with the bits it wants in them.
  public var wanted: [(index: Int, bits: UInt8)] {
    bytes.enumerated().filter { $0.element != 0 }.map { (index: $0.offset, bits: $0.element) }
  }

  /// Multiplying spreads runs that differ in one letter over all bits; the high half of the product has the most of it.
  private static func bit(_ run: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(run &* 0x9E37_79B1) * UInt64(bitCount)) >> 32)
  }

  /// True for the texts that people search parts of: those of the base schema, but for references, what has its own
  /// words (`canonicalValues`), and of lists all but `value`. Each more text sets more bits and lets more through.
  static func covers(_ leaf: AttributeDefinition, of parent: AttributeDefinition?) -> Bool {
    guard leaf.type == .string, leaf.canonicalValues.isEmpty, leaf.name != "schemas" else { return false }
    guard let parent else { return !leaf.isMultiValued }
    return parent.isMultiValued ? leaf.name == "value" : !leaf.isMultiValued
  }
}
