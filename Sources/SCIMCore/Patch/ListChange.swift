/// A list under change, which knows the element that was marked as primary last.
struct ListChange {
  private(set) var elements: [JSON]
  private var primaryIndex: Int?
  private var hasChangedElements = false

  init(_ elements: [JSON]) {
    self.elements = elements
  }

  mutating func append(_ element: JSON) {
    elements.append(element)
    if element["primary"] == true { primaryIndex = elements.count - 1 }
  }

  /// Puts another element in the place of one; `marksPrimary` says that the change itself set `primary`.
  mutating func set(_ element: JSON, at index: Int, marksPrimary: Bool) {
    hasChangedElements = hasChangedElements || elements[index] != element
    elements[index] = element
    if marksPrimary, element["primary"] == true { primaryIndex = index }
  }

  mutating func removeAll(where isGone: (Int, JSON) -> Bool = { _, _ in true }) {
    var kept: [JSON] = []
    var primary: Int?
    for (index, element) in elements.enumerated() where !isGone(index, element) {
      if index == primaryIndex { primary = kept.count }
      kept.append(element)
    }
    elements = kept
    primaryIndex = primary
  }

  mutating func remove(at indices: some Sequence<Int>) {
    let gone = Set(indices)
    removeAll { index, _ in gone.contains(index) }
  }

  /// The elements, each once (RFC 7643 section 2.4), with one primary at most: where a change set it, the last one set
  /// (RFC 7644 section 3.5.2).
  func settled() -> [JSON] {
    var settled = elements
    if let primaryIndex {
      for index in settled.indices where index != primaryIndex { settled[index] = Self.unmarked(settled[index]) }
    }
    guard hasChangedElements || primaryIndex != nil else { return settled }
    var seen: Set<JSON> = []
    return settled.filter { seen.insert($0).inserted }
  }

  private static func unmarked(_ element: JSON) -> JSON {
    guard element["primary"] == true, var object = element.objectValue else { return element }
    object["primary"] = false
    return .object(object)
  }
}
