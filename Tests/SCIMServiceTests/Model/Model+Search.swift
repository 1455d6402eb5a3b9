/// What searches find.
extension Model {
  func expectation(of search: Search) -> Expectation {
    switch search {
    case .holders(let endpoint, let attribute, let condition):
      let isOfGroups = endpoint == "/Groups"
      guard let kind = kind(at: endpoint) else { return .answers([.missing]) }
      if isOfGroups, !hasGrants { return .answers([.refused("invalidFilter")]) }
      if isOfGroups || !hasGrants, condition.asksWhetherInherited { return .answers([.refused("invalidFilter")]) }
      let among = isOfGroups ? groups : users
      return .found(
        Set(
          among.filter { number, holder in
            holder.kind == kind.name
              && (holder[attribute].unmatched.contains { matches(condition, $0) }
                || holder[attribute].linked.contains { matches(condition, attribute, entry: $0, words: .asShown) }
                || !isOfGroups
                  && inherited(number, attribute).contains {
                    matches(condition, attribute, entry: $0, isInherited: true, words: .asShown)
                  })
          }.keys))
    case .holdersByPresence(let attribute, let isNegated):
      return .found(
        Set(
          users.filter { number, user in
            user.kind == "User" && (user[attribute].isEmpty && inherited(number, attribute).isEmpty) == isNegated
          }.keys))
    case .usersOf(let group, let isIndirectOnly):
      return .found(
        Set(
          users.keys.filter { user in
            groupsAbove(user).contains(group) && !(isIndirectOnly && groups(having: user).contains(group))
          }))
    case .groupsOf(let member): return .found(groups(having: member))
    case .entries(let endpoint, let condition):
      guard let kind = kind(at: endpoint) else { return .answers([.missing]) }
      return .found(Set(entries.filter { $0.value.kind == kind.name && matches(condition, $0.key, $0.value) }.keys))
    }
  }

  private func matches(_ condition: Search.EntryCondition, _ number: Number, _ entry: Entry) -> Bool {
    switch condition {
    case .used(let comparison, let count):
      let used = holders(of: number)
      return switch comparison {
      case "eq": used == count
      case "gt": used > count
      default: used <= count
      }
    case .words(let side, let word): return entry.settings[side].contains { Self.fold($0) == Self.fold(word) }
    case .name(let name): return Self.fold(entry.name) == Self.fold(name)
    case .limited: return entry.settings.isLimited == true
    }
  }
}
