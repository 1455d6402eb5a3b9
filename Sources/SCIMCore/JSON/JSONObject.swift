/// The members of a JSON object in order. Names are compared byte by byte, not by canonical equivalence.
public struct JSONObject: Sendable, Hashable {
  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: JSON

    public init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      ASCII.equal(left.key, right.key) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      for byte in key.utf8 { hasher.combine(byte) }
      hasher.combine(value)
    }
  }

  public var members: [Member]

  public init(_ members: [Member] = []) {
    self.members = members
  }

  public var isEmpty: Bool { members.isEmpty }

  /// The value of the member of that exact name. Setting nil removes it; setting an absent one appends it.
  public subscript(_ key: String) -> JSON? {
    get {
      for member in members where Self.isSame(member.key, key) { return member.value }
      return nil
    }
    set {
      let index = members.firstIndex { Self.isSame($0.key, key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }
  /// Most names differ in length already.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    ASCII.equal(left, right)
  }
}
