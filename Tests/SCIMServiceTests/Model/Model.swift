/// What the pages say about assignments, as plainly as it can be said: every rule is a walk over everything there is.
///
/// It is made from docs/entitlements.md and docs/governance.md alone, and knows nothing of how the server does it.
struct Model {
  /// A resource type.
  struct Kind: Equatable {
    var name: TypeName
    var endpoint: String
    var base: Base
  }

  /// A role or an entitlement.
  struct Entry: Equatable {
    var kind: TypeName
    var name: String
    var settings: Settings
  }

  /// An element that matched nothing, as it was sent.
  struct Unmatched: Hashable {
    var word: Word
    var type: String?
    var display: String?
  }

  /// What somebody has of one attribute.
  struct Held: Equatable {
    var linked: Set<Number> = []
    var unmatched: [Unmatched] = []

    var isEmpty: Bool { linked.isEmpty && unmatched.isEmpty }
  }

  /// A user, or a group with what it grants; also one of an own type.
  struct Holder: Equatable {
    var kind: TypeName
    var name: String
    var isActive = true
    var held: [Attribute: Held] = [:]
    var members: Set<Number> = []

    subscript(_ attribute: Attribute) -> Held {
      get { held[attribute] ?? Held() }
      set { held[attribute] = newValue.isEmpty ? nil : newValue }
    }
  }

  static let builtIn = [
    Kind(name: "User", endpoint: "/Users", base: .user),
    Kind(name: "Group", endpoint: "/Groups", base: .group),
    Kind(name: "Role", endpoint: "/Roles", base: .role),
    Kind(name: "Characteristic", endpoint: "/Characteristics", base: .entitlement),
  ]

  var isClosed = false
  var hasGrants = false
  var kinds = builtIn
  var users: [Number: Holder] = [:]
  var groups: [Number: Holder] = [:]
  var entries: [Number: Entry] = [:]
  /// True where an operation asked for something that the pages leave open: from here on nothing can be told.
  var isOpen = false

  /// Comparison of words: letter case and the form of accents do not count.
  static func fold(_ text: String) -> String {
    // Nothing is to be composed of these, and it costs much.
    text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.precomposedStringWithCanonicalMapping.lowercased()
  }

  static func fold(_ word: Word) -> Word {
    if case .name(let name) = word { .name(fold(name)) } else { word }
  }

  func kind(at endpoint: String) -> Kind? { kinds.first { $0.endpoint == endpoint } }

  func kind(of entry: Number) -> Kind? {
    entries[entry].flatMap { entry in kinds.first { $0.name == entry.kind } }
  }

  func base(of entry: Number) -> Base { kind(of: entry)?.base ?? .entitlement }

  func exists(_ place: Place) -> Bool {
    guard let kind = kind(at: place.endpoint) else { return false }
    let found = users[place.number]?.kind ?? groups[place.number]?.kind ?? entries[place.number]?.kind
    return found == kind.name
  }

  // MARK: Words

  /// The entry that a word means: an id, or a name or `value` that only one has. A type tells them apart; one that is no
  /// type of roles says nothing of roles.
  func find(_ word: Word, _ base: Base, type: String? = nil) -> Number? {
    let isType = kinds.contains { $0.base == base && Self.fold($0.name) == type.map(Self.fold) }
    let among = entries.filter { number, entry in
      guard let kind = kind(of: number), kind.base == base else { return false }
      guard let type, base == .entitlement || isType else { return true }
      return Self.fold(kind.name) == Self.fold(type)
    }
    switch word {
    case .id(let number): return among[number] == nil ? nil : number
    case .name(let name):
      let folded = Self.fold(name)
      let named = among.filter { _, entry in
        Self.fold(entry.name) == folded || entry.settings.value.map(Self.fold) == folded
      }
      return named.count == 1 ? named.first?.key : nil
    }
  }

  // MARK: Containment

  /// What an entry says of another by one word: that it contains it, or is contained by it.
  struct Statement: Hashable {
    var speaker: Number
    var side: Side
    var word: Word
    var whole: Number
    var part: Number
  }

  /// All that means something. A word of `contains` or `containedBy` means an entry of the same base first.
  var statements: Set<Statement> {
    // What `find` says of each word, without looking at all entries for each of them.
    var bases: [Number: Base] = [:]
    var named: [Base: [String: Set<Number>]] = [:]
    for (number, entry) in entries {
      let base = base(of: number)
      bases[number] = base
      for name in [entry.name] + (entry.settings.value.map { [$0] } ?? []) {
        named[base, default: [:]][Self.fold(name), default: []].insert(number)
      }
    }
    func find(_ word: Word, _ base: Base) -> Number? {
      switch word {
      case .id(let number): return bases[number] == base ? number : nil
      case .name(let name):
        let found = named[base]?[name] ?? []
        return found.count == 1 ? found.first : nil
      }
    }
    var statements: Set<Statement> = []
    for (number, entry) in entries {
      let base = bases[number] ?? .entitlement
      for side in Side.allCases {
        for word in entry.settings[side].map(Self.fold) {
          guard let other = find(word, base) ?? find(word, base == .role ? .entitlement : .role) else { continue }
          let (whole, part) = side == .contains ? (number, other) : (other, number)
          statements.insert(Statement(speaker: number, side: side, word: word, whole: whole, part: part))
        }
      }
    }
    return statements
  }

  /// The direct parts of each entry.
  static func parts(_ statements: Set<Statement>) -> [Number: Set<Number>] {
    statements.reduce(into: [:]) { $0[$1.whole, default: []].insert($1.part) }
  }

  var parts: [Number: Set<Number>] { Self.parts(statements) }

  /// Everything that is one of these or a part of one, through any number of entries.
  static func below(_ tops: Set<Number>, _ parts: [Number: Set<Number>]) -> Set<Number> {
    var seen: Set<Number> = []
    var waiting = Array(tops)
    while let next = waiting.popLast() {
      if seen.insert(next).inserted { waiting += parts[next] ?? [] }
    }
    return seen
  }

  /// The entries that are parts of themselves.
  var circular: Set<Number> {
    let parts = parts
    return Set(entries.keys.filter { Self.below(parts[$0] ?? [], parts).contains($0) })
  }

  enum Circle {
    case none, closed
    /// It was there before, and is there in another way now: whether that may be is not told.
    case changed
  }

  /// The circle that an entry now closes: by what it says, or by what others call it.
  func circle(closedBy number: Number, since before: Model) -> Circle {
    let (all, old) = (statements, before.statements)
    let new = all.subtracting(old).filter { $0.whole == number || $0.part == number }
    guard !new.isEmpty else { return .none }
    let (parts, oldParts) = (Self.parts(all), Self.parts(old))
    let closing = new.filter { Self.below([$0.part], parts).contains($0.whole) }
    if closing.isEmpty { return .none }
    return closing.contains { oldParts[$0.whole]?.contains($0.part) != true } ? .closed : .changed
  }

  // MARK: Groups

  /// The groups that have the user or group as a member. What is of an own type has members of its own, who do not show it.
  func groups(having member: Number) -> Set<Number> {
    Set(groups.filter { $0.value.kind == "Group" && $0.value.members.contains(member) }.keys)
  }

  /// The groups that it is in, directly or through others.
  func groupsAbove(_ member: Number) -> Set<Number> {
    var seen: Set<Number> = []
    var waiting = Array(groups(having: member))
    while let next = waiting.popLast() {
      if seen.insert(next).inserted { waiting += groups(having: next) }
    }
    return seen
  }

  // MARK: Assignments

  /// The users and groups that are linked to an entry themselves.
  func holders(of entry: Number) -> Int {
    (Array(users.values) + Array(groups.values)).filter { holder in
      Attribute.allCases.contains { holder[$0].linked.contains(entry) }
    }.count
  }

  /// What a user has from groups and does not have itself.
  func inherited(_ user: Number, _ attribute: Attribute) -> Set<Number> {
    var inherited: Set<Number> = []
    for group in groupsAbove(user) { inherited.formUnion(groups[group]?[attribute].linked ?? []) }
    return inherited.subtracting(users[user]?[attribute].linked ?? [])
  }
}
