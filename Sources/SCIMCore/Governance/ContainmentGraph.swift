/// Which roles and entitlements are parts of which others, by `contains` and `containedBy` of either side.
///
/// Words that name no entry are left out. A circle does no harm: each entry is reached once.
public struct ContainmentGraph: Sendable {
  /// The positions of the direct parts of each entry, in the order in which they are named.
  private let parts: [[Int]]
  /// The entries that name themselves as a part: `parts` has no use for these.
  private let selves: Set<Int>

  public init(_ entries: [CatalogEntry], names: CatalogNames) {
    var parts = [[Int]](repeating: [], count: entries.count)
    var selves: Set<Int> = []
    func add(_ part: Int?, to whole: Int?) {
      guard let part, let whole else { return }
      guard part != whole else {
        selves.insert(part)
        return
      }
      guard !parts[whole].contains(part) else { return }
      parts[whole].append(part)
    }
    for (index, entry) in entries.enumerated() {
      for word in entry.contains { add(names.find(word, preferring: entry.schema), to: index) }
    }
    for (index, entry) in entries.enumerated() {
      for word in entry.containedBy { add(index, to: names.find(word, preferring: entry.schema)) }
    }
    self.parts = parts
    self.selves = selves
  }

  /// The entries that are parts of themselves, in their order.
  public var circular: [Int] {
    // Each strongly connected stretch of more than one entry (Tarjan), without recursion: chains may be long.
    var found = selves
    var order = [Int?](repeating: nil, count: parts.count)
    var low = [Int](repeating: 0, count: parts.count)
    var isOpen = [Bool](repeating: false, count: parts.count)
    var open: [Int] = []
    var next = 0
    for root in parts.indices where order[root] == nil {
      var path: [(entry: Int, part: Int)] = [(root, 0)]
      while let (entry, part) = path.last {
        if part == 0, order[entry] == nil {
          order[entry] = next
          low[entry] = next
          next += 1
          open.append(entry)
          isOpen[entry] = true
        }
        if part < parts[entry].count {
          path[path.count - 1].part += 1
          let below = parts[entry][part]
          if order[below] == nil {
            path.append((below, 0))
          } else if isOpen[below] {
            low[entry] = min(low[entry], order[below] ?? low[entry])
          }
          continue
        }
        path.removeLast()
        if let above = path.last?.entry { low[above] = min(low[above], low[entry]) }
        guard low[entry] == order[entry], let start = open.lastIndex(of: entry) else { continue }
        let stretch = open[start...]
        for member in stretch { isOpen[member] = false }
        if stretch.count > 1 { found.formUnion(stretch) }
        open.removeSubrange(start...)
      }
    }
    return found.sorted()
  }

  /// True where nothing contains anything.
  public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

  /// Everything below an entry, nearest first, the entry itself left out.
  public func below(_ index: Int) -> [Int] {
    guard !parts[index].isEmpty else { return [] }
    var seen: Set<Int> = [index]
    var found: [Int] = []
    var next = parts[index][...]
    while let part = next.popFirst() {
      guard seen.insert(part).inserted else { continue }
      found.append(part)
      next.append(contentsOf: parts[part])
    }
    return found
  }

  /// Everything that is among these entries or below one of them.
  public func reached(from indexes: some Sequence<Int>) -> Set<Int> {
    var seen: Set<Int> = []
    var waiting = Array(indexes)
    while let index = waiting.popLast() {
      guard seen.insert(index).inserted else { continue }
      waiting.append(contentsOf: parts[index])
    }
    return seen
  }
}
