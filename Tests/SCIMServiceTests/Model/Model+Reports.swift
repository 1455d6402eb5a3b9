/// What reports say, a line of text for each row: what is compared of it, joined by blanks.
extension Model {
  enum Report: String, CaseIterable {
    case access, unused, orphans
  }

  func rows(of report: Report, _ text: ModelText) -> [String] {
    switch report {
    case .access: users.keys.sorted().flatMap { access($0, text) }.sorted()
    case .unused: unused.map { "\(base(of: $0)) \(entries[$0]?.kind ?? "") \(text.ids($0))" }.sorted()
    case .orphans: orphans(text)
    }
  }

  /// A row for each way in which a user holds an entry.
  private func access(_ user: Number, _ text: ModelText) -> [String] {
    var rows: [String] = []
    func row(_ entry: Number, _ how: String, _ via: String) {
      rows.append("\(text.ids(user)) \(base(of: entry)) \(entries[entry]?.kind ?? "") \(text.ids(entry)) \(how) \(via)")
    }
    var held: Set<Number> = []
    for attribute in Attribute.allCases {
      for entry in users[user]?[attribute].linked ?? [] {
        held.insert(entry)
        row(entry, "direct", "-")
      }
      for group in groupsAbove(user) {
        for entry in groups[group]?[attribute].linked ?? [] {
          held.insert(entry)
          row(entry, "group", text.ids(group))
        }
      }
      for one in users[user]?[attribute].unmatched ?? [] {
        rows.append("\(text.ids(user)) \(attribute.base) \(one.type ?? "-") \(text.text(one.word)) unmatched")
      }
    }
    let parts = parts
    for whole in held {
      for part in Self.below(parts[whole] ?? [], parts) where part != whole {
        row(part, "contained", text.ids(whole))
      }
    }
    return rows
  }

  /// What nobody holds, and no group grants.
  var unused: Set<Number> {
    var granted: Set<Number> = []
    var held: Set<Number> = []
    for attribute in Attribute.allCases {
      for group in groups.values { granted.formUnion(group[attribute].linked) }
      for (number, user) in users {
        held.formUnion(user[attribute].linked)
        held.formUnion(inherited(number, attribute))
      }
    }
    return Set(entries.keys).subtracting(granted).subtracting(Self.below(held, parts))
  }

  /// Each value that matched nothing with how many have it; letter case does not count, that of the type neither.
  private func orphans(_ text: ModelText) -> [String] {
    struct Orphan: Hashable {
      var base: Base
      var type: String?
      var word: String
      /// What users hold, what groups grant and what resources of an own type hold has rows of its own.
      var kind: TypeName
    }
    var holders: [Orphan: Set<Number>] = [:]
    for (number, holder) in users.merging(groups, uniquingKeysWith: { first, _ in first }) {
      for attribute in Attribute.allCases {
        for one in holder[attribute].unmatched {
          let orphan = Orphan(
            base: attribute.base, type: one.type.map(Self.fold), word: Self.fold(text.text(one.word)),
            kind: holder.kind)
          holders[orphan, default: []].insert(number)
        }
      }
    }
    return holders.map { orphan, holders in
      let word = entries.keys.first { text.ids($0) == orphan.word }.map { Word.id($0) } ?? .name(orphan.word)
      let candidate = find(word, orphan.base, type: orphan.type).map(text.ids) ?? "-"
      return "\(orphan.base) \(orphan.type ?? "-") \(orphan.word) \(holders.count) \(candidate)"
    }.sorted()
  }
}
