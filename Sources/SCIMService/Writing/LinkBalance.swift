/// What the changes of one link attribute come to: an element that came and went, or went and came, is no change.
struct LinkBalance {
  private var added: Set<Int64> = []
  private var removed: Set<Int64> = []
  /// Elements that went without being looked at, beside those that had come.
  private var hasRemovedOthers = false

  var isChanged: Bool { hasRemovedOthers || !added.isEmpty || !removed.isEmpty }

  mutating func add(_ handles: [Int64]) {
    for handle in handles where removed.remove(handle) == nil { added.insert(handle) }
  }

  mutating func remove(_ handles: [Int64]) {
    for handle in handles where added.remove(handle) == nil { removed.insert(handle) }
  }

  /// All elements went, `count` of them, whichever they were.
  mutating func removeAll(count: Int) {
    if count > added.count { hasRemovedOthers = true }
    added = []
  }
}
