/// The number of a resource: that of the operation which makes it. It stays the same where others are left out, so
/// that what is left of a sequence still means what it did.
typealias Number = Int

/// A text that names something: the id of a resource, or a word. A number that nothing has stands for an id that
/// nothing has.
enum Word: Hashable {
  case id(Number)
  case name(String)
}

/// Where a resource is: `/Roles/{id of 7}`.
struct Place: Hashable {
  var endpoint: String
  var number: Number
}

/// The attributes that hold assignments, of users and, below the URN of grants, of groups.
enum Attribute: String, CaseIterable {
  case roles, entitlements
}

/// An element of `roles` or `entitlements` as a client sends it.
struct Sent: Hashable {
  var word: Word
  var type: String?
  /// Sends `inherited: true`.
  var isInherited = false
}

/// A filter in a path or a search, over elements of `roles` or `entitlements`.
indirect enum Condition: Hashable {
  case value(Word)
  case type(String)
  case display(String)
  case inherited(Bool)
  case both(Condition, Condition)
  case either(Condition, Condition)
  case not(Condition)
}

/// What a resource is written with by POST and PUT; only what fits its type is sent.
struct Content {
  /// `userName` or `displayName`.
  var name: String
  /// Own assignments of a user, grants of a group.
  var held: [Attribute: [Sent]] = [:]
  /// Nil leaves it out.
  var isActive: Bool?
  var members: [Number] = []
  var settings = Settings()
}

/// The IETF's attributes of an entry of the catalogue.
struct Settings: Equatable {
  var value: String?
  var isSupported: Bool?
  var isLimited: Bool?
  var permitted: Int?
  var contains: [Word] = []
  var containedBy: [Word] = []
}

enum Side: String, CaseIterable {
  case contains, containedBy
}

/// One operation of a PATCH.
enum Change {
  enum Verb: String, CaseIterable { case add, replace }

  case rename(String)
  case setActive(Bool)
  /// With a path, or without one, where the value is an object.
  case assign(Verb, Attribute, [Sent], hasPath: Bool)
  case clear(Attribute)
  /// `remove` with a list of values.
  case take(Attribute, [Sent])
  case takeWhere(Attribute, Condition)
  case setWhere(Verb, Attribute, Condition, Sent)
  /// The sub-attribute `value` of what a filter chooses.
  case setValueWhere(Verb, Attribute, Condition, Word)
  /// The sub-attribute `display` of what a filter chooses.
  case setDisplayWhere(Verb, Attribute, Condition, String)
  case members(Verb, [Number], hasPath: Bool)
  case clearMembers
  case takeMembers([Number])
  case takeMember(Number)
  case setting(SettingChange)
  case words(Verb, Side, [Word])
  case clearWords(Side)

  enum SettingChange {
    case value(String?), isSupported(Bool?), isLimited(Bool?), permitted(Int?)
  }
}

/// One step of a sequence.
enum Operation {
  case create(Place, Content)
  case replace(Place, Content)
  case patch(Place, [Change])
  case delete(Place)
  /// Writes as above, and how many failures end it.
  case bulk([Operation], failOnErrors: Int?)
  case defineType(TypeName, base: Base, way: DefinitionWay)
  /// An own type, or a built-in one.
  case retireType(TypeName, force: Bool)
  /// Brings a built-in type back.
  case restoreType(TypeName)
  case setCatalog(isClosed: Bool)
  case setGrants(Bool, force: Bool)
  case search(Search)
}

enum Base: CaseIterable {
  case user, group, role, entitlement

  /// True where what is of it can be assigned.
  var isOfCatalogue: Bool { self == .role || self == .entitlement }
}

/// The name of an own type; its endpoint is `/` and the name with `s`.
typealias TypeName = String

/// How an organisation gets a type of its own.
enum DefinitionWay: CaseIterable { case request, command }

/// A search for resources.
enum Search {
  /// Users, also those of an own type, or groups by what they grant.
  case holders(endpoint: String, Attribute, Condition)
  case holdersByPresence(Attribute, isNegated: Bool)
  case usersOf(group: Number, isIndirectOnly: Bool)
  case groupsOf(member: Number)
  case entries(endpoint: String, EntryCondition)

  enum EntryCondition {
    case used(comparison: String, Int)
    case words(Side, Word)
    case name(String)
    case limited
  }
}

extension Operation {
  /// The number of what it makes.
  var made: Number? {
    if case .create(let place, _) = self { place.number } else { nil }
  }

  /// The numbers of what it names, what it makes left out.
  var numbers: Set<Number> {
    switch self {
    case .create(_, let content): content.numbers
    case .replace(let place, let content): content.numbers.union([place.number])
    case .patch(let place, let changes): changes.reduce(into: [place.number]) { $0.formUnion($1.numbers) }
    case .delete(let place): [place.number]
    default: []
    }
  }
}

extension Content {
  var numbers: Set<Number> {
    Set(held.values.flatMap { $0.compactMap(\.word.number) } + members)
      .union((settings.contains + settings.containedBy).compactMap(\.number))
  }
}

extension Change {
  var numbers: Set<Number> {
    switch self {
    case .assign(_, _, let sent, _), .take(_, let sent): Set(sent.compactMap(\.word.number))
    case .takeWhere(_, let condition), .setDisplayWhere(_, _, let condition, _): condition.numbers
    case .setWhere(_, _, let condition, let sent): condition.numbers.union([sent.word].compactMap(\.number))
    case .setValueWhere(_, _, let condition, let word): condition.numbers.union([word].compactMap(\.number))
    case .members(_, let numbers, _), .takeMembers(let numbers): Set(numbers)
    case .takeMember(let number): [number]
    case .words(_, _, let words): Set(words.compactMap(\.number))
    case .rename, .setActive, .clear, .clearMembers, .setting, .clearWords: []
    }
  }
}

extension Condition {
  var numbers: Set<Number> {
    switch self {
    case .value(let word): Set([word].compactMap(\.number))
    case .type, .display, .inherited: []
    case .both(let left, let right), .either(let left, let right): left.numbers.union(right.numbers)
    case .not(let inner): inner.numbers
    }
  }
}

extension Word {
  var number: Number? {
    if case .id(let number) = self { number } else { nil }
  }
}
