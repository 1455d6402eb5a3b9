/// What the parts of a write cost, in steps of the budget: some 20 nanoseconds of the writer's thread each.
///
/// They are measured, not guessed: a release build counted its steps beside the time that its jobs took (creation,
/// replacement and deletion of users, groups of 10,000 members, roles of 5,000 `contains`) on one core that nothing else
/// used, with 100,000 users in the file, and the costs were set so that no kind of job takes longer than its steps say.
/// `WorkBudget.writeLimit` of them are then at most 40 milliseconds; a commit comes on top.
public enum WriteCost {
  /// A row of the index written or taken away.
  public static let indexRow = 80
  /// One row read or written by its key, with what it takes to ask for it.
  public static let statement = 100
  /// An id or a word looked up as one of many.
  public static let lookUp = 50
  /// A link made or taken away as one of many.
  public static let link = 80
  /// A member in the body of a PATCH read and checked.
  public static let sentMember = 40
  /// A linked element read with what its other end is called.
  public static let element = 125
  /// A member shown as clients see it, to be held against a filter; reading it comes on top.
  public static let shownMember = 80
  /// A link read without its other end.
  public static let handle = 10
  /// A resource whose version moves since something that it refers to is deleted.
  public static let touch = 700

  /// A resource read, changed, checked and written, whatever it holds.
  public static let change = 2000

  /// The attributes of a type gone through for one resource, set or not: several times on the way of a change.
  public static func attributes(of type: ResourceType) -> Int { type.attributeCount * 8 }
  /// Bytes of a document read as JSON.
  public static func parsing(_ bytes: Int) -> Int { bytes / 2 }
  /// Bytes of a document written.
  public static func writing(_ bytes: Int) -> Int { bytes / 2 }
}
