import SCIMCore

/// The signatures of up to 64 resources of one organisation and type whose numbers lie together, as one row has them:
/// for each the low six bits of its number and its signature, in the order of the numbers.
///
/// A block fits into a page, so that a search reads whole pages of signatures, and the writes of a commit, which
/// mostly make resources with neighbouring numbers, change one.
struct SignatureBlock {
  private static let entrySize = 1 + TextSignature.byteCount

  /// What becomes of one block.
  struct Change {
    var organization: Int64
    var type: Int64
    var block: Int64
    /// By the low bits of the number; nil takes the signature away.
    fileprivate var entries: [UInt8: [UInt8]?] = [:]

    /// The block's bytes after the change.
    func apply(to bytes: [UInt8]) -> [UInt8] {
      var all: [UInt8: ArraySlice<UInt8>] = [:]
      var start = 0
      while start + entrySize <= bytes.count {
        all[bytes[start]] = bytes[start + 1..<start + entrySize]
        start += entrySize
      }
      for (slot, signature) in entries { all[slot] = signature.map { $0[...] } }
      var result: [UInt8] = []
      result.reserveCapacity(all.count * entrySize)
      for (slot, signature) in all.sorted(by: { $0.key < $1.key }) {
        result.append(slot)
        result.append(contentsOf: signature)
      }
      return result
    }
  }

  /// The changes by block, in the order of the blocks.
  static func changes(_ signatures: ArraySlice<IndexJournal.Signature>) -> [Change] {
    var changes: [Change] = []
    let order = signatures.indices.sorted {
      let (one, other) = (signatures[$0], signatures[$1])
      return (one.organization, one.type, one.resource, $0) < (other.organization, other.type, other.resource, $1)
    }
    for index in order {
      let signature = signatures[index]
      let block = signature.resource >> 6
      if let last = changes.last, last.organization == signature.organization, last.type == signature.type,
        last.block == block
      {
      } else {
        changes.append(Change(organization: signature.organization, type: signature.type, block: block))
      }
      changes[changes.count - 1].entries[UInt8(signature.resource & 63)] = .some(signature.bytes)
    }
    return changes
  }

  /// Calls `body` with each resource's number and its signature.
  static func forEach(
    _ bytes: UnsafeRawBufferPointer, block: Int64, _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    while start + entrySize <= bytes.count {
      body(
        block << 6 | Int64(bytes[start]), UnsafeRawBufferPointer(rebasing: bytes[start + 1..<start + entrySize]))
      start += entrySize
    }
  }

  /// Appends the numbers of the resources whose signatures have all of these bits.
  static func collect(
    _ wanted: [(index: Int, bits: UInt8)], from bytes: UnsafeRawBufferPointer, block: Int64, to numbers: inout [Int64]
  ) {
    var start = 0
    while start + entrySize <= bytes.count {
      var fits = true
      for (index, bits) in wanted where bytes[start + 1 + index] & bits != bits {
        fits = false
        break
      }
      if fits { numbers.append(block << 6 | Int64(bytes[start])) }
      start += entrySize
    }
  }
}
