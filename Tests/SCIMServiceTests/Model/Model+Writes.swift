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
      let gone = entries.filter { $0.value.kind == name }.keys
      guard gone.isEmpty || isForced else { return .answers([Outcome(status: 409)]) }
      for number in gone { remove(number) }
      kinds.removeAll { $0.name == name }
      return .answers([Outcome(status: 204)])
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

  private mutating func bulk(_ operations: [Operation], _ failOnErrors: Int?) -> [Set<Outcome>] {
    var outcomes: [Set<Outcome>] = []
    var failures = 0
    var waiting = Set(operations.compactMap(\.made))
    for operation in operations {
      // What a bulkId stands for that is made later, or was not made, is not told.
      if let made = operation.made { waiting.remove(made) }
      let outcome = write(operation)
      if !operation.numbers.isDisjoint(with: waiting) { isOpen = true }
      if let made = operation.made, outcome.contains(where: { $0.status >= 400 }) { waiting.insert(made) }
      outcomes.append(outcome)
      if outcome.contains(where: { $0.status >= 400 }) { failures += 1 }
      if let failOnErrors, failures >= failOnErrors { break }
    }
    return outcomes
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
      guard hasEndpoint(place.endpoint) else { throw Refusal(outcomes: [.missing]) }
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
        if place.endpoint == "/Groups", !hasMembersThatFit(place.number) { outcomes.insert(.refused("invalidValue")) }
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

  private func hasEndpoint(_ endpoint: String) -> Bool {
    endpoint == "/Users" || endpoint == "/Groups" || kind(at: endpoint) != nil
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
    switch place.endpoint {
    case "/Users": users[place.number] = holder(content, at: place, since: before)
    case "/Groups":
      var group = holder(content, at: place, since: before)
      group.members = Set(content.members)
      groups[place.number] = group
    default:
      guard let kind = kind(at: place.endpoint) else { throw Refusal(outcomes: [.missing]) }
      entries[place.number] = Entry(kind: kind.name, name: content.name, settings: content.settings)
    }
    try check(place, since: before)
  }

  private mutating func holder(_ content: Content, at place: Place, since before: Model) -> Holder {
    var holder = Holder(name: content.name)
    if place.endpoint == "/Groups", !hasGrants { return holder }
    for (attribute, sent) in content.held { holder[attribute] = held(own(sent, at: place.endpoint), attribute) }
    return holder
  }

  /// The elements that count: those with the mark of inherited ones are passed over.
  func own(_ sent: [Sent], at endpoint: String) -> [Sent] {
    sent.filter { !($0.isInherited && hasGrants && endpoint == "/Users") }
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
    if place.endpoint == "/Users", let user = users[place.number] {
      if users.contains(where: { $0.key != place.number && Self.fold($0.value.name) == Self.fold(user.name) }) {
        outcomes.insert(.taken)
      }
      check(user, since: before.users[place.number], before, &outcomes)
    } else if place.endpoint == "/Groups", let group = groups[place.number] {
      if groups.contains(where: { $0.key != place.number && Self.fold($0.value.name) == Self.fold(group.name) }) {
        outcomes.insert(.taken)
      }
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
    return members.allSatisfy { users[$0] != nil || groups[$0] != nil } && !groupsAbove(group).contains(group)
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
