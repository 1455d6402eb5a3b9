/// A change of an organisation's definitions, planned or under way: what it does to the types. Until it is made, the
/// definitions of before are in force, and what is written is indexed for both.
///
/// It is made of all definitions, which takes a while: once, outside the store's writer, which is handed it.
public final class PendingChange: Sendable {
  /// By which the store knows it; 0 for one that it does not know of.
  public let number: Int64
  public let change: DefinitionChange
  /// The change as the store keeps it.
  public let encoded: [UInt8]
  /// True from the time on that it can only succeed: what does not fit the new definitions is refused.
  public let isCertain: Bool
  /// The registry that it begins from.
  public let before: SchemaRegistry
  /// The registry that it leads to.
  public let after: SchemaRegistry
  /// The same without its names in the index.
  private let unnamed: SchemaRegistry
  /// Types that go with their resources.
  public let leaving: [ResourceType]
  /// Types that go and could not be read.
  public let unreadable: [String]
  /// Types that stay and concern stored resources, by their names.
  public let parts: [String: IndexChange]

  /// - Parameters:
  ///   - after: what the loader makes of the definitions after the change.
  ///   - base: what every organisation has.
  public init(
    number: Int64 = 0, _ change: DefinitionChange, isCertain: Bool = false, from before: SchemaRegistry,
    to after: SchemaRegistry, base: SchemaRegistry
  ) {
    self.number = number
    self.change = change
    encoded = change.json.encoded()
    self.isCertain = isCertain
    self.before = before
    unnamed = after
    // A type that goes and leaves its name to a built-in one goes with its resources all the same.
    func isLeft(_ name: String) -> Bool {
      before.builtInType(named: name, of: base) == nil && after.builtInType(named: name, of: base) != nil
    }
    unreadable = change.remove.filter { one in
      one.kind == .type && before.unreadable.contains { $0.kind == .type && $0.name == one.name }
    }.map(\.name)
    var leaving: [ResourceType] = []
    var parts: [String: IndexChange] = [:]
    var secondNames: [String: Set<String>] = [:]
    for type in before.types {
      if let present = after.type(named: type.name), !isLeft(type.name) {
        let part = IndexChange(
          from: type, before.settings, to: present, after.settings,
          checksDocuments: !change.put.isEmpty || !change.remove.isEmpty)
        if !part.new.secondNames.isEmpty { secondNames[type.name] = part.new.secondNames }
        if !part.isNothing { parts[type.name] = part }
      } else {
        leaving.append(type)
      }
    }
    self.leaving = leaving
    self.parts = parts
    self.after = after.named(secondNames)
  }

  /// Plans a change that is stored, or is taken for granted.
  ///
  /// - Parameter definitions: those of the organisation.
  /// - Throws: `SchemaError` only where the base itself cannot be read.
  public convenience init(
    number: Int64 = 0, _ change: DefinitionChange, isCertain: Bool = false, of definitions: [Definition],
    from before: SchemaRegistry, base: SchemaRegistry
  ) throws(SchemaError) {
    let after = try DefinitionLoader.loadStored(
      change.applied(to: definitions), extending: base.builtIn(for: change.applied(to: before.settings)))
    self.init(number: number, change, isCertain: isCertain, from: before, to: after, base: base)
  }

  /// The same change under another number, or further.
  private init(_ other: PendingChange, number: Int64, isCertain: Bool) {
    self.number = number
    self.isCertain = isCertain
    change = other.change
    encoded = other.encoded
    before = other.before
    after = other.after
    unnamed = other.unnamed
    leaving = other.leaving
    unreadable = other.unreadable
    parts = other.parts
  }

  /// The change as the store knows it.
  public func noted(as number: Int64, isCertain: Bool) -> PendingChange {
    if number == self.number, isCertain == self.isCertain { return self }
    return PendingChange(self, number: number, isCertain: isCertain)
  }

  /// The registry of the organisation once the change has been made.
  ///
  /// - Parameters:
  ///   - revision: that of the definitions then.
  ///   - secondNames: what the index then has under second names.
  public func registry(revision: Int64, secondNames: [String: Set<String>]) -> SchemaRegistry {
    let named = secondNames == self.secondNames ? after : unnamed.named(secondNames)
    return named.at(revision)
  }

  /// True where it must not be given up: by force, some of what is in the way may be gone already, and it can only succeed.
  public var mustBeFinished: Bool { isCertain && change.isForced }

  /// True where nothing that is stored is concerned.
  public var isNothing: Bool { parts.isEmpty && (leaving.isEmpty || !change.isForced) }

  /// The second names in the index that the types have after it.
  public var secondNames: [String: Set<String>] {
    Dictionary(
      after.types.filter { !$0.secondNames.isEmpty }.map { ($0.name, $0.secondNames) },
      uniquingKeysWith: { first, _ in first })
  }
}
