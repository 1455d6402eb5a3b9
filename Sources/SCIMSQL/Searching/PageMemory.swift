import SCIMCore
import Synchronization

/// Where pages by index ended, and how many matched in all, so that the page behind one begins where that ended
/// instead of counting its way there.
///
/// One for all readers of a store: a client's next request may come to another thread. What is remembered holds for
/// the state in which it was found, and for later ones that differ in nothing that the query could see.
final class PageMemory: Sendable {
  /// The state of an organisation as far as a query could see it: moves with every change that could move its pages.
  struct State: Equatable {
    /// Changes of any kind in the organisation, or, where only that matters, deletions of the type.
    var changes: Int64
    /// Resources of the types that are asked for.
    var count: Int64
  }

  private struct Entry {
    var state: State
    var total: Int?
    /// Behind how many resources a position is.
    var ends: [Int: CursorPosition] = [:]
    var lastUse: UInt64
  }

  private struct Content {
    var entries: [String: Entry] = [:]
    var uses: UInt64 = 0
  }

  private let content = Mutex(Content())
  private static let maximumQueries = 256
  private static let maximumEnds = 64

  /// The nearest place at or before an offset, and the total; nil where nothing is remembered of that state.
  ///
  /// - Parameter isStable: true where more resources at the end leave the places in front of them as they are.
  func recall(
    _ query: String, state: State, offset: Int, isStable: Bool
  ) -> (start: (offset: Int, position: CursorPosition)?, total: Int?) {
    content.withLock { content in
      content.uses += 1
      guard var entry = content.entries[query], entry.state.changes == state.changes else { return (nil, nil) }
      let isSame = entry.state == state
      guard isSame || isStable else { return (nil, nil) }
      entry.lastUse = content.uses
      content.entries[query] = entry
      let start = entry.ends.filter { $0.key <= offset }.max { $0.key < $1.key }
      return (start.map { (offset: $0.key, position: $0.value) }, isSame ? entry.total : nil)
    }
  }

  /// Remembers where a page ended.
  func remember(
    _ query: String, state: State, end: Int, position: CursorPosition, total: Int?, isStable: Bool
  ) {
    content.withLock { content in
      content.uses += 1
      var entry = Entry(state: state, total: total, lastUse: content.uses)
      if let old = content.entries[query], old.state.changes == state.changes, old.state == state || isStable {
        if old.ends.count < Self.maximumEnds { entry.ends = old.ends }
      } else if content.entries.count >= Self.maximumQueries,
        let oldest = content.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        content.entries[oldest.key] = nil
      }
      entry.ends[end] = position
      content.entries[query] = entry
    }
  }
}
