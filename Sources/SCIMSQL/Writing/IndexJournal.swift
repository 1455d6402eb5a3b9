import SCIMCore

/// What a transaction is going to change in the index, held back until it is asked for or committed.
///
/// Written one resource after the other, each row would fall on another page of the table; written together and in the
/// table's order, rows that are neighbours meet on one. It also keeps index pages out of the savepoints of the single
/// writes, which copy what they touch. A savepoint that is undone takes its entries back by their number alone:
/// entries stay in the list, written or not, for as long as a savepoint is open.
struct IndexJournal {
  struct Entry {
    var organization: Int64
    var attribute: Int64
    var resource: Int64
    var element: Int64
    var isSortKey: Bool
    var isRemoval: Bool
    /// The first eight bytes of the key, in which most keys differ.
    fileprivate var prefix: UInt64
    fileprivate var start: Int
    fileprivate var count: Int
  }

  struct Signature {
    var organization: Int64
    var type: Int64
    var resource: Int64
    /// nil where the resource has none any more.
    var bytes: [UInt8]?
  }

  struct Count {
    var organization: Int64
    var type: Int64
    /// How many more resources there are.
    var difference: Int64
    var changes: Int64 = 1
    var deletions: Int64
  }

  /// How far the lists reached when a savepoint began, and how much of them was written.
  struct Mark {
    fileprivate var entries = 0
    fileprivate var text = 0
    fileprivate var signatures = 0
    fileprivate var counts = 0
    fileprivate var writtenEntries = 0
    fileprivate var writtenSignatures = 0
    fileprivate var writtenCounts = 0
  }

  private var entries: [Entry] = []
  /// The keys one behind the other, so that an entry costs no allocation.
  private var text: [UInt8] = []
  private var signatures: [Signature] = []
  private var counts: [Count] = []
  private var written = Mark()
  private var openMarks = 0
  /// The attributes of the pending entries, and perhaps of some that were taken back.
  private var attributes: Set<Int64> = []

  var pendingCount: Int { entries.count - written.writtenEntries }
  var isSettled: Bool {
    pendingCount == 0 && signatures.count == written.writtenSignatures && counts.count == written.writtenCounts
  }

  /// True where rows of the attribute may be pending.
  func hasPending(_ attribute: Int64) -> Bool { attributes.contains(attribute) }

  mutating func append(
    _ row: IndexRow, attribute: Int64, resource: Int64, organization: Int64, isRemoval: Bool
  ) {
    let start = text.count
    text.append(contentsOf: row.key.utf8)
    var prefix: UInt64 = 0
    for index in 0..<8 {
      let position = start + index
      prefix = prefix << 8 | UInt64(position < text.count ? text[position] : 0)
    }
    attributes.insert(attribute)
    entries.append(
      Entry(
        organization: organization, attribute: attribute, resource: resource, element: Int64(row.element),
        isSortKey: row.isSortKey, isRemoval: isRemoval, prefix: prefix, start: start, count: text.count - start))
  }

  mutating func append(_ signature: Signature) { signatures.append(signature) }

  mutating func append(_ count: Count) { counts.append(count) }

  // MARK: Savepoints

  mutating func mark() -> Mark {
    openMarks += 1
    var mark = written
    mark.entries = entries.count
    mark.text = text.count
    mark.signatures = signatures.count
    mark.counts = counts.count
    return mark
  }

  mutating func release(_ mark: Mark) { openMarks -= 1 }

  /// Takes back what came behind the mark; what was written behind it has been undone by the engine, also where it was
  /// appended before.
  mutating func rewind(to mark: Mark) {
    openMarks -= 1
    entries.removeSubrange(mark.entries...)
    text.removeSubrange(mark.text...)
    signatures.removeSubrange(mark.signatures...)
    counts.removeSubrange(mark.counts...)
    written = mark
    // What was written behind the mark is pending again.
    for entry in entries[mark.writtenEntries...] { attributes.insert(entry.attribute) }
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: entries.capacity <= Self.keptCapacity)
    text.removeAll(keepingCapacity: text.capacity <= Self.keptCapacity * Self.bytesOfKey)
    signatures.removeAll(keepingCapacity: signatures.capacity <= Self.keptCapacity)
    counts.removeAll(keepingCapacity: counts.capacity <= Self.keptCapacity)
    attributes.removeAll(keepingCapacity: attributes.capacity <= Self.keptCapacity)
    written = Mark()
    openMarks = 0
  }

  /// A bulk load's lists are given back.
  private static let keptCapacity = 16_384
  /// About how long a key is.
  private static let bytesOfKey = 32

  /// How many bytes the lists hold on to, used or not.
  var keptBytes: Int {
    entries.capacity * MemoryLayout<Entry>.stride + text.capacity
      + signatures.capacity * (MemoryLayout<Signature>.stride + TextSignature.byteCount)
      + counts.capacity * MemoryLayout<Count>.stride
  }

  // MARK: Writing

  /// Everything that is not written yet, as being written.
  mutating func settle(
    entry: (Entry, UnsafeRawBufferPointer) throws(SCIMError) -> Void,
    signatures writeSignatures: (ArraySlice<Signature>) throws(SCIMError) -> Void,
    count: (Count) throws(SCIMError) -> Void
  ) throws(SCIMError) {
    let order = sortedPending()
    var failure: SCIMError?
    text.withUnsafeBytes { text in
      do throws(SCIMError) {
        for index in order {
          let item = entries[index]
          try entry(item, UnsafeRawBufferPointer(rebasing: text[item.start..<item.start + item.count]))
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    if signatures.count > written.writtenSignatures {
      try writeSignatures(signatures[written.writtenSignatures...])
    }
    for total in totals() { try count(total) }
    if openMarks == 0 {
      removeAll()
    } else {
      attributes.removeAll(keepingCapacity: true)
      written.writtenEntries = entries.count
      written.writtenSignatures = signatures.count
      written.writtenCounts = counts.count
    }
  }

  /// The pending entries in the order of the table; what happens to one row, in the order in which it happened.
  private func sortedPending() -> [Int] {
    text.withUnsafeBytes { text in
      entries.withUnsafeBufferPointer { entries in
        (written.writtenEntries..<entries.count).sorted { left, right in
          let (one, other) = (entries[left], entries[right])
          if one.organization != other.organization { return one.organization < other.organization }
          if one.attribute != other.attribute { return one.attribute < other.attribute }
          if one.prefix != other.prefix { return one.prefix < other.prefix }
          if one.count > 8 || other.count > 8 {
            let order = compare(text, one, other)
            if order != 0 { return order < 0 }
          } else if one.count != other.count {
            return one.count < other.count
          }
          if one.resource != other.resource { return one.resource < other.resource }
          if one.element != other.element { return one.element < other.element }
          return left < right
        }
      }
    }
  }

  private func compare(_ text: UnsafeRawBufferPointer, _ one: Entry, _ other: Entry) -> Int {
    let left = UnsafeRawBufferPointer(rebasing: text[one.start..<one.start + one.count])
    let right = UnsafeRawBufferPointer(rebasing: text[other.start..<other.start + other.count])
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return left.count - right.count
  }

  /// One difference for each organisation and type.
  private func totals() -> [Count] {
    var totals: [Count] = []
    for count in counts[written.writtenCounts...] {
      if let index = totals.firstIndex(where: { $0.organization == count.organization && $0.type == count.type }) {
        totals[index].difference += count.difference
        totals[index].changes += count.changes
        totals[index].deletions += count.deletions
      } else {
        totals.append(count)
      }
    }
    return totals
  }
}
