import SCIMCore

/// Who holds what: a row for each way in which a resource holds a role or an entitlement.
///
/// Ways are `direct`, an element of the holder's own `roles` or `entitlements`; `group`, what a group grants that the
/// holder is in, directly or through other groups; and `contained`, a part of one held in either way.
struct AccessReport {
  static let columns = [
    "userId", "userName", "displayName", "active", "kind", "type", "value", "display", "how", "via", "viaDisplay",
    "linked", "resourceType",
  ]

  /// Resources looked at in one step of the walk.
  private static let pageSize = 500
  /// What is kept of what entries contain, counted in entries.
  private static let maximumKept = 500_000

  private let reader: any TenantReports
  private let catalog: CatalogView
  private let positions: [Int64: Int]
  private var below: [Int: [Int]] = [:]
  private var kept = 0

  /// The reader has to hold its snapshot.
  init(reader: any TenantReports) throws(SCIMError) {
    self.reader = reader
    catalog = CatalogView(try reader.catalogEntries())
    positions = Dictionary(
      catalog.entries.enumerated().map { ($0.element.handle, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes all rows, in the order in which the holders were made; gives how many hold something. `progress` is told
  /// how many resources were looked at.
  mutating func run(_ writer: ReportWriter, progress: (Int) -> Void) throws -> Int {
    var holders = 0
    var seen = 0
    for type in try reader.holderTypes() {
      var after: Int64?
      repeat {
        let page = try reader.holders(of: type, after: after, limit: Self.pageSize)
        for holder in page.holders {
          holders += 1
          for row in rows(of: holder) {
            if writer.isFull { return holders }
            try writer.write(row)
          }
        }
        seen += page.seen
        progress(seen)
        after = page.next
      } while after != nil
    }
    return holders
  }

  private mutating func rows(of holder: Holder) -> [[ReportValue]] {
    let document = holder.document
    let active: ReportValue = document["active"]?.boolValue.map { .flag($0) } ?? .none
    let person: [ReportValue] = [
      .text(holder.id), .optional(document["userName"]?.stringValue), .optional(document["displayName"]?.stringValue),
      active,
    ]
    let end: [ReportValue] = [.text(holder.type)]
    var rows: [[ReportValue]] = []
    // The parts of an entry are held as long as it is held in one way.
    var held: Set<Int> = []
    func add(_ handle: Int64, _ way: [ReportValue], parts: (Int) -> [Int]) {
      guard let position = positions[handle] else { return }
      let entry = catalog.entries[position]
      rows.append(person + cells(entry) + way + [.flag(true)] + end)
      guard held.insert(position).inserted else { return }
      for part in parts(position) {
        rows.append(
          person + cells(catalog.entries[part])
            + [.text("contained"), .text(entry.id), .text(entry.display), .flag(true)] + end)
      }
    }
    for handle in holder.linked { add(handle, [.text("direct"), .none, .none]) { partsBelow($0) } }
    for group in holder.granted {
      for handle in group.entries {
        add(handle, [.text("group"), .text(group.id), .text(group.display)]) { partsBelow($0) }
      }
    }
    for (schema, element) in holder.unmatched {
      let cells: [ReportValue] = [
        .text(CatalogEntry.kind(ofSchema: schema)), .optional(element["type"]?.stringValue),
        .optional(element["value"]?.stringValue), .optional(element["display"]?.stringValue),
      ]
      rows.append(person + cells + [.text("direct"), .none, .none, .flag(false)] + end)
    }
    return rows
  }

  private func cells(_ entry: CatalogEntry) -> [ReportValue] {
    [.text(entry.kind), .text(entry.type), .text(entry.id), .text(entry.display)]
  }

  private mutating func partsBelow(_ position: Int) -> [Int] {
    if let known = below[position] { return known }
    let parts = catalog.graph.below(position)
    if kept + parts.count > Self.maximumKept {
      below.removeAll()
      kept = 0
    }
    below[position] = parts
    kept += parts.count
    return parts
  }
}
