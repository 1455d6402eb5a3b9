/// What operations do.
extension Model {
  /// Does an operation and gives what is to be expected of it.
  mutating func apply(_ operation: Operation) -> Expectation {
    switch operation {
    case .create, .replace, .patch, .delete: return .answers(write(operation))
    case .bulk(let operations, let failOnErrors): return .bulk(bulk(operations, failOnErrors))
    case .defineType(let name, let base, let way):
      let isNew = !kinds.contains { $0.name == name }
      if isNew { kinds.append(Kind(name: name, endpoint: "/\(name)s", base: base)) }
      if way == .command { return .command(isTaken: true) }
      return .answers([isNew ? Outcome(status: 201) : .taken])
    case .retireType(let name, let isForced):
      guard kinds.contains(where: { $0.name == name }) else { return .answers([.missing]) }
      let gone =
        entries.filter { $0.value.kind == name }.map(\.key)
        + users.merging(groups) { first, _ in first }.filter { $0.value.kind == name }.map(\.key)
      guard gone.isEmpty || isForced else { return .answers([Outcome(status: 409)]) }
      for number in gone { remove(number) }
      kinds.removeAll { $0.name == name }
      return .answers([Outcome(status: 204)])
    case .restoreType(let name):
      guard !kinds.contains(where: { $0.name == name }) else { return .command(isTaken: false) }
      kinds += Self.builtIn.filter { $0.name == name }
      return .command(isTaken: true)
    case .setCatalog(let isClosed):
      self.isClosed = isClosed
      return .command(isTaken: true)
    case .setGrants(let isOn, let isForced):
      if !isOn, hasGrants {
        guard isForced || groups.values.allSatisfy({ $0.held.isEmpty }) else { return .command(isTaken: false) }
        for number in groups.keys { groups[number]?.held = [:] }
      }
      hasGrants = isOn
      return .command(isTaken: true)
    case .search(let search): return expectation(of: search)
    }
  }

  /// Each operation by itself, in their order, but that one which others name comes before them. What names one that failed
  /// fails as well. Gives what is to be expected of those that are tried.
  private mutating func bulk(_ operations: [Operation], _ failOnErrors: Int?) -> [Set<Outcome>] {
    var places: [Number: Int] = [:]
    for (place, operation) in operations.enumerated() {
      if let made = operation.made { places[made] = place }
    }
    var run = BulkState(outcomes: Array(repeating: nil, count: operations.count))
    for place in operations.indices {
      if let failOnErrors, run.failures >= failOnErrors { break }
      if !run.begun.contains(place) { bulk(operations, place, places, &run) }
    }
    return run.outcomes.compactMap { $0 }
  }

  private struct BulkState {
    var outcomes: [Set<Outcome>?]
    var begun: Set<Int> = []
    var failures = 0
  }

  private mutating func bulk(_ operations: [Operation], _ place: Int, _ places: [Number: Int], _ run: inout BulkState) {
    run.begun.insert(place)
    let named = Set(operations[place].numbers.compactMap { places[$0] })
    let waiting = named.subtracting(run.begun)
    // Which of several comes first is not told.
    if waiting.count > 1 { isOpen = true }
    for other in waiting { bulk(operations, other, places, &run) }
    // Nor what is made of those that name each other.
    if named.contains(where: { run.outcomes[$0] == nil }) { isOpen = true }
    let isFailing = named.contains { run.outcomes[$0]?.contains { $0.status >= 400 } ?? false }
    var outcome: Set<Outcome> = isFailing ? [Outcome(status: 409)] : write(operations[place])
    // A circle that is closed by what the same request creates is a conflict.
    if !named.isEmpty, outcome.contains(.refused("invalidValue")) { outcome.insert(Outcome(status: 409)) }
    if outcome.contains(where: { $0.status >= 400 }) { run.failures += 1 }
    run.outcomes[place] = outcome
  }

  /// A write, which is whole or not at all.
  private mutating func write(_ operation: Operation) -> Set<Outcome> {
    var changed = self
    do throws(Refusal) {
      let outcome = try changed.attempt(operation, since: self)
      self = changed
      return [outcome]
    } catch {
      isOpen = isOpen || changed.isOpen
      return error.outcomes
    }
  }

  private mutating func attempt(_ operation: Operation, since before: Model) throws(Refusal) -> Outcome {
    switch operation {
    case .create(let place, let content):
      guard kind(at: place.endpoint) != nil else { throw Refusal(outcomes: [.missing]) }
      try put(content, at: place, since: before)
      return Outcome(status: 201)
    case .replace(let place, let content):
      guard exists(place) else { throw Refusal(outcomes: [.missing]) }
      try put(content, at: place, since: before)
      return Outcome(status: 200)
    case .patch(let place, let changes):
      try judge(changes, at: place.endpoint)
      guard exists(place) else { throw Refusal(outcomes: [.missing]) }
      var outcomes: Set<Outcome> = []
      for change in changes {
        if patch(place, change) { outcomes.insert(.refused("noTarget")) }
        // A member is judged as it is added, whatever becomes of it.
        if groups[place.number] != nil, !hasMembersThatFit(place.number) { outcomes.insert(.refused("invalidValue")) }
      }
      try check(place, since: before, also: outcomes)
      return Outcome(status: 200)
    case .delete(let place):
      guard exists(place) else { throw Refusal(outcomes: [.missing]) }
      remove(place.number)
      return Outcome(status: 204)
    default: throw Refusal(outcomes: [])
    }
  }

  /// Takes a resource away, with everything that refers to it.
  private mutating func remove(_ number: Number) {
    users[number] = nil
    groups[number] = nil
    entries[number] = nil
    for attribute in Attribute.allCases {
      for user in users.keys { users[user]?[attribute].linked.remove(number) }
      for group in groups.keys { groups[group]?[attribute].linked.remove(number) }
    }
    for group in groups.keys { groups[group]?.members.remove(number) }
  }

  // MARK: POST and PUT

  private mutating func put(_ content: Content, at place: Place, since before: Model) throws(Refusal) {
    guard let kind = kind(at: place.endpoint) else { throw Refusal(outcomes: [.missing]) }
    switch kind.base {
    case .user:
      var user = holder(content, at: place, kind)
      user.isActive = content.isActive ?? before.users[place.number]?.isActive ?? true
      users[place.number] = user
    case .group:
      var group = holder(content, at: place, kind)
      group.members = Set(content.members)
      groups[place.number] = group
    case .role, .entitlement:
      entries[place.number] = Entry(kind: kind.name, name: content.name, settings: content.settings)
    }
    try check(place, since: before)
  }

  private mutating func holder(_ content: Content, at place: Place, _ kind: Kind) -> Holder {
    var holder = Holder(kind: kind.name, name: content.name)
    if place.endpoint == "/Groups", !hasGrants { return holder }
    for (attribute, sent) in content.held { holder[attribute] = held(own(sent, at: place.endpoint), attribute) }
    return holder
  }

  /// The elements that count: those with the mark of inherited ones are passed over.
  func own(_ sent: [Sent], at endpoint: String) -> [Sent] {
    sent.filter { !($0.isInherited && hasGrants && kind(at: endpoint)?.base == .user) }
  }

  private mutating func held(_ sent: [Sent], _ attribute: Attribute) -> Held {
    var held = Held()
    for one in sent { add(one, to: &held, attribute) }
    return held
  }

  /// Assigns one element: a link where it names an entry, else the element as it was sent. What was there with its value,
  /// and matched nothing, is assigned again.
  mutating func add(_ sent: Sent, to held: inout Held, _ attribute: Attribute) {
    // What has the id of an entry and the type of another is neither the entry nor something else for all filters.
    if sent.word.number != nil, find(sent.word, attribute.base) != nil,
      find(sent.word, attribute.base, type: sent.type) == nil
    {
      isOpen = true
    }
    let element = Unmatched(word: sent.word, type: sent.type)
    if !held.unmatched.contains(where: { Self.isSame($0, element) }) { held.unmatched.append(element) }
    match(sent.word, type: sent.type, in: &held, attribute)
  }

  /// Links the elements of a value, and of a type where one is told, that name an entry.
  func match(_ word: Word, type: String?, in held: inout Held, _ attribute: Attribute) {
    for one in held.unmatched where Self.fold(one.word) == Self.fold(word) {
      guard one.type == nil || type == nil || one.type.map(Self.fold) == type.map(Self.fold) else { continue }
      guard let entry = find(one.word, attribute.base, type: one.type) else { continue }
      held.linked.insert(entry)
      held.unmatched.removeAll { $0 == one }
    }
  }

  /// True where two elements that match nothing are one.
  static func isSame(_ left: Unmatched, _ right: Unmatched) -> Bool {
    fold(left.word) == fold(right.word) && left.type.map(fold) == right.type.map(fold)
  }

  // MARK: What holds after each write

  /// Checks a resource that was written.
  private mutating func check(_ place: Place, since before: Model, also found: Set<Outcome> = []) throws(Refusal) {
    var outcomes = found
    func isTaken(_ holder: Holder, among others: [Number: Holder]) -> Bool {
      others.contains {
        $0.key != place.number && $0.value.kind == holder.kind && Self.fold($0.value.name) == Self.fold(holder.name)
      }
    }
    if let user = users[place.number] {
      if isTaken(user, among: users) { outcomes.insert(.taken) }
      check(user, since: before.users[place.number], before, &outcomes)
    } else if let group = groups[place.number] {
      if isTaken(group, among: groups) { outcomes.insert(.taken) }
      if !hasMembersThatFit(place.number) { outcomes.insert(.refused("invalidValue")) }
      check(group, since: before.groups[place.number], before, &outcomes)
    } else if let entry = entries[place.number] {
      let isTaken = entries.contains {
        $0.key != place.number && $0.value.kind == entry.kind && Self.fold($0.value.name) == Self.fold(entry.name)
      }
      if base(of: place.number) == .role, isTaken { outcomes.insert(.taken) }
      switch circle(closedBy: place.number, since: before) {
      case .none: break
      case .closed: outcomes.insert(.refused("invalidValue"))
      case .changed: isOpen = true
      }
    }
    if !outcomes.isEmpty { throw Refusal(outcomes: outcomes) }
  }

  /// True where the members of a group exist, and none of them contains it.
  private func hasMembersThatFit(_ group: Number) -> Bool {
    let members = groups[group]?.members ?? []
    return members.allSatisfy { users[$0]?.kind == "User" || groups[$0]?.kind == "Group" }
      && !groupsAbove(group).contains(group)
  }

  /// Checks what is new of the assignments of a user or a group.
  private func check(_ holder: Holder, since old: Holder?, _ before: Model, _ outcomes: inout Set<Outcome>) {
    for attribute in Attribute.allCases {
      let had = old?[attribute] ?? Held()
      if isClosed {
        let isNew = holder[attribute].unmatched.contains { one in
          // What is there with a type, or without one, is told from no other.
          !had.unmatched.contains {
            Self.fold($0.word) == Self.fold(one.word) && ($0.type == nil || one.type == nil || Self.isSame($0, one))
          }
        }
        if isNew { outcomes.insert(.refused("invalidValue")) }
      }
      for entry in holder[attribute].linked.subtracting(had.linked) {
        guard let settings = entries[entry]?.settings else { continue }
        if settings.isSupported == false { outcomes.insert(.refused("invalidValue")) }
        if settings.isLimited == true, let permitted = settings.permitted, holders(of: entry) > permitted {
          outcomes.insert(.refused("invalidValue"))
        }
      }
    }
  }
}

extension Attribute {
  var base: Base { self == .roles ? .role : .entitlement }
}
