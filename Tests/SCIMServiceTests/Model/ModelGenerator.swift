import TestSupport

/// Makes random operations: few names and few resources, so that they meet.
struct ModelGenerator {
  static let ownKinds: [Model.Kind] = [
    Model.Kind(name: "License", endpoint: "/Licenses", base: .entitlement),
    Model.Kind(name: "Profile", endpoint: "/Profiles", base: .entitlement),
    Model.Kind(name: "Duty", endpoint: "/Dutys", base: .role),
    Model.Kind(name: "Contractor", endpoint: "/Contractors", base: .user),
    Model.Kind(name: "Team", endpoint: "/Teams", base: .group),
  ]
  static let kinds = Model.builtIn + ownKinds
  static let kindsOfCatalogue = kinds.filter(\.base.isOfCatalogue)
  /// The last two are one word in two forms.
  static let names = ["Pro", "pro", "Basic", "Clerk", "CLERK", "Chief", "Desk", "Door", "\u{C9}lan", "e\u{301}lan"]
  static let unheard = ["Ghost", "ghost", "Phantom"]

  static func base(of endpoint: String) -> Base { kinds.first { $0.endpoint == endpoint }?.base ?? .entitlement }

  private(set) var model = Model()
  private var random: Random
  private var next: Number = 0
  /// Numbers below this one may be named though nothing has them any more.
  private var oldest: Number = 0

  init(seed: UInt64) { random = Random(seed: seed) }

  /// A sequence of operations.
  static func operations(_ count: Int, seed: UInt64) -> [Operation] {
    var generator = ModelGenerator(seed: seed)
    return (0..<count).map { _ in generator.clear() }
  }

  /// An operation of which the pages tell what it does.
  private mutating func clear() -> Operation {
    oldest = next
    while true {
      let operation = operation()
      var changed = model
      _ = changed.apply(operation)
      guard !changed.isOpen else { continue }
      model = changed
      return operation
    }
  }

  private mutating func operation() -> Operation {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<78: write()
    case 78..<83: bulk()
    case 83..<86: type()
    case 86: .setCatalog(isClosed: !model.isClosed)
    case 87: .setGrants(!model.hasGrants, force: random.chance(40))
    default: .search(search())
    }
  }

  // MARK: Writes

  private mutating func write() -> Operation {
    switch random.pick([Base.user, .user, .group, .role, .entitlement]) {
    case .user:
      let kind = kind(.user)
      return write(at: kind.endpoint, model.users.filter { $0.value.kind == kind.name }.map(\.key), most: 10)
    case .group:
      let kind = kind(.group)
      return write(at: kind.endpoint, model.groups.filter { $0.value.kind == kind.name }.map(\.key), most: 7)
    case .role, .entitlement:
      if model.entries.isEmpty || model.entries.count < 13 && random.chance(25) {
        let kinds = random.chance(5) ? Self.kindsOfCatalogue : model.kinds.filter(\.base.isOfCatalogue)
        return write(at: random.pick(kinds).endpoint, [], most: 99)
      }
      let number = random.pick(model.entries.keys.sorted())
      return write(at: model.kind(of: number)?.endpoint ?? "/Roles", [number], most: model.entries.count < 13 ? 2 : 0)
    }
  }

  /// The built-in type of a base, or now and then an own one.
  private mutating func kind(_ base: Base) -> Model.Kind {
    let isOwn = random.chance(25)
    let own = (random.chance(3) ? Self.kinds : model.kinds).last { $0.base == base }
    return (isOwn ? own : nil) ?? Self.kinds.first { $0.base == base } ?? Self.kinds[0]
  }

  private mutating func write(at endpoint: String, _ numbers: [Number], most: Int) -> Operation {
    let roll = Int.random(in: 0..<100, using: &random)
    if numbers.isEmpty || (roll < 18 && numbers.count < most) {
      next += 1
      return .create(Place(endpoint: endpoint, number: next - 1), content(at: endpoint))
    }
    let number = random.chance(2) ? old() : random.pick(numbers.sorted())
    let place = Place(endpoint: endpoint, number: number)
    switch roll {
    case ..<34: return .replace(place, content(at: endpoint))
    case ..<42: return .delete(place)
    default: return .patch(place, changes(at: endpoint))
    }
  }

  private mutating func bulk() -> Operation {
    // The operations see what those before them did.
    let before = model
    defer { model = before }
    var operations: [Operation] = []
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let operation = write()
      _ = model.apply(operation)
      operations.append(operation)
    }
    // What one makes may be named before it is made.
    if random.chance(30) { operations.shuffle(using: &random) }
    return .bulk(operations, failOnErrors: random.chance(25) ? Int.random(in: 1...2, using: &random) : nil)
  }

  private mutating func type() -> Operation {
    if random.chance(10) {
      let name = "Characteristic"
      if model.kinds.contains(where: { $0.name == name }) { return .retireType(name, force: random.chance(40)) }
      return .restoreType(name)
    }
    let kind = random.pick(Self.ownKinds)
    if model.kinds.contains(kind), random.chance(90) { return .retireType(kind.name, force: random.chance(60)) }
    return .defineType(kind.name, base: kind.base, way: random.pick(DefinitionWay.allCases))
  }

  private mutating func content(at endpoint: String) -> Content {
    switch Self.base(of: endpoint) {
    case .user:
      return Content(
        name: "user\(Int.random(in: 0..<14, using: &random))", held: holdings(60),
        isActive: random.chance(30) ? random.chance(50) : nil)
    case .group:
      let content = Content(
        name: "group\(Int.random(in: 0..<10, using: &random))", held: endpoint == "/Groups" ? holdings(25) : [:],
        members: (0..<Int.random(in: 0...3, using: &random)).map { _ in member() }.uniqued())
      return content
    case .role, .entitlement:
      var content = Content(name: random.pick(Self.names))
      if random.chance(25) { content.settings.value = random.pick(Self.names) }
      if random.chance(20) { content.settings.isSupported = random.chance(60) }
      if random.chance(35) {
        content.settings.isLimited = random.chance(85)
        if random.chance(90) { content.settings.permitted = Int.random(in: 0...3, using: &random) }
      }
      if random.chance(45) { content.settings.contains = words() }
      if random.chance(25) { content.settings.containedBy = words() }
      return content
    }
  }

  private mutating func holdings(_ percent: Int) -> [Attribute: [Sent]] {
    var held: [Attribute: [Sent]] = [:]
    for attribute in Attribute.allCases where random.chance(percent) { held[attribute] = list(attribute) }
    return held
  }

  private mutating func list(_ attribute: Attribute) -> [Sent] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in sent(attribute) }
  }

  private mutating func sent(_ attribute: Attribute) -> Sent {
    Sent(word: word(attribute.base), type: type(attribute), isInherited: random.chance(8))
  }

  private mutating func type(_ attribute: Attribute) -> String? {
    guard random.chance(attribute == .roles ? 10 : 35) else { return nil }
    let name = random.chance(10) ? "Other" : random.pick(Self.kindsOfCatalogue).name
    return random.chance(15) ? name.lowercased() : name
  }

  private mutating func word(_ base: Base) -> Word {
    let fitting = model.entries.keys.filter { model.base(of: $0) == base }.sorted()
    return switch Int.random(in: 0..<100, using: &random) {
    case 0..<45 where !fitting.isEmpty: .id(random.pick(fitting))
    case 45..<52: .id(anything())
    case 52..<62: .name(random.pick(Self.unheard))
    default: .name(random.pick(Self.names))
    }
  }

  private mutating func words() -> [Word] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in word(random.chance(60) ? .role : .entitlement) }
      .uniqued(Model.fold)
  }

  /// The number of any resource, or of one that was.
  private mutating func anything() -> Number {
    let all = (Array(model.users.keys) + Array(model.groups.keys) + Array(model.entries.keys)).sorted()
    return all.isEmpty || random.chance(30) ? old() : random.pick(all)
  }

  /// A number that something had before this operation, whether it is there or not.
  private mutating func old() -> Number { oldest == 0 ? -1 : Int.random(in: 0..<oldest, using: &random) }

  private mutating func member() -> Number {
    let fitting =
      model.users.filter { $0.value.kind == "User" }.map(\.key)
      + model.groups.filter { $0.value.kind == "Group" }.map(\.key)
    let all = fitting.sorted()
    return all.isEmpty || random.chance(3) ? anything() : random.pick(all)
  }

  // MARK: PATCH

  private mutating func changes(at endpoint: String) -> [Change] {
    (0..<random.pick([1, 1, 1, 2, 3])).map { _ in
      switch Self.base(of: endpoint) {
      case .user:
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: Change.rename("user\(Int.random(in: 0..<14, using: &random))")
        case 8..<12: .setActive(random.chance(50))
        default: assignment()
        }
      case .group:
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: Change.rename("group\(Int.random(in: 0..<10, using: &random))")
        case 55... where endpoint == "/Groups": assignment(ofGroup: true)
        default: membership()
        }
      case .role, .entitlement: entryChange()
      }
    }
  }

  private mutating func assignment(ofGroup isOfGroup: Bool = false) -> Change {
    let attribute = random.pick(Attribute.allCases)
    let verb = random.pick(Change.Verb.allCases)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      return .assign(random.chance(70) ? .add : .replace, attribute, list(attribute), hasPath: random.chance(75))
    case 45..<50: return .clear(attribute)
    case 50..<62: return .take(attribute, list(attribute))
    case 62..<82: return .takeWhere(attribute, condition(attribute, withInherited: !isOfGroup))
    case 82..<90: return .setWhere(verb, attribute, narrow(attribute), sent(attribute))
    default: return .setValueWhere(verb, attribute, narrow(attribute), word(attribute.base))
    }
  }

  private mutating func membership() -> Change {
    let members = (0..<Int.random(in: 1...2, using: &random)).map { _ in member() }.uniqued()
    return switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: .members(.add, members, hasPath: random.chance(75))
    case 50..<58: .members(.replace, members, hasPath: random.chance(75))
    case 58..<62: .clearMembers
    case 62..<80: .takeMembers(members)
    default: .takeMember(member())
    }
  }

  private mutating func entryChange() -> Change {
    let side = random.chance(70) ? Side.contains : .containedBy
    return switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: .rename(random.pick(Self.names))
    case 20..<30: .setting(.value(random.chance(70) ? random.pick(Self.names) : nil))
    case 30..<40: .setting(.isSupported(random.chance(70) ? random.chance(60) : nil))
    case 40..<50: .setting(.isLimited(random.chance(70) ? random.chance(70) : nil))
    case 50..<60: .setting(.permitted(random.chance(80) ? Int.random(in: 0...3, using: &random) : nil))
    case 60..<85: .words(.add, side, words())
    case 85..<94: .words(.replace, side, words())
    default: .clearWords(side)
    }
  }

  // MARK: Filters

  private mutating func condition(_ attribute: Attribute, withInherited: Bool) -> Condition {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: return narrow(attribute)
    case 50..<60: return .not(.value(word(attribute.base)))
    case 60..<70: return .either(.value(word(attribute.base)), .value(word(attribute.base)))
    case 70..<80: return .display(random.pick(Self.names))
    case 80..<90 where withInherited: return .inherited(random.chance(50))
    case 90..<95 where withInherited: return .both(.value(word(attribute.base)), .inherited(random.chance(50)))
    default: return .type(random.pick(Self.kindsOfCatalogue).name)
    }
  }

  /// One that names an element.
  private mutating func narrow(_ attribute: Attribute) -> Condition {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<65: .value(word(attribute.base))
    case 65..<90 where attribute == .entitlements:
      .both(.type(random.pick(Self.kindsOfCatalogue).name), .value(word(attribute.base)))
    default: .type(random.pick(Self.kindsOfCatalogue).name)
    }
  }

  private mutating func search() -> Search {
    let attribute = random.pick(Attribute.allCases)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35:
      return .holders(endpoint: kind(.user).endpoint, attribute, condition(attribute, withInherited: true))
    case 35..<50: return .holders(endpoint: "/Groups", attribute, condition(attribute, withInherited: false))
    case 50..<57: return .holdersByPresence(attribute, isNegated: random.chance(50))
    case 57..<70: return .usersOf(group: anything(), isIndirectOnly: random.chance(30))
    case 70..<75: return .groupsOf(member: anything())
    default:
      let endpoint = random.pick(model.kinds.filter(\.base.isOfCatalogue)).endpoint
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let count = Int.random(in: 0...3, using: &random)
        return .entries(endpoint: endpoint, .used(comparison: random.pick(["eq", "gt", "le"]), count))
      case 1: return .entries(endpoint: endpoint, .words(random.pick(Side.allCases), word(.role)))
      case 2: return .entries(endpoint: endpoint, .name(random.pick(Self.names)))
      default: return .entries(endpoint: endpoint, .limited)
      }
    }
  }
}

extension Array {
  /// The first of those that have the same key.
  func uniqued<Key: Hashable>(_ key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Array where Element: Hashable {
  func uniqued() -> [Element] { uniqued { $0 } }
}
