/// What the operations of a PATCH do.
extension Model {
  /// Refuses what can be told without the resource.
  func judge(_ changes: [Change], at endpoint: String) throws(Refusal) {
    var outcomes: Set<Outcome> = []
    for change in changes {
      let attributed: Bool
      var conditions: [Condition] = []
      switch change {
      case .assign(_, _, _, let hasPath): attributed = hasPath
      case .clear, .take: attributed = true
      case .takeWhere(_, let condition), .setWhere(_, _, let condition, _), .setValueWhere(_, _, let condition, _),
        .setDisplayWhere(_, _, let condition, _):
        attributed = true
        conditions = [condition]
      default: attributed = false
      }
      if attributed, endpoint == "/Groups", !hasGrants { outcomes.insert(.refused("invalidPath")) }
      if !hasGrants || endpoint == "/Groups", conditions.contains(where: \.asksWhetherInherited) {
        outcomes.insert(.refused("invalidFilter"))
      }
    }
    if !outcomes.isEmpty { throw Refusal(outcomes: outcomes) }
  }

  /// Does one operation; gives true where it has no target.
  mutating func patch(_ place: Place, _ change: Change) -> Bool {
    switch kind(at: place.endpoint)?.base {
    case .user:
      guard var user = users[place.number] else { return false }
      let noTarget = patch(&user, change, at: place.endpoint)
      users[place.number] = user
      return noTarget
    case .group:
      guard var group = groups[place.number] else { return false }
      let noTarget = patch(&group, change, at: place.endpoint)
      groups[place.number] = group
      return noTarget
    default:
      guard var entry = entries[place.number] else { return false }
      patch(&entry, change)
      entries[place.number] = entry
      return false
    }
  }

  private mutating func patch(_ holder: inout Holder, _ change: Change, at endpoint: String) -> Bool {
    switch change {
    case .rename(let name): holder.name = name
    case .setActive(let isActive): holder.isActive = isActive
    case .assign(let verb, let attribute, let sent, _):
      // Without a path the unknown extension is passed over.
      if endpoint == "/Groups", !hasGrants { return false }
      var held = verb == .replace ? Held() : holder[attribute]
      for one in own(sent, at: endpoint) { add(one, to: &held, attribute) }
      holder[attribute] = held
    case .clear(let attribute): holder[attribute] = Held()
    case .take(let attribute, let sent):
      for one in own(sent, at: endpoint) {
        if let entry = find(one.word, attribute.base, type: one.type) { holder[attribute].linked.remove(entry) }
        holder[attribute].unmatched.removeAll { element in
          Self.fold(element.word) == Self.fold(one.word)
            && (one.type == nil || element.type.map(Self.fold) == one.type.map(Self.fold))
        }
      }
    case .takeWhere(let attribute, let condition):
      let chosen = choose(
        condition, holder[attribute], attribute, words: .asInAssignments(type: condition.requiredType))
      holder[attribute].linked.subtract(chosen.linked)
      holder[attribute].unmatched.removeAll { chosen.unmatched.contains($0) }
    case .setWhere(let verb, let attribute, let condition, let sent):
      let chosen = choose(condition, holder[attribute], attribute)
      if chosen.isEmpty { return true }
      let given = own([sent], at: endpoint)
      if verb == .add {
        // What is not given stays as it is.
        for one in given { set(one.word, type: one.type, of: chosen, &holder[attribute], attribute) }
      } else {
        holder[attribute].linked.subtract(chosen.linked)
        holder[attribute].unmatched.removeAll { chosen.unmatched.contains($0) }
        for one in given { add(one, to: &holder[attribute], attribute) }
      }
    case .setValueWhere(_, let attribute, let condition, let word):
      return set(word, of: condition, &holder[attribute], attribute)
    case .setDisplayWhere(_, let attribute, let condition, let display):
      let chosen = choose(condition, holder[attribute], attribute)
      if chosen.isEmpty { return true }
      for index in holder[attribute].unmatched.indices
      where chosen.unmatched.contains(holder[attribute].unmatched[index]) {
        holder[attribute].unmatched[index].display = display
      }
    case .members(.add, let numbers, _): holder.members.formUnion(numbers)
    case .members(.replace, let numbers, _): holder.members = Set(numbers)
    case .clearMembers: holder.members = []
    case .takeMembers(let numbers): holder.members.subtract(numbers)
    case .takeMember(let number): holder.members.remove(number)
    case .setting, .words, .clearWords: break
    }
    return false
  }

  /// Sets `value` of the elements that a filter chooses; where it chooses none but says what one would be, makes it.
  private mutating func set(_ word: Word, of condition: Condition, _ held: inout Held, _ attribute: Attribute) -> Bool {
    let chosen = choose(condition, held, attribute)
    if chosen.isEmpty {
      guard case .type(let type) = condition else { return true }
      add(Sent(word: word, type: type), to: &held, attribute)
      return false
    }
    set(word, type: nil, of: chosen, &held, attribute)
    return false
  }

  /// Gives elements another value, and another type where one is given.
  private mutating func set(
    _ word: Word, type: String?, of chosen: Held, _ held: inout Held, _ attribute: Attribute
  ) {
    held.linked.subtract(chosen.linked)
    held.unmatched.removeAll { chosen.unmatched.contains($0) }
    for entry in chosen.linked {
      add(Sent(word: word, type: type ?? entries[entry]?.kind), to: &held, attribute)
    }
    for one in chosen.unmatched { add(Sent(word: word, type: type ?? one.type), to: &held, attribute) }
    match(word, type: type, in: &held, attribute)
  }

  private func patch(_ entry: inout Entry, _ change: Change) {
    switch change {
    case .rename(let name): entry.name = name
    case .setting(.value(let value)): entry.settings.value = value
    case .setting(.isSupported(let value)): entry.settings.isSupported = value
    case .setting(.isLimited(let value)): entry.settings.isLimited = value
    case .setting(.permitted(let value)): entry.settings.permitted = value
    case .words(let verb, let side, let words):
      var list = verb == .replace ? [] : entry.settings[side]
      for word in words where !list.contains(where: { Self.fold($0) == Self.fold(word) }) { list.append(word) }
      entry.settings[side] = list
    case .clearWords(let side): entry.settings[side] = []
    default: break
    }
  }

  // MARK: Filters in paths

  /// The own elements that a filter chooses.
  func choose(_ condition: Condition, _ held: Held, _ attribute: Attribute, words: Words = .asShown) -> Held {
    Held(
      linked: held.linked.filter { matches(condition, attribute, entry: $0, words: words) },
      unmatched: held.unmatched.filter { matches(condition, $0) })
  }

  /// How words in a filter are compared with links.
  enum Words {
    /// As searches and paths do: with what is shown, which is the id.
    case asShown
    /// As paths of a remove do: with what they would mean in an assignment, too.
    case asInAssignments(type: String?)
  }

  func matches(
    _ condition: Condition, _ attribute: Attribute, entry: Number, isInherited: Bool = false, words: Words
  ) -> Bool {
    switch condition {
    case .value(let word):
      if word == .id(entry) { return true }
      if case .asInAssignments(let type) = words { return find(word, attribute.base, type: type) == entry }
      return false
    case .type(let type): return entries[entry].map { Self.fold($0.kind) } == Self.fold(type)
    case .display(let display): return entries[entry].map { Self.fold($0.name) } == Self.fold(display)
    case .inherited(let flag): return flag == isInherited
    case .both(let left, let right):
      return matches(left, attribute, entry: entry, isInherited: isInherited, words: words)
        && matches(right, attribute, entry: entry, isInherited: isInherited, words: words)
    case .either(let left, let right):
      return matches(left, attribute, entry: entry, isInherited: isInherited, words: words)
        || matches(right, attribute, entry: entry, isInherited: isInherited, words: words)
    case .not(let inner):
      return !matches(inner, attribute, entry: entry, isInherited: isInherited, words: words)
    }
  }

  func matches(_ condition: Condition, _ element: Unmatched) -> Bool {
    switch condition {
    case .value(let word): Self.fold(element.word) == Self.fold(word)
    case .type(let type): element.type.map(Self.fold) == Self.fold(type)
    case .display(let display): element.display.map(Self.fold) == Self.fold(display)
    case .inherited(let flag): !flag
    case .both(let left, let right): matches(left, element) && matches(right, element)
    case .either(let left, let right): matches(left, element) || matches(right, element)
    case .not(let inner): !matches(inner, element)
    }
  }
}

extension Condition {
  /// The type that a conjunction asks for.
  var requiredType: String? {
    switch self {
    case .type(let type): type
    case .both(let left, let right): left.requiredType ?? right.requiredType
    default: nil
    }
  }

  var asksWhetherInherited: Bool {
    switch self {
    case .inherited: true
    case .value, .type, .display: false
    case .both(let left, let right), .either(let left, let right):
      left.asksWhetherInherited || right.asksWhetherInherited
    case .not(let inner): inner.asksWhetherInherited
    }
  }
}

extension Settings {
  subscript(_ side: Side) -> [Word] {
    get { side == .contains ? contains : containedBy }
    set { if side == .contains { contains = newValue } else { containedBy = newValue } }
  }
}
